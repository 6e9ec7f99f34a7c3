"""Load the catalogue of 1,000 tables of 20 columns, beside one engine query for all columns; at most twice its time."""

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import duckdb
from _pytest.outcomes import Skipped
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from ai.sql.dialects import dialect_of, normal_url
from ai.sql.engines import QueryLimits, open_backend
from benchmarks.report.rows import Row
from tests.databases import Databases, databases

BULK = {
    "sqlite": """SELECT item.name, info.name, info.type, info."notnull", info.pk
                 FROM sqlite_schema AS item, pragma_table_xinfo(item.name) AS info WHERE item.type = 'table'""",
    "postgres": """SELECT table_name, column_name, data_type, is_nullable, ordinal_position
                   FROM information_schema.columns WHERE table_schema = 'public'""",
    "mysql": """SELECT table_name, column_name, column_type, is_nullable, ordinal_position
                FROM information_schema.columns WHERE table_schema = DATABASE()""",
    "duckdb": "SELECT table_name, column_name, data_type, is_nullable, column_index FROM duckdb_columns()",
}


def script(tables: int, columns: int) -> str:
    listed = ", ".join(f"c{n} {'VARCHAR(20)' if n % 2 else 'INTEGER'}" for n in range(1, columns))
    return "".join(f"CREATE TABLE t{n} (id INTEGER PRIMARY KEY, {listed});\n" for n in range(tables))


def best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        begun = perf_counter()
        work()
        times.append(perf_counter() - begun)
    return min(times)


def rows_of(url: str, sql: str) -> int:
    if url.startswith("duckdb:"):
        with closing(duckdb.connect(url.removeprefix("duckdb:///"), read_only=True)) as connection:
            return len(connection.execute(sql).fetchall())
    engine = create_engine(normal_url(url), poolclass=NullPool)
    with engine.connect() as session:
        return len(session.exec_driver_sql(sql).fetchall())


def measured(made: Databases, kind: str, folder: Path, tables: int) -> Iterator[Row]:
    url = made.make(kind, folder, script(tables, 20))
    if rows_of(url, BULK[kind]) < tables * 20:
        raise AssertionError(f"{kind} does not list all columns")
    with closing(open_backend(dialect_of(url), url, QueryLimits())) as backend:
        one, whole = best(lambda: rows_of(url, BULK[kind])), best(lambda: backend.tables("bench"))
        unchanged = best(backend.fingerprint)
    limit = 2 * one + 0.05  # what a query costs at least on a busy machine
    yield Row(f"{kind}: all tables", whole, "s", {"one query": one}, limit)
    yield Row(f"{kind}: is it unchanged?", unchanged, "s", {"one query": one})


def rows(tables: int) -> Iterator[Row]:
    with databases() as made, TemporaryDirectory(prefix="datathread-bench-") as folder:
        for kind in BULK:
            with suppress(Skipped):  # a server that is not installed
                yield from measured(made, kind, Path(folder), tables)
