"""The child process running DuckDB: opens a file for one query, sends the answer, closes the file.

A program without imports of ours. Requests and replies are pickles behind their length.
"""

import pickle
import re
import resource
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from struct import Struct
from typing import Any, BinaryIO, TypeAlias

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

LENGTH = Struct(">Q")
BATCH_ROWS = 512
HEADROOM = 256 * 1024 * 1024  # for Python and Arrow, and for what DuckDB does not count
NESTED = ("LIST", "ARRAY", "STRUCT", "MAP", "UNION")
Config: TypeAlias = "dict[str, str | bool | int | float | list[str]]"
SANDBOX: Config = {
    "threads": "2",
    "max_temp_directory_size": "2GB",
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
}
BLIND = (  # rows that are kept back change nothing in these plans; the last optimizer fails without the first
    "SET disabled_optimizers = 'statistics_propagation,join_order,build_side_probe_side,top_n_window_elimination,"
    "join_filter_pushdown'",
    "SET nested_loop_join_threshold = 0",
    "SET merge_join_threshold = 0",
    "SET asof_loop_join_threshold = 0",
)
PINS = ("SET TimeZone = 'UTC'", "SET lock_configuration = true")


def main() -> None:
    """Send ("ready",), then answer requests (the arguments of `answer`) until there are none."""
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    send(replies, ("ready",))
    while head := requests.read(LENGTH.size):
        request = pickle.loads(requests.read(*LENGTH.unpack(head)))
        try:
            for reply in answer(**request):
                send(replies, reply)
        except (duckdb.Error, MemoryError, ValueError, PermissionError) as error:
            send(replies, ("error", type(error).__name__, str(error)))


def send(stream: BinaryIO, value: object) -> None:
    content = pickle.dumps(value, protocol=5)
    stream.write(LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def answer(
    path: str, folder: str, memory: int, statements: tuple[str, ...], rows: int, cell_bytes: int, *, blind: bool
) -> Iterator[tuple[Any, ...]]:
    """Reply for each statement with columns, then rows or Arrow batches; ("end",) at last.

    With `rows` 0 statements run as they are.
    """
    with suppress(ValueError, OSError):  # where the system knows no such bound, DuckDB's own must do
        resource.setrlimit(resource.RLIMIT_DATA, (memory + HEADROOM, memory + HEADROOM))
    config: Config = {**SANDBOX, "memory_limit": f"{memory}B", "temp_directory": folder}
    with closing(duckdb.connect(path, read_only=True, config=config)) as connection:
        for pin in (*(BLIND if blind else ()), *PINS):
            connection.execute(pin)
        for sql in statements:
            is_query = judged(connection, sql)
            yield from streamed(connection, sql, rows, cell_bytes) if rows and is_query else whole(connection, sql)
    yield ("end",)


def judged(connection: duckdb.DuckDBPyConnection, sql: str) -> bool:
    """Tell a query from the plan of one; raise for everything else."""
    statements = connection.extract_statements(sql)
    if len(statements) > 1 and PIVOT.search(
        sql
    ):  # DuckDB itself would first look for the values, by a second statement
        raise ValueError("a PIVOT must list the values that become columns: PIVOT t ON kind IN ('a', 'b') USING sum(n)")
    if len(statements) != 1:
        raise ValueError(f"exactly one statement may run at a time; this is {len(statements)}")
    kind = statements[0].type
    if kind not in (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN):
        raise PermissionError(f"a statement of type {kind.name} is not a query")
    return kind == duckdb.StatementType.SELECT


def whole(connection: duckdb.DuckDBPyConnection, sql: str) -> Iterator[tuple[Any, ...]]:
    found = connection.execute(sql)
    yield "columns", [(name, str(kind)) for name, kind, *_ in found.description or ()]
    yield "rows", found.fetchall()


def streamed(connection: duckdb.DuckDBPyConnection, sql: str, rows: int, cell_bytes: int) -> Iterator[tuple[Any, ...]]:
    """Stream a query up to one row beyond the limit, as Arrow."""
    columns = [(row[0], row[1]) for row in connection.execute(f"DESCRIBE {sql}").fetchall()]
    yield "columns", columns
    names = [f"c{n}" for n in range(len(columns))]
    listed = ", ".join(selected(kind).format(name) for name, (_, kind) in zip(names, columns, strict=True))
    cut = f"SELECT {listed} FROM (SELECT * FROM ({sql}) AS a LIMIT {rows + 1}) AS q({', '.join(names)})"
    found = connection.sql(cut).to_arrow_reader(BATCH_ROWS)
    yield "schema", found.schema.serialize().to_pybytes()
    for batch in found:
        check_sizes(batch, cell_bytes)
        yield "batch", batch.serialize().to_pybytes()


def selected(kind: str) -> str:
    """Select a column, as text where Arrow would bend it."""
    name = kind.partition("(")[0].strip()
    if kind.endswith("]") or name in NESTED:
        return "CAST(to_json({}) AS VARCHAR)"
    return "{}" if name in PLAIN else "CAST({} AS VARCHAR)"


def check_sizes(batch: pa.RecordBatch, cell_bytes: int) -> None:
    for column in batch.columns:
        if isinstance(column, pa.StringArray | pa.BinaryArray):
            size = pc.max(pc.binary_length(column)).as_py() or 0
            if size > cell_bytes:
                raise ValueError(f"a cell is too big: {size} bytes")


PIVOT = re.compile(r"\bpivot(?:_wider)?\b", re.IGNORECASE)
PLAIN = frozenset(
    "BOOLEAN TINYINT SMALLINT INTEGER BIGINT UTINYINT USMALLINT UINTEGER UBIGINT FLOAT DOUBLE VARCHAR BLOB".split()
)


if __name__ == "__main__":
    main()
