"""The SQL of a meaning in the words of several databases, and that it never multiplies rows."""

from dataclasses import replace

import pytest
from sqlglot import exp, parse_one

from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.meaning import Field, Filter, Group, Meaning, Measure, Presence
from ai.nl2sql.reader import Reading
from ai.nl2sql.writer import write_sql
from ai.sql.database import Database
from ai.sql.semantics import NO_SEMANTICS
from tests.unit.ai.nl2sql.store import TODAY, read_thread

TEAM = Filter(Field("teams", "region"), "=", ("Asia",))


@pytest.mark.parametrize(
    ("dialect", "month", "table"),
    [
        ("sqlite", "STRFTIME('%Y-%m', daily_metrics.day)", '"order"'),
        ("postgres", "TO_CHAR(daily_metrics.day, 'YYYY-MM')", '"order"'),
        ("mysql", "DATE_FORMAT(daily_metrics.day, '%Y-%m')", "`order`"),
        ("duckdb", "STRFTIME(daily_metrics.day, '%Y-%m')", '"order"'),
    ],
)
def test_each_dialect_writes_its_own(dialect: str, month: str, table: str, store: Database) -> None:
    catalog = replace(store.catalog(), dialect=dialect)
    monthly, orders = read_thread(["revenue per month"], catalog), read_thread(["how many orders do we have?"], catalog)
    assert isinstance(monthly, Reading)
    assert isinstance(orders, Reading)
    assert month in monthly.sql
    assert table in orders.sql


@pytest.mark.parametrize(
    "question", ["total price of apps with reviews", "how many apps have releases since June 2026"]
)
def test_a_condition_on_many_rows_joins_none_of_them(question: str, store: Database) -> None:
    found = read_thread([question], store.catalog())
    assert isinstance(found, Reading)
    tree = parse_one(found.sql, dialect="sqlite")
    assert tree.find(exp.Exists)
    assert not tree.find(exp.Join)


def test_a_row_with_each_of_two_values_is_looked_for_apart_from_a_joined_table(store: Database) -> None:
    """The figure of a value joins its table; that there are rows of it is asked by a query of its own."""
    country = Field("reviews", "country")
    one, other = (Filter(country, "=", (name,)) for name in ("Germany", "France"))
    meaning = Meaning(
        "reviews",
        measures=(Measure("count", "reviews", where=(one,)), Measure("count", "reviews", where=(other,))),
        presences=(Presence("reviews", present=True, where=(one,)), Presence("teams", present=True, where=(TEAM,))),
        groups=(Group("teams", "name"),),
    )
    tree = parse_one(write_sql(meaning, lexicon_of(store.catalog(), NO_SEMANTICS), TODAY), dialect="sqlite")
    assert tree.find(exp.Join)
    assert len(list(tree.find_all(exp.Exists))) == 1
