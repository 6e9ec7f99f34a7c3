"""A table in a file: each kind of value comes back as it was, and what is no such file is told."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from ai.errors import Corrupt
from ai.files.row_file import AT_ONCE, RowColumn, columns_of, read_rows, write_rows

COLUMNS = [RowColumn(kind, kind) for kind in ("int", "float", "bool", "text", "name", "json", "bytes", "moment", "day")]
NOON = datetime(2026, 1, 2, 12, 0, 0, 5, UTC)
ROW = (2**62, 0.1, True, "a\x00b", "Ana", '{"a":  1}', b"\x00\xff", NOON, date(2026, 1, 2))


def test_each_kind_of_value_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    assert write_rows(path, COLUMNS, [ROW, (None,) * 9]) == 2
    assert columns_of(path) == tuple(COLUMNS)
    assert [row for rows in read_rows(path) for row in rows] == [ROW, (None,) * 9]


def test_many_rows_come_back_some_at_a_time(tmp_path: Path) -> None:
    path, columns = tmp_path / "rows", [RowColumn("n", "int")]
    assert write_rows(path, columns, ((number,) for number in range(AT_ONCE + 1))) == AT_ONCE + 1
    assert [len(rows) for rows in read_rows(path)] == [AT_ONCE, 1]
    assert write_rows(path, columns, ()) == 0
    assert (columns_of(path), list(read_rows(path))) == (tuple(columns), [])


@pytest.mark.parametrize("content", [None, b"", b"no table"])
def test_what_is_no_table_is_corrupt(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "rows"
    if content is not None:
        path.write_bytes(content)
    for reads in (columns_of, lambda path: list(read_rows(path))):
        with pytest.raises(Corrupt, match=r"rows does not read back as a table"):
            reads(path)
