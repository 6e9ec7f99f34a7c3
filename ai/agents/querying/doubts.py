"""Doubts about a result: sentences for the model repairing the SQL, cautions for people."""

from collections.abc import Iterator
from datetime import date

from ai.agents.port import CautionEvent, Turn
from ai.agents.question_context import QuestionContext
from ai.analysts.port import Expected
from ai.results.table import ResultTable, Row
from ai.sql.catalog import Catalog
from ai.sql.cautions import Asked, find_cautions, finds_nothing
from ai.sql.facts import Facts
from ai.types import AnsweredQuery


def doubt(
    expects: Expected,
    sql: str,
    table: ResultTable,
    catalog: Catalog,
    today: date,
    asked: Asked | None = None,
    facts: Facts | None = None,
) -> str:
    """Describe a wrong shape, all NULL, a misspelt value, or what disagrees with the question; "" without doubt."""
    found = find_cautions(sql, catalog, table, today, asked=asked, facts=facts)
    kinds = {"near", "question"} if finds_nothing(table) else {"question"}
    told = " ".join(caution.text for caution in found if caution.kind in kinds)
    return told or _empty(expects, table) or _misshapen(expects, table)


def _empty(expects: Expected, table: ResultTable) -> str:
    if not table.row_count and expects != "rows":
        return "It gives no row, though one was expected."
    return "It gives nothing but NULL." if table.row_count and _is_all_null(table) else ""


def _misshapen(expects: Expected, table: ResultTable) -> str:
    rows, columns = table.row_count, len(table.columns)
    if expects == "value" and (rows, columns) != (1, 1):
        return f"One cell was expected, but it gives {rows} rows of {columns} columns."
    if expects == "row" and rows != 1:
        return f"One row was expected, but it gives {rows}."
    return ""


def _is_all_null(table: ResultTable) -> bool:
    return table.row_count == len(table.rows) and all(cell is None for row in table.rows for cell in row)


def cautions(context: QuestionContext, turn: Turn, query: AnsweredQuery, table: ResultTable) -> Iterator[CautionEvent]:
    """Look for likely silent errors, under the rights and limits of the asker."""
    database, facts, question = context.source(turn), context.names(turn, query).facts, context.question(turn)

    def ask(sql: str) -> tuple[Row, ...]:
        with database.run(database.check(sql)) as stream:
            return tuple(row for batch in stream.batches for row in batch)

    catalog, today = database.catalog(), question.today
    asked = Asked(question.text, today, question.semantics.fiscal_month) if question.text else None
    for caution in find_cautions(query.sql, catalog, table, today, ask, asked=asked, facts=facts):
        yield CautionEvent(caution.text)
