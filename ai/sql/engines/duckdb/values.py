"""Values from the DuckDB process, as blocks holding each exactly.

Types bent by Arrow, and values unknown to Python (infinite days, 24:00), are text.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any
from uuid import UUID

import pyarrow as pa

from ai.results.cells import BY_NAME, Block, Way, written
from ai.results.table import ResultColumn
from ai.sql.engines.texts import Array, Load, column_of


def blocks_of(columns: Sequence[ResultColumn], replies: Iterable[tuple[Any, ...]]) -> Iterator[Block]:
    schema = pa.schema([])
    for kind, content in replies:
        if kind == "schema":
            schema = pa.ipc.read_schema(pa.py_buffer(content))
        elif kind == "batch":
            yield _block(columns, pa.ipc.read_record_batch(pa.py_buffer(content), schema))
        elif content:
            yield Block.of(content)


def _block(columns: Sequence[ResultColumn], batch: pa.RecordBatch) -> Block:
    batch.validate(full=True)  # it comes from a process that has worked on data which is not ours
    return Block.of_columns(map(_column, columns, batch.columns))


def _column(column: ResultColumn, array: Array) -> tuple[Way, Array]:
    if pa.types.is_string(array.type):
        kind, load = TEXTS.get("" if column.type.endswith("]") else column.type.partition("(")[0].strip(), AS_TEXT)
        return column_of(array, kind, load)
    way = BY_NAME[next((name for is_so, name in WAYS if is_so(array.type)), "integer")]
    try:
        return way, array.cast(way.arrow)
    except pa.ArrowInvalid:  # a whole number beyond 63 bits
        return written(array.to_pylist())


def _or_text(read: Callable[[str], Any]) -> Load:
    def load(text: str) -> Any:
        try:
            return read(text)
        except ValueError:
            return text

    return load


WAYS = ((pa.types.is_boolean, "boolean"), (pa.types.is_floating, "number"), (pa.types.is_binary, "binary"))
AS_TEXT: tuple[str, Load] = ("text", str)
MOMENT = ("datetime", _or_text(datetime.fromisoformat))
TEXTS: Mapping[str, tuple[str, Load]] = {
    "DATE": ("date", _or_text(date.fromisoformat)),
    "TIME": ("", _or_text(time.fromisoformat)),
    "TIME WITH TIME ZONE": ("", _or_text(time.fromisoformat)),
    "TIMESTAMP": MOMENT,
    "TIMESTAMP_S": MOMENT,
    "TIMESTAMP_MS": MOMENT,
    "TIMESTAMP WITH TIME ZONE": ("moment", _or_text(datetime.fromisoformat)),
    "DECIMAL": ("decimal", str),
    "HUGEINT": ("integer", int),
    "UHUGEINT": ("integer", int),
    "UUID": ("", UUID),
}
