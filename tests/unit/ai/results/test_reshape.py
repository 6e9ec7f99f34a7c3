"""Follow-ups on a stored result: what changes is what was asked for, and every other cell is as it was."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ai.errors import UserError
from ai.results.reshape import holding, numeric, reshape
from ai.results.steps import Columns, First, Keep, Pivot, Rename, Share, Sort, Step
from ai.results.store import ResultStore
from ai.results.table import ResultColumn, Row

BIG = 2**53 + 1
ROWS: list[Row] = [
    ("iOS", "DE", BIG, Decimal("1.10"), 5, None),
    ("Android", "DE", BIG - 1, Decimal("-2.5"), 2.5, [1, {"a": Decimal("0.1")}]),
    ("ios", "FR", None, None, 10, datetime(2024, 1, 1, tzinfo=UTC)),
    ("Web", "FR", BIG, Decimal("10"), None, "text"),
]
NAMES = ("platform", "country", "installs", "price", "mixed", "any")
CASES: list[tuple[str, list[Step], list[int]]] = [
    ("nothing", [], [0, 1, 2, 3]),
    ("up, ties in their places, NULL last", [Sort(2)], [1, 0, 3, 2]),
    ("down, NULL last", [Sort(2, descending=True)], [0, 3, 1, 2]),
    ("texts without regard to case", [Sort(0)], [1, 0, 2, 3]),
    ("decimals as numbers", [Sort(3, descending=True)], [3, 0, 1, 2]),
    ("numbers of several types", [Sort(4)], [1, 0, 2, 3]),
    ("one order after another", [Sort(2), Sort(1, descending=True)], [3, 2, 1, 0]),
    ("text", [Keep(0, "=", "IOS")], [0, 2]),
    ("not text", [Keep(0, "!=", "iOS")], [1, 3]),
    ("exact number", [Keep(2, ">", Decimal(BIG - 1))], [0, 3]),
    ("decimal", [Keep(3, "<=", Decimal("1.1"))], [0, 1]),
    ("number of several types", [Keep(4, ">=", Decimal("5"))], [0, 2]),
    ("first", [First(2)], [0, 1]),
    ("more than there are", [First(20)], [0, 1, 2, 3]),
    ("top of an order", [Sort(3, descending=True), First(2)], [3, 0]),
    ("chosen, ordered, cut", [Keep(1, "=", "DE"), Sort(2), First(1)], [1]),
    ("none", [Keep(1, "=", "US")], []),
]


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    store = ResultStore(tmp_path)
    columns = [ResultColumn(name, "T") for name in NAMES]
    store.write("q1", columns, [ROWS[:3], ROWS[3:]], max_rows=100, max_bytes=10**6)
    return store


def made(store: ResultStore, *steps: Step) -> tuple[tuple[str, ...], list[Row]]:
    reshape(store, "q1", steps, "q2")
    head = store.head("q2")
    assert head.row_count == len(head.rows)
    return tuple(column.name for column in head.columns), list(head.rows)


@pytest.mark.parametrize(("steps", "kept"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_rows_are_ordered_and_chosen_and_stay_exact(store: ResultStore, steps: list[Step], kept: list[int]) -> None:
    names, rows = made(store, *steps)
    assert names == NAMES
    assert repr(rows) == repr([ROWS[place] for place in kept])


def test_columns_are_chosen_and_named(store: ResultStore) -> None:
    names, rows = made(store, Columns((2, 0)), Rename(0, "Größe"), First(1))
    assert (names, rows) == (("Größe", "platform"), [(BIG, "iOS")])


def test_shares_add_up(store: ResultStore) -> None:
    names, rows = made(store, Share(3))
    assert names[-1] == "price share %"
    shares = [row[-1] for row in rows]
    assert shares[2] is None
    assert sum(share for share in shares if share is not None) == pytest.approx(100)
    assert shares[0] == pytest.approx(100 * 1.1 / 8.6)


def test_a_share_of_nothing_is_nothing(store: ResultStore) -> None:
    assert made(store, Keep(1, "=", "US"), Share(2))[1] == []


def test_a_cross_table_adds_up_exactly(store: ResultStore) -> None:
    names, rows = made(store, Pivot(1, 0, 2))
    assert names == ("country", "iOS", "Android", "ios", "Web")
    assert rows == [("DE", BIG, BIG - 1, None, None), ("FR", None, None, None, BIG)]
    assert made(store, Columns((1, 1, 2)), Pivot(0, 1, 2))[1] == [("DE", 2 * BIG - 1, None), ("FR", None, BIG)]


def test_a_cut_result_stays_cut(store: ResultStore) -> None:
    store.write("q1", [ResultColumn("n")], [[(1,), (2,)]], max_rows=1, max_bytes=10**6)
    assert reshape(store, "q1", [First(1)], "q2").truncated


@pytest.mark.parametrize("step", [Share(0), Keep(0, ">", Decimal(1)), Pivot(0, 1, 1)])
def test_what_cannot_be_done_is_said(store: ResultStore, step: Step) -> None:
    with pytest.raises(UserError, match="does not hold numbers"):
        made(store, step)


def test_too_many_columns_are_said(store: ResultStore) -> None:
    rows: list[Row] = [(n, n) for n in range(101)]
    store.write("q1", [ResultColumn("a"), ResultColumn("b")], [rows], max_rows=1000, max_bytes=10**6)
    with pytest.raises(UserError, match="101 columns"):
        made(store, Pivot(0, 1, 0))


@pytest.mark.parametrize(("text", "columns"), [("IOS", (0,)), ("fr", (1,)), ("text", ()), ("US", ())])
def test_where_a_text_is(store: ResultStore, text: str, columns: tuple[int, ...]) -> None:
    assert holding(store, "q1", text) == columns


def test_which_columns_are_numbers(store: ResultStore) -> None:
    assert numeric(store, "q1") == (2, 3, 4)


def test_a_result_without_rows(store: ResultStore) -> None:
    store.write("q1", [ResultColumn("a")], [], max_rows=1, max_bytes=10)
    assert made(store, Sort(0), First(1)) == (("a",), [])
    assert numeric(store, "q1") == ()


ODD: list[Any] = ["a\0b", "", "é", None]


def test_odd_texts_pass_through(store: ResultStore) -> None:
    store.write("q1", [ResultColumn("a")], [[(text,) for text in ODD]], max_rows=10, max_bytes=10**6)
    assert sorted(map(repr, made(store, Sort(0))[1])) == sorted(repr((text,)) for text in ODD)
