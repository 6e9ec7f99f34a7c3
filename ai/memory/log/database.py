"""The door to the memory's database: opening it, bringing its tables up to date, reading and writing transactions.

SQLite runs in WAL mode, so readers never wait, and every commit is synced: what is acknowledged to Slack survives a power
cut. A writing transaction takes the write lock when it begins, so two processes never both believe to be next, and what
is deleted is overwritten with zeros. On PostgreSQL the row of the thread is that lock, and a reader sees one snapshot.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from enum import IntEnum
from threading import Event
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from ai.errors import ConfigError, Corrupt, SourceUnavailable
from ai.memory.migrations import REVISION

__all__ = [
    "Engine",
    "Lock",
    "alone",
    "deriving",
    "driver_of",
    "open_engine",
    "reading",
    "run",
    "scrub",
    "settle",
    "writing",
]

BUSY_SECONDS = 30
SETTLING_SECONDS = 0.5  # more than `settle` takes
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
PRIMARY = 0xFF  # the part of SQLite's codes that says what kind of error it is
RETRY_SECONDS = 0.02  # between two tries to switch a new store to WAL
PRAGMAS = ("synchronous=FULL", "foreign_keys=ON", "secure_delete=ON")
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}


class Lock(IntEnum):
    """What one transaction at a time does in a store: the numbers of PostgreSQL's advisory locks."""

    MIGRATING = 5_240_017  # bringing the tables up to date
    SPENDING = 5_240_018  # entering a call of a language model
    DECIDING = 5_240_019  # counting a change of the rules
    NUMBERING = 5_240_020  # giving a state its number


def open_engine(state_url: str) -> Engine:
    """Open the store and bring its tables up to date.

    ConfigError for a bad URL, SourceUnavailable when it is not there, Corrupt when SQLite cannot read its file.
    """
    url = _checked(state_url)
    engine = _sqlite(url) if url.get_backend_name() == "sqlite" else create_engine(url, max_overflow=-1)
    try:
        with reading(engine) as connection:
            current = _revision(connection)
        if current != REVISION:
            _upgrade(engine)
    except DBAPIError as error:
        engine.dispose()
        raise SourceUnavailable(f"STATE_URL names {url!r}, which cannot be opened ({error.orig}).") from None
    except Corrupt:
        engine.dispose()
        raise
    return engine


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees one moment of the store."""
    with _sound(engine), engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that holds the write lock from its start; all of it is kept, or nothing."""
    with _sound(engine), engine.connect() as connection:
        connection.execution_options(writes=True)
        with connection.begin():
            yield connection


def alone(connection: Connection, lock: Lock) -> None:
    """Wait for other transactions with this lock, and keep it to the end of this one. On SQLite writers always do so."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({lock.value})"))


@contextmanager
def _sound(engine: Engine) -> Iterator[None]:
    """Say that the file is damaged where SQLite cannot make sense of it: trying again helps nobody."""
    try:
        yield
    except DBAPIError as error:
        if getattr(error.orig, "sqlite_errorcode", 0) & PRIMARY in DAMAGED:
            raise Corrupt(
                f"The memory {engine.url!r} is damaged ({error.orig}); put a copy of it from before in its place."
            ) from error
        raise


@contextmanager
def deriving(engine: Engine) -> Iterator[Connection]:
    """`writing` for what can be made again from the log: SQLite does not wait for the disk with the write lock in hand.

    After a power cut such a transaction may be missing, but never a part of it.
    """
    if engine.dialect.name != "sqlite":
        with writing(engine) as connection:
            yield connection
        return
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        run(driver, "PRAGMA synchronous=NORMAL")
        try:
            with connection.execution_options(writes=True).begin():
                yield connection
        finally:
            run(driver, "PRAGMA synchronous=FULL")


def settle(engine: Engine) -> None:
    """Move what SQLite's write-ahead log holds into the database, as far as nobody has to wait for it.

    The log is then written from its start again: to write over a file takes half as long as to make it longer.
    """
    if engine.dialect.name == "sqlite":
        with closing(engine.raw_connection()) as connection:
            run(connection.driver_connection, "PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def driver_of(connection: Connection) -> Any:
    """The driver's own connection of SQLite, inside the transaction that this one is in; None on PostgreSQL."""
    if connection.dialect.name != "sqlite":
        return None
    if not connection.in_transaction():
        connection.begin()
    return connection.connection.driver_connection


def run(driver: Any, sql: str, values: Mapping[str, Any] | None = None) -> sqlite3.Cursor:
    """Run a statement on the driver of SQLite. DBAPIError as SQLAlchemy raises it."""
    try:
        cursor: sqlite3.Cursor = driver.execute(sql, values or {})
    except sqlite3.Error as error:
        raise DBAPIError.instance(sql, None, error, sqlite3.Error, hide_parameters=True) from error
    return cursor


def scrub(engine: Engine) -> bool:
    """Write the write-ahead log of SQLite into the database and empty it, so that no deleted word stands there.

    False when a reader holds it for longer than a write would wait. PostgreSQL clears its files by itself.
    """
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


def _checked(state_url: str) -> URL:
    try:
        url = make_url(state_url)
    except ArgumentError:
        raise ConfigError(f"STATE_URL is {state_url!r}: give a URL such as sqlite:///state.sqlite.") from None
    backend = url.drivername.partition("+")[0]
    if backend not in DRIVERS:
        raise ConfigError(f"STATE_URL names a {backend} database: the memory is kept in SQLite or PostgreSQL.")
    return url.set(drivername=DRIVERS[backend])


def _sqlite(url: URL) -> Engine:
    in_memory = url.database in (None, "", ":memory:")
    # Another connection to a database in memory is another database, so there must be just one.
    bounds = {"poolclass": QueuePool, "pool_size": 1, "max_overflow": 0} if in_memory else {"max_overflow": -1}
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False}, **bounds)
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin)
    return engine


def _configure(connection: Any, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # the driver's own idea of transactions lets no one begin with a lock
    _switch_to_wal(connection)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Where others switch the same new store, SQLite refuses at once, whatever time it was given to wait."""
    ends = monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or monotonic() > ends:
                raise
            Event().wait(RETRY_SECONDS)
        else:
            return


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    run(connection.connection.driver_connection, "BEGIN IMMEDIATE" if writes else "BEGIN")


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(engine: Engine) -> None:
    from ai.memory.migrations.runner import upgrade  # loads Alembic, which a store of today's shape does not need

    with writing(engine) as connection:  # two processes that start at once: the second finds the work done
        alone(connection, Lock.MIGRATING)
        upgrade(connection)
