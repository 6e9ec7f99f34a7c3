"""The SQL of a follow-up: SQLite runs it and gives what the steps give."""

import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from ai.results.reshape import reshape
from ai.results.steps import Columns, First, Keep, Rename, Share, Sort, Step
from ai.results.store import ResultStore
from ai.results.table import ResultColumn, Row
from ai.sql.follow_up import follow_up_sql

SQL = "SELECT column1 AS name, column2 AS n FROM (VALUES ('a', 3), ('b', 1), ('c', 2))"
ROWS: list[Row] = [("a", 3), ("b", 1), ("c", 2)]
STEPS: list[list[Step]] = [
    [Sort(1)],
    [Sort(1, descending=True), First(2)],
    [Keep(0, "!=", "B"), Sort(1), First(1)],
    [Keep(1, ">=", Decimal("2"))],
    [Columns((1, 0)), Rename(0, 'the "n"'), Sort(0)],
    [Share(1), Sort(2)],
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
