"""Likely silent errors of an answer."""

from collections.abc import Iterator

from ai.agents.port import CautionEvent, Turn
from ai.agents.question_context import QuestionContext
from ai.results.table import ResultTable, Row
from ai.sql.cautions import Asked, find_cautions
from ai.types import AnsweredQuery


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
