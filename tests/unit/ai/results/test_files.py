"""Files of results, read back by other readers: Python's CSV reader, and the XML inside a workbook."""

import csv
import zipfile
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import accumulate
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ai.errors import UserError
from ai.results.cells import Block
from ai.results.csv import Lines
from ai.results.files import FileKind, FileRules, Written, write_csv_files, write_files
from ai.results.sheets import SHEET_COLUMNS, SHEET_TEXT
from ai.results.table import ResultColumn, Row

AB = [ResultColumn("a"), ResultColumn("b")]
XML = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def written(
    folder: Path, kind: FileKind, rows: list[Row], rules: FileRules | None = None, size: int = 10
) -> list[Written]:
    blocks = (Block.of(rows[start : start + size]) for start in range(0, len(rows), size))
    return list(write_files(kind, folder / "r", AB, blocks, rules or FileRules()))


def sheet(path: Path, number: int = 1) -> list[list[str]]:
    """The cells of a sheet, as their kinds and values: n:5, str:x, b:1."""
    with zipfile.ZipFile(path) as book:
        root = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml"))
    return [[_cell(cell) for cell in row.iter(f"{XML}c")] for row in root.iter(f"{XML}row")]


def _cell(cell: ElementTree.Element) -> str:
    return f"{cell.get('t', 'n')}:{''.join(cell.itertext())}"


def test_progress_is_told_and_the_last_word_is_the_whole(tmp_path: Path) -> None:
    told = written(tmp_path, "csv", [(n, None) for n in range(25)])
    assert [done.rows for done in told] == [10, 20, 25, 25]
    assert told[-1] == Written((tmp_path / "r.csv",), 25)


def test_no_rows_are_a_header(tmp_path: Path) -> None:
    assert written(tmp_path, "csv", []) == [Written((tmp_path / "r.csv",), 0)]
    assert (tmp_path / "r.csv").read_bytes() == b"a,b\r\n"


@pytest.mark.parametrize("size", [1, 7, 100])
def test_what_is_too_large_for_one_file_is_divided_between_rows(tmp_path: Path, size: int) -> None:
    rows: list[Row] = [(str(n), 'x"\n') for n in range(100)]
    done = written(tmp_path, "csv", rows, FileRules(file_bytes=200), size)[-1]
    assert [path.name for path in done.paths[:2]] == ["r.csv", "r-2.csv"]
    assert "divided into" in done.notes[0]
    read = []
    for path in done.paths:
        assert path.stat().st_size <= 200
        with path.open(newline="", encoding="utf-8") as file:
            head, *body = csv.reader(file)
        assert head == ["a", "b"]
        read += [tuple(row) for row in body]
    assert read == rows


@pytest.mark.parametrize("cell", ["x", "x\n"])
def test_lines_of_a_database_are_divided_between_rows_as_well(tmp_path: Path, cell: str) -> None:
    rows = [f'{n},"{cell}"\n'.encode() for n in range(100)]
    lines = Lines(b"".join(rows), list(accumulate(map(len, rows))))
    *_, done = write_csv_files(tmp_path / "r", AB, [lines], FileRules(file_bytes=100, zip=False))
    read: list[list[str]] = []
    for path in done.paths:
        assert path.stat().st_size <= 100
        assert path.read_bytes().endswith(b"\r\n")
        with path.open(newline="", encoding="utf-8") as file:
            head, *more = csv.reader(file)
        assert head == ["a", "b"]
        read += more
    assert read == [[str(n), cell] for n in range(100)]
    assert done.rows == 100


