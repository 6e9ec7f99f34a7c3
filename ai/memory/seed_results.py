"""Results in the shape that seed 004 writes them, `{"success": True, "data": [{"COUNT(*)": 49}]}`, to and from tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ai.results.store import ResultStore, StoredResult
from ai.results.table import ResultColumn, Row, titles

ROWS, BYTES = 100_000, 100 * 2**20  # most of a result


def columns_of(data: Sequence[Mapping[str, Any]]) -> tuple[ResultColumn, ...]:
    """All keys of the rows, in the order in which they first come."""
    return tuple(ResultColumn(name) for name in dict.fromkeys(key for row in data for key in row))


def rows_of(data: Sequence[Mapping[str, Any]], columns: Sequence[ResultColumn]) -> list[Row]:
    """The rows as tuples; a key that a row has not is None."""
    return [tuple(row.get(column.name) for column in columns) for row in data]


def headline(rows: Sequence[Row]) -> str:
    """The value of a result that has only one, else nothing."""
    return str(rows[0][0]) if [len(row) for row in rows] == [1] else ""


def keep(results: ResultStore, handle: str, data: Sequence[Mapping[str, Any]]) -> tuple[StoredResult, str]:
    """Store the rows under the handle; the stored result and its headline."""
    columns = columns_of(data)
    rows = rows_of(data, columns)
    return results.write(handle, columns, [rows], max_rows=ROWS, max_bytes=BYTES), headline(rows)


def as_results(columns: Sequence[ResultColumn], rows: Iterable[Row]) -> dict[str, Any]:
    """A stored result as the seed writes it. Of columns of one name each keeps its values, the second as `name_2`."""
    names = titles(columns)
    return {"success": True, "data": [dict(zip(names, row, strict=True)) for row in rows]}
