"""How the memory speaks to its database: transactions, locks, column types, and statements compiled once.

Readers never wait. A writer takes SQLite's lock at its start; on PostgreSQL it locks the thread's row.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import IntEnum
from functools import cached_property
from threading import Event
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Connection,
    DateTime,
    Dialect,
    Engine,
    Integer,
    MetaData,
    Select,
    Text,
    TypeDecorator,
    UpdateBase,
    text,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from ai.errors import Corrupt
from ai.files.sqlite_errors import is_damage, kind_of

SETTLING_SECONDS = 0.5  # more than `settle` takes
DAMAGE = "The memory {!r} is damaged ({}): restore a backup, or save what reads by `datathread backup`, elsewhere."
METADATA = MetaData()
MARK, NUL = "\ue000", "\ue001"  # from Unicode's private use area
PAIR = re.compile(f"{MARK}([{MARK}{NUL}])")
NUMBER = BigInteger().with_variant(Integer, "sqlite")
Values = Mapping[str, Any]
Row = tuple[Any, ...]


class Lock(IntEnum):
    """Numbers of advisory locks in PostgreSQL, one per kind of work."""

    MIGRATING = 5_240_017  # bringing the tables up to date
    SPENDING = 5_240_018  # entering a call of a language model
    DECIDING = 5_240_019  # counting a change of the rules
    NUMBERING = 5_240_020  # giving a state its number
    SEALING = 5_240_021  # appending a receipt to the chain


TOGETHER: ContextVar[Mapping[Engine, Connection]] = ContextVar("together", default=MappingProxyType({}))


@contextmanager
def together(engine: Engine) -> Iterator[None]:
    """Make every transaction that this thread opens inside a part of one, written at the end or not at all."""
    with writing(engine):
        yield


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Open a transaction on one moment of the store."""
    if (shared := TOGETHER.get().get(engine)) is not None:
        yield shared
        return
    with _sound(engine), engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a transaction with the write lock. One opened inside is a part of it."""
    if (shared := TOGETHER.get().get(engine)) is not None:
        with shared.begin_nested():
            yield shared
        return
    with _sound(engine), engine.connect() as connection:
        connection.execution_options(writes=True)
        with connection.begin():
            token = TOGETHER.set({**TOGETHER.get(), engine: connection})
            try:
                yield connection
            finally:
                TOGETHER.reset(token)


def begin(connection: Connection) -> None:
    """Begin SQLite's transaction, with the write lock for a writing one; listens to the engine."""
    writes = connection.get_execution_options().get("writes", False)
    run(connection.connection.driver_connection, "BEGIN IMMEDIATE" if writes else "BEGIN")


def alone(connection: Connection, lock: Lock) -> None:
    """Hold a lock until the transaction ends. SQLite's writers always do."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({lock.value})"))


@contextmanager
def _sound(engine: Engine) -> Iterator[None]:
    """Raise Corrupt where SQLite cannot read its file; open a read-only one anew, as SQLite never tries to write it."""
    try:
        yield
    except DBAPIError as error:
        if kind_of(error.orig) == sqlite3.SQLITE_READONLY:
            engine.dispose()
        if is_damage(error.orig):
            raise Corrupt(DAMAGE.format(engine.url, error.orig)) from error
        raise


@contextmanager
def deriving(engine: Engine) -> Iterator[Connection]:
    """Write derived data, without waiting for the disk while SQLite's write lock is held."""
    if engine.dialect.name != "sqlite":
        with writing(engine) as connection:
            yield connection
        return
    with _sound(engine), engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        run(driver, "PRAGMA synchronous=NORMAL")  # a power cut may lose the transaction, never a part of it
        try:
            with connection.execution_options(writes=True).begin():
                yield connection
        finally:
            run(driver, "PRAGMA synchronous=FULL")