def test_what_is_too_large_is_zipped_where_that_makes_it_one_file(tmp_path: Path) -> None:
    rows: list[Row] = [(str(n), "the same words again") for n in range(1000)]
    done = written(tmp_path, "csv", rows, FileRules(file_bytes=5000), 100)[-1]
    assert [path.name for path in done.paths] == ["r.zip"]
    assert [path.name for path in tmp_path.iterdir()] == ["r.zip"]
    assert done.paths[0].stat().st_size <= 5000
    assert "zipped" in done.notes[0]
    with zipfile.ZipFile(done.paths[0]) as archive:
        assert archive.namelist() == ["r.csv"]
        head, *body = csv.reader(archive.read("r.csv").decode().splitlines())
    assert (head, [tuple(row) for row in body]) == (["a", "b"], rows)


def test_nothing_is_zipped_where_that_is_not_wanted(tmp_path: Path) -> None:
    rows: list[Row] = [(n, "the same words again") for n in range(1000)]
    done = written(tmp_path, "csv", rows, FileRules(file_bytes=5000, zip=False), 100)[-1]
    assert len(done.paths) > 1
    assert {path.suffix for path in done.paths} == {".csv"}


CELLS: list[tuple[Any, list[str]]] = [
    (None, []),
    (5, ["n:5"]),
    (10**15 - 1, ["n:999999999999999"]),
    (10**15, ["inlineStr:1000000000000000"]),
    (2**53 + 1, ["inlineStr:9007199254740993"]),
    (0.1, ["n:0.1"]),
    (float("nan"), ["inlineStr:NaN"]),
    (Decimal("1.10"), ["n:1.10"]),
    (Decimal("1234567890.1234567"), ["inlineStr:1234567890.1234567"]),
    (True, ["b:1"]),
    ("=1+1", ["inlineStr:=1+1"]),
    ("https://example.invalid", ["inlineStr:https://example.invalid"]),
    (date(2024, 5, 1), ["n:45413"]),
    (date(1, 1, 1), ["inlineStr:0001-01-01"]),
    (datetime.fromisoformat("2024-05-01T12:00:00"), ["n:45413.5"]),
    (datetime.fromisoformat("2024-05-01T12:00:00.000001"), ["inlineStr:2024-05-01T12:00:00.000001"]),
    (datetime(2024, 5, 1, tzinfo=UTC), ["inlineStr:2024-05-01T00:00:00+00:00"]),
    ([1, "x"], ['inlineStr:[1,"x"]']),
]


@pytest.mark.parametrize(("value", "cell"), CELLS)
def test_a_cell_of_a_workbook_is_exact(tmp_path: Path, value: Any, cell: list[str]) -> None:
    written(tmp_path, "xlsx", [(value, 1)])
    assert sheet(tmp_path / "r.xlsx") == [["inlineStr:a", "inlineStr:b"], [*cell, "n:1"]]


def test_rows_beyond_a_sheet_go_on_over_the_next_and_that_is_said(tmp_path: Path) -> None:
    done = written(tmp_path, "xlsx", [(n, n) for n in range(25)], FileRules(sheet_rows=11))[-1]
    assert done.rows == 25
    assert done.notes == ("Excel takes 11 rows per sheet, so the rows go on over 3 sheets.",)
    assert [len(sheet(tmp_path / "r.xlsx", number)) for number in (1, 2, 3)] == [11, 11, 6]
    assert sheet(tmp_path / "r.xlsx", 3)[0] == ["inlineStr:a", "inlineStr:b"]


def test_a_text_that_excel_cannot_hold_is_cut_and_that_is_said(tmp_path: Path) -> None:
    (note,) = written(tmp_path, "xlsx", [("x" * (SHEET_TEXT + 1), "y")])[-1].notes
    assert note.startswith("Excel cut 1 long texts")


def test_what_excel_cannot_hold_at_all_is_refused(tmp_path: Path) -> None:
    columns = [ResultColumn("a")] * (SHEET_COLUMNS + 1)
    with pytest.raises(UserError, match="ask for CSV"):
        list(write_files("xlsx", tmp_path / "r", columns, [], FileRules()))
    with pytest.raises(UserError, match="ask for CSV"):
        written(tmp_path, "xlsx", [(1, 1)], FileRules(file_bytes=100))
