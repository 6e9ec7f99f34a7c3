"""CSV as it leaves the house: read back by Python's own reader, and byte by byte where that matters."""

import csv
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ai.results.csv import write_csv
from ai.results.table import ResultColumn, Row
from tests.cases import cases


def written(path: Path, rows: list[Row], names: tuple[str, ...] = ("a", "b"), **options: bool) -> str:
    count = write_csv(path / "r.csv", [ResultColumn(name) for name in names], [rows], **options)
    assert count == len(rows)
    return (path / "r.csv").read_bytes().decode("utf-8")


CELLS: list[tuple[Any, str]] = [
    (None, ""),
    ("", '""'),
    ("plain", "plain"),
    ("a,b", '"a,b"'),
    ('say "hi"', '"say ""hi"""'),
    ("two\nlines", '"two\nlines"'),
    ("two\rlines", '"two\rlines"'),
    (" padded ", " padded "),
    ("Ünïcode 🌍", "Ünïcode 🌍"),
    (2**70, "1180591620717411303424"),
    (-5, "-5"),
    (0.1, "0.1"),
    (0.1 + 0.2, "0.3"),
    (33221.430000000015, "33221.43"),
    (1 / 3, "0.3333333333333333"),
    (1e300, "1e+300"),
    (12345678901.5, "12345678901.5"),
    (1e15, "1000000000000000"),
    (1e16, "1e+16"),
    (0.0001, "0.0001"),
    (0.00002, "2e-05"),
    (-0.0, "-0"),
    (2.0, "2"),
    (9007199254740993, "9007199254740993"),
    (float("nan"), "NaN"),
    (float("-inf"), "-Infinity"),
    (Decimal("1.10"), "1.10"),
    (Decimal("-3"), "-3"),
    (True, "true"),
    (b"\x00\xff", "\\x00ff"),
    (date(1, 1, 1), "0001-01-01"),
    (datetime(2024, 5, 1, 12, 30, tzinfo=UTC), "2024-05-01T12:30:00+00:00"),
    (datetime.fromisoformat("0001-01-01T00:00:00.000005"), "0001-01-01T00:00:00.000005"),
    (datetime(9999, 12, 31, 23, 59, 59, 999999, UTC), "9999-12-31T23:59:59.999999+00:00"),
    (time(1, 2, 3, 4), "01:02:03.000004"),
    ("\ud800", "?"),
    ({"a": [1, None], "ü": Decimal("1.5")}, '"{""a"":[1,null],""ü"":""1.5""}"'),
    ([], "[]"),
]


@pytest.mark.parametrize(("value", "cell"), CELLS)
def test_a_cell_is_written_exactly(value: Any, cell: str, tmp_path: Path) -> None:
    assert written(tmp_path, [(value, "end")]) == f"a,b\r\n{cell},end\r\n"


@pytest.mark.parametrize(("value", "cell"), CELLS)
def test_a_cell_among_cells_of_other_types_is_written_the_same(value: Any, cell: str, tmp_path: Path) -> None:
    others: list[Row] = [(1, "end"), (value, "end"), ("x", "end")]
    assert written(tmp_path, others) == f"a,b\r\n1,end\r\n{cell},end\r\nx,end\r\n"


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("formulas.jsonl")))
def test_text_never_becomes_a_formula(case: dict[str, str], tmp_path: Path) -> None:
    written(tmp_path, [(case["text"], 1)])
    with (tmp_path / "r.csv").open(newline="", encoding="utf-8") as file:
        assert next(reader := csv.reader(file)) == ["a", "b"]
        assert next(reader) == [case["cell"], "1"]


def test_the_formula_guard_can_be_left_out(tmp_path: Path) -> None:
    assert written(tmp_path, [("=1+1", -1)], formula_guard=False) == "a,b\r\n=1+1,-1\r\n"


def test_a_title_never_becomes_a_formula(tmp_path: Path) -> None:
    assert written(tmp_path, [], ("=cmd()", "b")) == "'=cmd(),b\r\n"


def test_titles_that_repeat_are_numbered(tmp_path: Path) -> None:
    assert written(tmp_path, [], ("id", "id", "id_2", "id")) == "id,id_3,id_2,id_4\r\n"


def test_a_row_with_one_empty_cell_is_still_a_row(tmp_path: Path) -> None:
    assert written(tmp_path, [(None,), ("x",)], ("a",)) == 'a\r\n""\r\nx\r\n'


def test_a_missing_moment_is_empty(tmp_path: Path) -> None:
    assert (
        written(tmp_path, [(datetime(2024, 1, 1, tzinfo=UTC), 1), (None, 2)])
        == "a,b\r\n2024-01-01T00:00:00+00:00,1\r\n,2\r\n"
    )


def test_a_mark_for_old_spreadsheets(tmp_path: Path) -> None:
    assert written(tmp_path, [("ü", 1)], bom=True) == "\ufeffa,b\r\nü,1\r\n"


def test_batches_are_counted_and_streamed(tmp_path: Path) -> None:
    batches = ([(n, n)] * 10 for n in range(100))
    assert write_csv(tmp_path / "r.csv", [ResultColumn("a"), ResultColumn("b")], batches) == 1000
    assert (tmp_path / "r.csv").read_text("utf-8").count("\n") == 1001
