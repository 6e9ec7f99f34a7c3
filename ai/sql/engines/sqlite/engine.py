"""SQLite: files opened read-only, statements judged again by SQLite's authorizer, sizes bounded."""

import marshal
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import islice
from typing import Any, cast

from sqlalchemy import create_engine
from sqlalchemy.engine import Connection, CursorResult, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from ai.errors import (
    DatathreadError,
    QueryCancelled,
    QueryFailed,
    QueryLocked,
    QueryTimeout,
    SourceUnavailable,
    SqlRefused,
)
from ai.results.cells import Block, gathered_rows
from ai.results.table import ResultColumn, Row
from ai.sql.catalog import Catalog
from ai.sql.dialects import path_of
from ai.sql.engines.deadline import deadline
from ai.sql.engines.port import QueryLimits, RowStream
from ai.sql.engines.sampling import quoted
from ai.sql.engines.sqlite import catalog as sqlite_catalog
from ai.sql.engines.sqlite.catalog import driver
from ai.sql.functions import allowed_functions
from ai.sql.gate import Gate
from ai.sql.grammars import grammar_of
from ai.stopping import NEVER, Stop

WITHOUT_LOG, VERSION_AT = (b"SQLite format 3\0", b"\1\1"), slice(40, 44)  # https://sqlite.org/fileformat.html, 1.3
BREATH = 50_000  # steps of SQLite's machine, a millisecond or two
PIECE_ROWS = 32  # of cells as big as they may be, so many are held at once
REPLACING = partial(str, encoding="utf-8", errors="replace")
NO_UTF8 = "Could not decode to UTF-8"
SETTINGS = ("PRAGMA query_only = ON", "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON")
BOUNDS = {
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1024 * 1024,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
INNER_TABLES = ("sqlite_", "dbstat")
STATISTICS = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'"
VIRTUAL_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage = 0"
OPERATORS = frozenset({"->", "->>", "match"})
REFUSED = ("not authorized", "is prohibited", "authorization denied")
LOCKED = ("database is locked", "table is locked")
NOT_THERE = ("unable to open database", "file is not a database", "disk i/o error", "malformed")


class SqliteBackend:
    """One SQLite file, with a new connection per query: threads never share one."""

    def __init__(self, url: str, limits: QueryLimits) -> None:
        self.path = path_of(url)
        self.limits = limits
        self._gate = Gate(max(2, os.cpu_count() or 2))  # it works on our own processors
        self.engine: Engine = create_engine("sqlite://", creator=self._connect, poolclass=NullPool)

    @contextmanager
    def ask(self, sql: str, stop: Stop = NEVER) -> Iterator[RowStream[Block]]:
        with self.engine.connect() as connection, self._guarded(connection, stop) as expired:
            with self._named_errors(expired):
                rows = connection.execution_options(no_parameters=True).exec_driver_sql(sql)
            if rows.cursor is None:
                raise QueryFailed("the statement returns no rows")
            columns = tuple(ResultColumn(str(column[0])) for column in rows.cursor.description)
            yield RowStream(columns, gathered_rows(self._pieces(rows, expired), _size_of))

    def fingerprint(self) -> str:
        version = self._version_in_header()
        if version is not None:
            return version
        with self._named_errors(), closing(self._connect()) as raw:  # asked at every turn, so without SQLAlchemy
            (version,) = raw.execute("PRAGMA schema_version").fetchone()
            return str(version)

    def _version_in_header(self) -> str | None:
        """Return the version of the schema where the header has it: in a file without a write-ahead log."""
        try:
            with open(self.path, "rb") as file:  # noqa: PTH123 - asked several times a turn, and pathlib takes as long again
                header = file.read(VERSION_AT.stop)
        except OSError:
            return None
        is_whole = header.startswith(WITHOUT_LOG[0]) and header[18:20] == WITHOUT_LOG[1]
        return str(int.from_bytes(header[VERSION_AT], "big")) if is_whole else None

    def tables(self, source: str) -> Catalog:
        with self.engine.connect() as connection, self._named_errors():
            return sqlite_catalog.tables(connection, source)

    def sampled(self, catalog: Catalog) -> Catalog:
        with self.engine.connect() as connection, self._named_errors():
            return sqlite_catalog.sampled(connection, catalog)

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _guarded(self, connection: Connection, stop: Stop) -> Iterator[Callable[[], bool]]:
        raw = driver(connection)
        _meet_virtual_tables(raw)
        raw.text_factory = str
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self.limits.cell_bytes)
        raw.set_authorizer(_allows)
        try:
            with (
                self._gate.place(stop) as turnstile,
                deadline(self.limits.seconds, raw.interrupt) as expired,
                stop.interrupting(raw.interrupt),
            ):
                raw.set_progress_handler(lambda: turnstile.breathe(lambda: expired() or stop.is_called), BREATH)
                yield expired
        finally:
            raw.set_progress_handler(None, 0)
            raw.set_authorizer(None)

    def _pieces(self, rows: CursorResult[Any], expired: Callable[[], bool]) -> Iterator[list[Row]]:
        cursor = cast(sqlite3.Cursor, rows.cursor)
        with self._named_errors(expired):
            while piece := _piece(cursor):
                yield piece

    @contextmanager
    def _named_errors(self, expired: Callable[[], bool] = bool) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            if expired():
                raise QueryTimeout(self.limits.seconds) from error
            raise self._named(str(getattr(error, "orig", error))) from error

    def _named(self, detail: str) -> DatathreadError:
        if any(phrase in detail.lower() for phrase in REFUSED):
            return SqlRefused(f"SQLite itself refused the query: {detail}.", "L5")
        if "not a database" in detail.lower():
            return SourceUnavailable(f"{self.path} is no SQLite database; correct DATABASE_URL, or the source's url.")
        if any(phrase in detail.lower() for phrase in NOT_THERE):
            return SourceUnavailable(f"The database file {self.path} cannot be read now ({detail}); try again later.")
        if any(phrase in detail.lower() for phrase in LOCKED):
            return QueryLocked()
        return QueryCancelled() if detail == "interrupted" else QueryFailed(detail)

    def _connect(self) -> sqlite3.Connection:
        if not self.path.is_file():
            raise SourceUnavailable(f"There is no database file at {self.path}; check the database URL.")
        raw = sqlite3.connect(
            f"{self.path.as_uri()}?mode=ro",
            uri=True,
            timeout=self.limits.lock_seconds,
            isolation_level=None,
            check_same_thread=False,
        )
        raw.text_factory = REPLACING
        for bound, value in BOUNDS.items():
            raw.setlimit(bound, value)
        for setting in SETTINGS:
            raw.execute(setting)
        if self.limits.blind:
            make_blind(raw)
        return raw


