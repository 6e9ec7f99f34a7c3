"""The SQL of a meaning in the words of several databases, and that it never multiplies rows."""

from dataclasses import replace

import pytest
from sqlglot import exp, parse_one

from ai.nl2sql.reader import Reading
from ai.sql.database import Database
from tests.unit.ai.nl2sql.store import read_thread


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
