"""The only door to a user's database: it runs what the guard has checked, and nothing else, within limits.

Rows come as a stream of batches sized by bytes, so memory stays flat whatever a query returns. It judges no SQL and keeps
no result.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock, Thread
from time import monotonic

from ai.errors import ConfigError, DatathreadError, QueryFailed
from ai.results.measure import size_of
from ai.results.table import ResultColumn, Row
from ai.sql.catalog import Catalog
from ai.sql.dialects import Dialect, dialect_of, parse_url
from ai.sql.engines.duckdb import DuckDBBackend
from ai.sql.engines.mysql import MySQLBackend
from ai.sql.engines.port import Backend, QueryLimits
from ai.sql.engines.postgres import PostgresBackend
from ai.sql.engines.sqlite import SqliteBackend
from ai.sql.guard import Checked, check
from ai.sql.rights import EVERYTHING, Rights, visible

__all__ = ["Database", "QueryLimits", "RowStream"]

BACKENDS: dict[str, Callable[[str, QueryLimits], Backend]] = {
    "sqlite": SqliteBackend,
    "postgres": PostgresBackend,
    "mysql": MySQLBackend,
    "duckdb": DuckDBBackend,
}
BATCH_ROWS = 5_000
BATCH_BYTES = 1024 * 1024
MAX_AGE = 3600.0  # seconds after which the words of columns and the row counts are looked up again
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RowStream:
    """The columns of a running query and its rows in batches.

    At most one row more than the limit comes, so that whoever keeps the rows can tell that there were more.
    """

    columns: tuple[ResultColumn, ...]
    batches: Iterator[list[Row]]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A catalogue, the fingerprint that its schema had, and when it was read."""

    fingerprint: str
    catalog: Catalog
    read_at: float


class Database:
    """One user database, safe to use from many threads at once."""

    def __init__(
        self,
        name: str,
        url: str,
        *,
        limits: QueryLimits | None = None,
        rights: Rights = EVERYTHING,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Connects to nothing yet; `ConfigError` when the URL is none of ours."""
        self.name = name
        self.dialect: Dialect = dialect_of(url)
        self.limits = limits or QueryLimits()
        if self.dialect.name not in BACKENDS:
            raise ConfigError(f"{self.dialect.label} databases cannot be opened here.")
        self._backend = BACKENDS[self.dialect.name](url, self.limits)
        self._rights = replace(rights, schema=rights.schema or _own_schema(url, self.dialect))
        self._clock = clock
        self._lock = Lock()
        self._renewing = Lock()
        self._seen: _Seen | None = None

    def catalog(self) -> Catalog:
        """What may be read of the database: looked up once, and again when its schema has changed."""
        return visible(self._whole(), self._rights)

    def check(self, sql: str) -> Checked:
        """Let a query through that reads what may be read here; `SqlRefused` when it does not."""
        return check(sql, self._whole(), self._rights)

    def _whole(self) -> Catalog:
        """All that the database holds.

        A catalogue older than `MAX_AGE` is given as it is, and read anew in the background.
        """
        with self._lock:
            fingerprint = self._backend.fingerprint()
            if self._seen is None or self._seen.fingerprint != fingerprint:
                self._seen = self._read(fingerprint)
            elif self._clock() - self._seen.read_at > MAX_AGE and not self._renewing.locked():
                Thread(target=self._renew, name=f"catalogue of {self.name}", daemon=True).start()
            return self._seen.catalog

    def refresh(self) -> Catalog:
        """The catalogue read anew, with the words that its columns hold by now."""
        with self._lock:
            self._seen = None
        return self.catalog()

    def ping(self) -> None:
        """Return when the database can be read; `SourceUnavailable` when not."""
        self._backend.fingerprint()

    @contextmanager
    def run(self, checked: Checked) -> Iterator[RowStream]:
        """Run a query that the guard let through; the rows are to be taken inside the `with` block.

        `QueryTimeout`, `QueryFailed`, `SourceUnavailable`, or `SqlRefused` when the engine itself refuses; while
        iterating too.
        """
        with self._backend.ask(checked.sql) as answer:
            yield RowStream(answer.columns, _batched(answer.rows, self.limits))

    def close(self) -> None:
        """Let go of idle connections."""
        self._backend.close()

    def _read(self, fingerprint: str) -> _Seen:
        tables = self._backend.tables(self.name)
        return _Seen(fingerprint, self._backend.sampled(tables), self._clock())

    def _renew(self) -> None:
        if not self._renewing.acquire(blocking=False):
            return
        try:
            self._seen = self._read(self._backend.fingerprint())
        except DatathreadError as error:  # the old one stays; the next question tries again
            log.warning("the catalogue of %s could not be read anew: %s", self.name, error)
        finally:
            self._renewing.release()


def _own_schema(url: str, dialect: Dialect) -> str:
    """MySQL's databases are its schemas: the one in the URL is what names without a schema mean."""
    return parse_url(url).database or "" if dialect.name == "mysql" else ""


def _batched(rows: Iterable[Row], limits: QueryLimits) -> Iterator[list[Row]]:
    """Rows until one more than the limit, or until the bytes are used up; a batch is full by rows or by bytes."""
    batch: list[Row] = []
    size = total = 0
    for count, row in enumerate(rows, 1):
        batch.append(row)
        size += _size(row, limits.cell_bytes)
        enough = count > limits.rows or total + size > limits.bytes
        if enough or len(batch) >= BATCH_ROWS or size >= BATCH_BYTES:
            yield batch
            total, size, batch = total + size, 0, []
        if enough:
            return
    if batch:
        yield batch


def _size(row: Row, cell_bytes: int) -> int:
    """Bytes that the cells of a row take in memory, as `ai.results.measure` counts them; QueryFailed for a giant."""
    size = size_of((row,))
    if size > cell_bytes and any(isinstance(cell, str | bytes) and len(cell) > cell_bytes for cell in row):
        raise QueryFailed(f"a cell is too big: more than {cell_bytes} bytes")
    return size