def settle(engine: Engine) -> None:
    """Move SQLite's write-ahead log into the database, if nobody has to wait."""
    if engine.dialect.name == "sqlite":
        with closing(engine.raw_connection()) as connection:
            run(connection.driver_connection, "PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def driver_of(connection: Connection) -> Any:
    """Return SQLite's own connection; None on PostgreSQL."""
    if connection.dialect.name != "sqlite":
        return None
    if not connection.in_transaction():
        connection.begin()
    return connection.connection.driver_connection


def run(driver: Any, sql: str, values: Mapping[str, Any] | None = None) -> sqlite3.Cursor:
    """Run a statement on SQLite's driver. DBAPIError as from SQLAlchemy."""
    try:
        cursor: sqlite3.Cursor = driver.execute(sql, values or {})
    except sqlite3.Error as error:
        raise DBAPIError.instance(sql, None, error, sqlite3.Error, hide_parameters=True) from error
    return cursor


def scrub(engine: Engine) -> bool:
    """Empty SQLite's write-ahead log of deleted words; return False while a reader holds it."""
    if engine.dialect.name != "sqlite":
        return True
    with closing(engine.raw_connection()) as connection:
        if _is_emptied(connection.driver_connection):
            return True
        Event().wait(SETTLING_SECONDS)  # SQLite waits for readers, but not for another connection that does the same
        return _is_emptied(connection.driver_connection)


def _is_emptied(driver: Any) -> bool:
    busy, *_ = run(driver, "PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (1,)
    return bool(busy == 0)


def _from_text(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(f"{value}+00:00")


class Utc(TypeDecorator[datetime]):
    """A moment, stored in UTC without a zone. ValueError for a naive one."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone; give moments in UTC.")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None] | None:
        """Parse in one step: every message read passes here."""
        return _from_text if dialect.name == "sqlite" else super().result_processor(dialect, coltype)


class AnyText(TypeDecorator[str]):
    """A text of any characters; a pair of private ones stands for NUL in PostgreSQL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or dialect.name == "sqlite" or not ("\x00" in value or MARK in value):
            return value
        return value.replace(MARK, MARK + MARK).replace("\x00", MARK + NUL)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:
        if value is None or dialect.name == "sqlite" or MARK not in value:
            return value
        return PAIR.sub(lambda pair: "\x00" if pair[1] == NUL else MARK, value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], str | None] | None:
        return None if dialect.name == "sqlite" else super().result_processor(dialect, coltype)


class Compiled(NamedTuple):
    """A statement for SQLite, its constants, and converters of parameters and columns."""

    sql: str
    fixed: Values
    stored: Mapping[str, Callable[[Any], Any]]
    read: Sequence[tuple[int, Callable[[Any], Any]]]


class Prepared:
    """A statement compiled once for the driver of SQLite; SQLAlchemy runs it on PostgreSQL (figures: decision 0006)."""

    def __init__(self, statement: Select[Any] | UpdateBase) -> None:
        self._statement = statement

    def all(self, connection: Connection, values: Values) -> Sequence[Row]:
        driver = driver_of(connection)
        if driver is None:
            return connection.execute(self._statement, values).all()
        return self._run(driver, values).fetchall()

    def read(self, connection: Connection, values: Values) -> Sequence[Row]:
        """Return rows with values as their columns define them."""
        rows = self.all(connection, values)
        if connection.dialect.name != "sqlite":
            return rows
        readers = self._compiled.read
        return [_read(row, readers) for row in rows]

    def do(self, connection: Connection, values: Values) -> None:
        driver = driver_of(connection)
        if driver is None:
            connection.execute(self._statement, values)
        else:
            self._run(driver, values)

    def _run(self, driver: Any, values: Values) -> sqlite3.Cursor:
        sql, fixed, stored, _ = self._compiled
        given = {**fixed, **values}
        for name, store in stored.items():
            given[name] = store(given[name])
        return run(driver, sql, given)

    @cached_property
    def _compiled(self) -> Compiled:
        dialect = sqlite.dialect(paramstyle="named")
        compiled = self._statement.compile(dialect=dialect)
        fixed = {name: value for name, value in compiled.params.items() if value is not None}
        storing = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect) for bind, name in compiled.bind_names.items()
        }
        reading = [
            column.type.dialect_impl(dialect).result_processor(dialect, None)
            for column in self._statement.exported_columns
        ]
        return Compiled(
            str(compiled),
            fixed,
            {name: store for name, store in storing.items() if store},
            [(place, read) for place, read in enumerate(reading) if read],
        )


def _read(row: Row, readers: Sequence[tuple[int, Callable[[Any], Any]]]) -> Row:
    values = list(row)
    for place, read in readers:
        values[place] = read(values[place])
    return tuple(values)


def moment(stored: Any) -> datetime:
    return datetime.fromisoformat(f"{stored}+00:00") if isinstance(stored, str) else stored