def make_blind(raw: sqlite3.Connection) -> None:
    """Keep the planner from choosing by statistics of hidden rows whether a join makes an index."""
    if raw.execute(STATISTICS).fetchone():
        raw.execute("PRAGMA automatic_index = OFF")


def _piece(cursor: sqlite3.Cursor) -> list[Row]:
    """Fetch the next rows, replacing bytes that are not UTF-8 from the first such text on."""
    piece: list[Row] = []
    try:
        piece.extend(islice(cursor, PIECE_ROWS))
    except sqlite3.OperationalError as error:  # the cursor has not moved past the row, and `piece` holds those before
        if NO_UTF8 not in str(error) or cursor.connection.text_factory is not str:
            raise
        cursor.connection.text_factory = REPLACING
        piece.extend(islice(cursor, PIECE_ROWS - len(piece)))
    return piece


def _size_of(rows: Sequence[Row]) -> int:
    return len(marshal.dumps(tuple(rows), 2))


def _meet_virtual_tables(raw: sqlite3.Connection) -> None:
    """Let virtual tables declare their columns now: to the authorizer it looks like a write."""
    with suppress(sqlite3.Error):  # what is wrong with the file, the query itself will say
        stored = [name for (name,) in raw.execute(VIRTUAL_TABLES)]
        for name in (*grammar_of("sqlite").table_functions, *stored):
            with suppress(sqlite3.Error):
                raw.execute(f"EXPLAIN SELECT 1 FROM {quoted(name)}").close()


def _allows(action: int, first: str | None, second: str | None, _schema: str | None, _inside: str | None) -> int:
    match action:
        case sqlite3.SQLITE_SELECT | sqlite3.SQLITE_RECURSIVE:
            allowed = True
        case sqlite3.SQLITE_READ:
            allowed = not (first or "").lower().startswith(INNER_TABLES)
        case sqlite3.SQLITE_FUNCTION:
            name = (second or "").lower()
            allowed = name in OPERATORS or name in allowed_functions("sqlite")
        case sqlite3.SQLITE_PRAGMA:
            allowed = first == "data_version" and second is None  # full-text tables ask it
        case _:
            allowed = False
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
