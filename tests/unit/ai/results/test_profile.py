"""What a result holds, in a few words."""

from datetime import date
from decimal import Decimal
from pathlib import Path

from ai.results.profile import MOST_DISTINCT, ColumnProfile, profile
from ai.results.store import ResultStore
from ai.results.table import ResultColumn, Row


def profiled(folder: Path, *batches: list[Row]) -> tuple[ColumnProfile, ...]:
    store = ResultStore(folder)
    names = [ResultColumn(f"c{n}") for n in range(len(batches[0][0]))] if batches else [ResultColumn("c0")]
    store.write("q1", names, batches, max_rows=10**6, max_bytes=10**9)
    return profile(store, "q1")


def test_each_column_by_itself_over_all_batches(tmp_path: Path) -> None:
    rows: list[Row] = [(2**53 + 1, "b", Decimal("1.5"), date(1, 1, 1)), (None, "a", Decimal("-10"), None)]
    more: list[Row] = [(3, "b", None, date(9999, 1, 1))]
    assert profiled(tmp_path, rows, more) == (
        ColumnProfile("c0", "integer", 1, 2, 3, 2**53 + 1, ("9007199254740993", "3")),
        ColumnProfile("c1", "text", 0, 2, "a", "b", ("b", "a")),
        ColumnProfile("c2", "decimal", 1, 2, Decimal("-10"), Decimal("1.5"), ("1.5", "-10")),
        ColumnProfile("c3", "date", 1, 2, date(1, 1, 1), date(9999, 1, 1), ("0001-01-01", "9999-01-01")),
    )


def test_values_of_several_types_have_no_order(tmp_path: Path) -> None:
    assert profiled(tmp_path, [(1,), ("x",)]) == (ColumnProfile("c0", "mixed", 0, 2, None, None, ("1", "x")),)


def test_not_a_number_is_no_end(tmp_path: Path) -> None:
    (column,) = profiled(tmp_path, [(float("nan"),), (1.0,)], [(float("nan"),)])
    assert (column.smallest, column.largest, column.distinct) == (1.0, 1.0, 2)


def test_very_many_values_are_not_counted(tmp_path: Path) -> None:
    (column,) = profiled(tmp_path, [(n,) for n in range(MOST_DISTINCT + 1)])
    assert (column.distinct, column.largest) == (None, MOST_DISTINCT)


def test_nothing_is_nothing(tmp_path: Path) -> None:
    assert profiled(tmp_path) == (ColumnProfile("c0", "nothing", 0, 0, None, None, ()),)
