"""DuckDB: each query in a child process with a memory limit, killed when its time is over.

DuckDB's own interrupt and memory limit do not hold for every function; the end of a process does.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, TypeAlias

from ai.errors import (
    DatathreadError,
    QueryCancelled,
    QueryEnded,
    QueryFailed,
    QueryLocked,
    QueryTimeout,
    SourceUnavailable,
    SqlRefused,
)
from ai.results.cells import Block, gathered_blocks
from ai.results.table import ResultColumn
from ai.sql.catalog import Catalog, Table
from ai.sql.dialects import path_of
from ai.sql.engines.deadline import deadline
from ai.sql.engines.duckdb import catalog as duckdb_catalog
from ai.sql.engines.duckdb.values import blocks_of
from ai.sql.engines.duckdb.worker import Gone, Worker
from ai.sql.engines.port import QueryLimits, RowStream
from ai.sql.engines.sampling import SAMPLE_SECONDS, Sample, quoted, sample_of, sample_sql, with_samples
from ai.sql.gate import Gate
from ai.stopping import NEVER, Stop

Replies: TypeAlias = Generator[tuple[Any, ...]]

AT_ONCE = 4  # processes, each of which may use the memory of the limits
IDLE = 1


class DuckDBBackend:
    def __init__(self, url: str, limits: QueryLimits) -> None:
        self.path = path_of(url)
        self.limits = limits
        self._gate = Gate(AT_ONCE)
        self._lock = Lock()
        self._idle: list[Worker] = []
        self._fingerprint = ("", "")  # the state of the file, and the fingerprint of the schema it had then

    @contextmanager
    def ask(self, sql: str, stop: Stop = NEVER) -> Iterator[RowStream[Block]]:
        with self._asked((sql,), self.limits.seconds, self.limits.rows, stop) as (columns, replies):
            yield RowStream(columns, gathered_blocks(blocks_of(columns, replies)))

    def fingerprint(self) -> str:
        state = self._state()
        with self._lock:
            known, word = self._fingerprint
        if known != state:
            word = str(self._read(duckdb_catalog.FINGERPRINT)[0])
            with self._lock:
                self._fingerprint = state, word
        return word

    def tables(self, source: str) -> Catalog:
        return duckdb_catalog.tables(source, *self._read(*duckdb_catalog.QUERIES))

    def sampled(self, catalog: Catalog) -> Catalog:
        end = monotonic() + SAMPLE_SECONDS
        stored = {name for (name,) in self._read(duckdb_catalog.STORED)[0]}

        def look(table: Table) -> Sample | None:
            left = end - monotonic()
            if table.name not in stored or left <= 0:
                return None
            try:
                sql = sample_sql(table, quoted(table.name), quoted, "VARCHAR")
                return sample_of(table, self._read(sql, seconds=left)[0])
            except (QueryFailed, QueryEnded):  # what cannot be read so, or not in time, has nothing to tell
                return None

        return with_samples(catalog, look)

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()

    def _read(self, *statements: str, seconds: float | None = None) -> list[list[Any]]:
        with self._asked(statements, seconds or self.limits.seconds, 0) as (_, replies):
            return [content for kind, content in replies if kind == "rows"]

    @contextmanager
    def _asked(
        self, statements: Sequence[str], seconds: float, rows: int, stop: Stop = NEVER
    ) -> Iterator[tuple[tuple[ResultColumn, ...], Replies]]:
        """Yield the first columns and the further replies; an unfinished process is killed."""
        path = self._file()
        with (
            self._gate.place(stop),
            self._worker() as worker,
            deadline(seconds, worker.kill) as expired,
            stop.interrupting(worker.kill),
        ):
            asked = worker.ask(
                path=str(path),
                memory=self.limits.memory,
                statements=statements,
                rows=rows,
                cell_bytes=self.limits.cell_bytes,
                blind=self.limits.blind,
            )
            with closing(self._replies(asked, expired)) as replies:
                _, columns = next(replies)
                yield tuple(ResultColumn(name, kind) for name, kind in columns), replies

    def _replies(self, asked: Iterator[tuple[Any, ...]], expired: Callable[[], bool]) -> Replies:
        try:
            for reply in asked:
                if reply[0] == "error":
                    raise self._error(*reply[1:])
                yield reply
        except Gone:
            if expired():
                raise QueryTimeout(self.limits.seconds) from None
            raise QueryFailed("DuckDB ended while it ran the query; it may need more memory than it may use") from None

    @contextmanager
    def _worker(self) -> Iterator[Worker]:
        worker = self._take()
        try:
            yield worker
        finally:
            self._put_back(worker)

    def _take(self) -> Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        try:
            return Worker()
        except Gone:
            raise SourceUnavailable("The process that runs DuckDB does not start; try again later.") from None

    def _put_back(self, worker: Worker) -> None:
        with self._lock:
            if worker.is_ready and len(self._idle) < IDLE:
                self._idle.append(worker)
                return
        worker.close()

    def _state(self) -> str:
        files = (self._file(), self.path.with_name(self.path.name + ".wal"))
        return " ".join(f"{file.stat().st_mtime_ns} {file.stat().st_size}" for file in files if file.exists())

    def _file(self) -> Path:
        if not self.path.is_file():
            raise SourceUnavailable(f"There is no database file at {self.path}; check the database URL.")
        return self.path

    def _error(self, kind: str, detail: str) -> DatathreadError:
        match kind:
            case "PermissionException" | "PermissionError":
                return SqlRefused(f"DuckDB itself refused the query: {detail}", "L7")
            case "IOException" if "lock" in detail.lower():
                return QueryLocked()
            case "InterruptException":
                return QueryCancelled()
            case "IOException":
                return SourceUnavailable(
                    f"The database file {self.path} cannot be read now ({detail}); try again later."
                )
        return QueryFailed(detail)
