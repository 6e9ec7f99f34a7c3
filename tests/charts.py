"""Results to draw, without a database: a question, its SQL, columns and rows."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from ai.answers.naming import Names
from ai.answers.view import ColumnHint, View, view_of
from ai.charts import ResultChart, chart_of, chosen
from ai.results.table import ResultColumn, ResultTable
from ai.sql.catalog import Catalog
from ai.sql.facts import facts_of

TODAY = date(2026, 11, 22)
NO_TABLES = Catalog("", "sqlite", ())


def view(
    sql: str, names: Sequence[str], rows: Sequence[Sequence[Any]], hints: Sequence[ColumnHint] = (), question: str = ""
) -> View:
    said = Names(facts_of(sql, NO_TABLES, TODAY), NO_TABLES, TODAY, question=question)
    cells = tuple(tuple(row) for row in rows)
    return view_of(said, ResultTable(tuple(map(ResultColumn, names)), cells, len(cells)), hints)


def view_of_case(line: dict[str, Any]) -> View:
    """Return the result of a line with `sql`, `columns` (a name, with a unit behind a colon), `rows` and `case`."""
    named = [column.partition(":") for column in line["columns"]]
    hints = [ColumnHint(unit) for _, _, unit in named]
    return view(line["sql"], [name for name, _, _ in named], line["rows"], hints, line["case"])


def monthly(count: int = 6, *, units: str = "USD") -> View:
    """Revenue of the last months until October 2026."""
    months = [f"{2025 + (at + 4) // 12}-{(at + 4) % 12 + 1:02d}" for at in range(18 - count, 18)]
    sql = "SELECT month, SUM(amount) AS revenue FROM orders GROUP BY month ORDER BY month"
    return view(sql, ["month", "revenue"], [(m, 1000.0 + 50 * n) for n, m in enumerate(months)],
                [ColumnHint(), ColumnHint(units)])  # fmt: skip


def drawn(shown: View) -> ResultChart:
    """Return the chart that fits."""
    made = chart_of(shown, chosen(shown))
    assert isinstance(made, ResultChart), made
    return made
