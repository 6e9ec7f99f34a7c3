"""The only door to a user's database: it runs what the guard has checked, and nothing else, within limits.

Rows come as a stream of batches sized by bytes, so memory stays flat whatever a query returns. It judges no SQL and keeps
no result.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

from sqlalchemy.engine import Connection, CursorResult
from sqlalchemy.exc import DBAPIError

from ai.errors import QueryFailed, QueryTimeout
from ai.results.measure import size_of
from ai.results.table import ResultColumn, Row
from ai.sql.catalog import Catalog
from ai.sql.dialects import Dialect, dialect_of
from ai.sql.engines.port import Backend, QueryLimits
from ai.sql.engines.sqlite import SqliteBackend
from ai.sql.guard import Checked

__all__ = ["Database", "QueryLimits", "RowStream"]

BACKENDS: dict[str, Callable[[str, QueryLimits], Backend]] = {"sqlite": SqliteBackend}
BATCH_ROWS = 5_000
BATCH_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class RowStream:
    """The columns of a running query and its rows in batches.

    At most one row more than the limit comes, so that whoever keeps the rows can tell that there were more.
    """

    columns: tuple[ResultColumn, ...]
    batches: Iterator[list[Row]]


class Database:
    """One user database, safe to use from many threads at once."""

    def __init__(self, name: str, url: str, *, limits: QueryLimits | None = None) -> None:
        """Connects to nothing yet; `ConfigError` when the URL is none of ours."""
        self.name = name
        self.dialect: Dialect = dialect_of(url)
        self.limits = limits or QueryLimits()
        self._backend = BACKENDS[self.dialect.name](url, self.limits)
        self._lock = Lock()
        self._seen: tuple[str, Catalog] | None = None

    def catalog(self) -> Catalog:
        """What the database holds; read once, and again when its schema has changed."""
        with self._connect() as connection, self._named_errors(), self._lock:
            fingerprint = self._backend.fingerprint(connection)
            if self._seen is None or self._seen[0] != fingerprint:
                self._seen = fingerprint, self._backend.catalog(connection, self.name)
            return self._seen[1]

    def refresh(self) -> Catalog:
        """The catalogue read anew, with the words that its columns hold by now."""
        with self._lock:
            self._seen = None
        return self.catalog()

    def ping(self) -> None:
        """Return when the database can be read; `SourceUnavailable` when not."""
        with self._connect() as connection, self._named_errors():
            self._backend.fingerprint(connection)

    @contextmanager
    def run(self, checked: Checked) -> Iterator[RowStream]:
        """Run a query that the guard let through; the rows are to be taken inside the `with` block.

        `QueryTimeout`, `QueryFailed`, `SourceUnavailable`, or `SqlRefused` when the engine itself refuses; while
        iterating too.
        """
        with self._connect() as connection, self._backend.guarded(connection) as expired:
            with self._named_errors(expired):
                rows = connection.execution_options(no_parameters=True).exec_driver_sql(checked.sql)
            yield RowStream(_columns(rows), self._batches(rows, expired))

    def close(self) -> None:
        """Let go of idle connections."""
        self._backend.engine.dispose()

    def _connect(self) -> Connection:
        with self._named_errors():
            return self._backend.engine.connect()

    def _batches(self, rows: CursorResult[Any], expired: Callable[[], bool]) -> Iterator[list[Row]]:
        with self._named_errors(expired):
            yield from _batched(rows, self.limits)

    @contextmanager
    def _named_errors(self, expired: Callable[[], bool] = bool) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            if expired():
                raise QueryTimeout(self.limits.seconds) from error
            raise self._backend.name_error(error) from error


def _columns(rows: CursorResult[Any]) -> tuple[ResultColumn, ...]:
    if rows.cursor is None:
        raise QueryFailed("the statement returns no rows")
    return tuple(ResultColumn(str(column[0])) for column in rows.cursor.description)


def _batched(rows: CursorResult[Any], limits: QueryLimits) -> Iterator[list[Row]]:
    """Rows until one more than the limit, or until the bytes are used up; a batch is full by rows or by bytes."""
    batch: list[Row] = []
    size = total = 0
    for count, fetched in enumerate(rows, 1):
        row = tuple(fetched)
        batch.append(row)
        size += size_of((row,))
        enough = count > limits.rows or total + size > limits.bytes
        if enough or len(batch) >= BATCH_ROWS or size >= BATCH_BYTES:
            yield batch
            total, size, batch = total + size, 0, []
        if enough:
            return
    if batch:
        yield batch
