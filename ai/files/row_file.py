"""A table in one Arrow file (IPC, zstd): columns of one kind each, written as a stream and read back in batches."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pyarrow as pa

from ai.errors import Corrupt

Row = Sequence[Any]
AT_ONCE = 1000
KIND = b"datathread.kind"
KINDS = MappingProxyType(
    {
        "int": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "text": pa.large_string(),  # any characters, NUL among them
        "name": pa.large_string(),
        "json": pa.large_string(),  # as it is stored, to the byte
        "bytes": pa.large_binary(),
        "moment": pa.timestamp("us", tz="UTC"),
        "day": pa.date32(),
    }
)


class RowColumn(NamedTuple):
    name: str
    kind: str


def write_rows(path: Path, columns: Sequence[RowColumn], rows: Iterable[Row]) -> int:
    """Write a file of rows; return how many."""
    schema = pa.schema([pa.field(name, KINDS[kind], metadata={KIND: kind.encode()}) for name, kind in columns])
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    count, left = 0, iter(rows)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, schema, options=options) as writer:
        while batch := list(islice(left, AT_ONCE)):
            arrays = [
                pa.array(values, field.type) for values, field in zip(zip(*batch, strict=True), schema, strict=True)
            ]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
            count += len(batch)
    return count


def columns_of(path: Path) -> tuple[RowColumn, ...]:
    """Return the columns of a file. Raises Corrupt."""
    with _reader(path) as reader:
        return tuple(RowColumn(field.name, (field.metadata or {}).get(KIND, b"").decode()) for field in reader.schema)


def read_rows(path: Path) -> Iterator[list[Row]]:
    """Yield the rows of a file, some at a time. Raises Corrupt."""
    with _reader(path) as reader:
        for number in range(reader.num_record_batches):
            yield list(zip(*(column.to_pylist() for column in reader.get_batch(number).columns), strict=True))


def _reader(path: Path) -> pa.ipc.RecordBatchFileReader:
    try:
        return pa.ipc.open_file(pa.OSFile(str(path), "rb"))
    except (pa.ArrowException, OSError) as error:
        raise Corrupt(f"{path} does not read back as a table ({error}).") from error
