"""The SQL of a follow-up: SQLite runs it and gives what the steps give."""

import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ai.results.reshape import reshape
from ai.results.steps import Columns, First, Keep, OneOf, Pivot, Rename, Share, Sort, Step
from ai.results.store import ResultStore
from ai.results.table import ResultColumn, Row
from ai.sql.follow_up import follow_up_sql, order_of, source_of
from tests.cases import cases

SQL = "SELECT column1 AS name, column2 AS n FROM (VALUES ('a', 3), ('b', 1), ('C', 2))"
ROWS: list[Row] = [("a", 3), ("b", 1), ("C", 2)]
STEPS: list[list[Step]] = [
    [Sort(1)],
    [Sort(1, descending=True), First(2)],
    [Keep(0, "!=", "B"), Sort(1), First(1)],
    [Keep(1, ">=", Decimal("2"))],
    [Columns((1, 0)), Rename(0, 'the "n"'), Sort(0)],
    [Share(1), Sort(2)],
    [Keep(0, "=", "c")],
    [Keep(1, "<", Decimal("2"))],
    [Keep(1, "<=", Decimal("2")), Keep(1, ">", Decimal("1"))],
    [OneOf(0, ("A", "c"))],
    [OneOf(0, ("A", "c"), without=True)],
    [First(2)],
    [Sort(1), First(1), Columns((1,))],
    [Rename(1, "m"), Share(1)],
]


@pytest.mark.parametrize("steps", STEPS, ids=lambda steps: " ".join(type(step).__name__ for step in steps))
def test_the_sql_gives_what_the_steps_gave(tmp_path: Path, steps: list[Step]) -> None:
    store = ResultStore(tmp_path)
    store.write("q1", [ResultColumn("name"), ResultColumn("n")], [ROWS], max_rows=10, max_bytes=10**6)
    reshape(store, "q1", steps, "q2")
    head = store.head("q2")
    with closing(sqlite3.connect(":memory:")) as connection:
        ran = connection.execute(follow_up_sql(SQL, "q1", ["name", "n"], steps, "sqlite"))
        assert [column[0] for column in ran.description] == [column.name for column in head.columns]
        assert ran.fetchall() == list(head.rows)


def test_a_table_of_two_keys_is_added_up_by_both() -> None:
    sql = "SELECT column1 AS x, column2 AS y, column3 AS n FROM (VALUES ('a', 1, 2), ('a', 1, 3), ('b', 2, 4))"
    with closing(sqlite3.connect(":memory:")) as connection:
        ran = connection.execute(follow_up_sql(sql, "q1", ["x", "y", "n"], [Pivot(0, 1, 2)], "sqlite"))
        assert [column[0] for column in ran.description] == ["x", "y", "n"]
        assert ran.fetchall() == [("a", 1, 5), ("b", 2, 4)]


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("orders.jsonl")))
def test_the_order_of_a_query(case: dict[str, Any]) -> None:
    given = None if case["column"] is None else Sort(case["column"], descending=case.get("descending", False))
    assert order_of(case["sql"], case["titles"], "sqlite") == given


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "mysql", "duckdb"])
def test_a_follow_up_tells_whose_rows_it_works_on(dialect: str) -> None:
    assert source_of(follow_up_sql("SELECT 1 AS n", "q12", ["n"], [Sort(0)], dialect)) == 12
    assert source_of("SELECT 1 AS n") == 0
    assert source_of("WITH orders AS (SELECT 1) SELECT * FROM orders") == 0
