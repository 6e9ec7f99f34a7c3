"""Speak to the queue's database: plain SQL on SQLite's or PostgreSQL's own driver.

A turn costs three small transactions, and SQLAlchemy cost more than they do.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from ai.errors import ConfigError, MissingExtra
from bot.engine.outage import driver_errors, is_outage

T = TypeVar("T")
Row = tuple[Any, ...]
BUSY_SECONDS = 30.0
CLAIMS = 1_146_180_003  # PostgreSQL's lock of whoever hands out turns, any number that others do not use
# On PostgreSQL whoever waited for a lock must see what the one before wrote, whatever level the server prefers.
WRITING = {True: "BEGIN IMMEDIATE", False: "BEGIN ISOLATION LEVEL READ COMMITTED"}
LOOKING = {True: "BEGIN", False: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}
KEEPALIVE = {"keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3"}


class Transaction:
    """Runs statements whose parameters are question marks."""

    def __init__(self, driver: Any, is_sqlite: bool) -> None:
        self._driver = driver
        self._is_sqlite = is_sqlite

    def all(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        rows: list[Row] = self._driver.execute(self._spelt(sql), values).fetchall()
        return rows

    def stream(self, sql: str) -> Iterator[Row]:
        yield from self._driver.execute(sql)

    def do(self, sql: str, values: Sequence[Any] = ()) -> None:
        self._driver.execute(self._spelt(sql), values)

    def each(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            self._driver.cursor().executemany(self._spelt(sql), rows)

    def has_column(self, table: str, column: str) -> bool:
        columns = "pragma_table_info(?)" if self._is_sqlite else "information_schema.columns"
        where = (
            "name = ?" if self._is_sqlite else "table_schema = current_schema() AND table_name = ? AND column_name = ?"
        )
        return bool(self.all(f"SELECT 1 FROM {columns} WHERE {where}", (table, column)))

    def _spelt(self, sql: str) -> str:
        return sql if self._is_sqlite else sql.replace("?", "%s")


class QueueDatabase:
    """Connections to one database, kept for the next transaction."""

    def __init__(self, url: sa.URL, busy_seconds: float = BUSY_SECONDS) -> None:
        self.url = url
        self._busy_seconds = busy_seconds
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self._idle: list[Any] = []
        self._is_closed = False

    def write(self, work: Callable[[Transaction], T], *, alone: bool = False) -> T:
        """Run `work` in one transaction, twice if its connection was dead. With `alone`, one at a time."""
        return self._patiently(lambda: self._transaction(work, alone=alone))

    def snapshot(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` on one moment of the database; others may change it meanwhile."""
        with self._lent() as driver:
            driver.execute(LOOKING[self.is_sqlite])
            value = work(Transaction(driver, self.is_sqlite))
            driver.execute("COMMIT")
            return value

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        return self._patiently(lambda: self._statement(sql, values))

    def has_table(self, name: str) -> bool:
        if self.is_sqlite:
            return bool(self.read("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)))
        return bool(self.read("SELECT 1 WHERE to_regclass(?) IS NOT NULL", (name,)))

    def close(self) -> None:
        self._is_closed = True
        self._drop_idle()

    def _drop_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _patiently(self, attempt: Callable[[], T]) -> T:
        had_old = bool(self._idle)
        try:
            return attempt()
        except driver_errors() as error:
            if not (had_old and is_outage(error)) or self.is_sqlite:
                raise
            self._drop_idle()  # they are from before the server went away
            return attempt()

    def _transaction(self, work: Callable[[Transaction], T], *, alone: bool) -> T:
        with self._lent() as driver:
            transaction = Transaction(driver, self.is_sqlite)
            driver.execute(WRITING[self.is_sqlite])
            if alone and not self.is_sqlite:
                transaction.all("SELECT pg_advisory_xact_lock(?)", (CLAIMS,))
            value = work(transaction)
            driver.execute("COMMIT")
            return value

    def _statement(self, sql: str, values: Sequence[Any]) -> list[Row]:
        with self._lent() as driver:
            return Transaction(driver, self.is_sqlite).all(sql, values)

    @contextmanager
    def _lent(self) -> Iterator[Any]:
        """Lend a connection; one that an error came from is closed."""
        driver, is_sound = self._take(), False
        try:
            yield driver
            is_sound = not self._is_closed
        finally:
            if is_sound:
                self._idle.append(driver)
            else:
                driver.close()

    def _take(self) -> Any:
        try:
            return self._idle.pop()
        except IndexError:
            return self._connected()

    def _connected(self) -> Any:
        if not self.is_sqlite:
            import psycopg  # only where the queue is in PostgreSQL

            return psycopg.connect(libpq(self.url), autocommit=True)
        path = self.url.database or ""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        driver = sqlite3.connect(path, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False)
        try:
            driver.execute("PRAGMA journal_mode=WAL")
            driver.execute("PRAGMA secure_delete=ON")
        except sqlite3.Error:
            driver.close()
            raise
        return driver


def understood(database_url: str) -> sa.URL:
    """Return the database URL with its driver. Raises ConfigError for other databases."""
    url = sa.make_url(database_url)
    drivers = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
    if url.get_backend_name() not in drivers:
        raise ConfigError(f"The engine cannot keep its queue in {url.drivername!r}; use sqlite:/// or postgresql://.")
    if url.get_backend_name() == "postgresql":
        try:
            import_module("psycopg")
        except ModuleNotFoundError:
            raise MissingExtra("ENGINE_URL", "postgres") from None
    return url.set(drivername=drivers[url.get_backend_name()])


def libpq(url: sa.URL) -> str:
    """Return the address as libpq reads it; a server that is gone is noticed within seconds."""
    return url.set(drivername="postgresql").update_query_dict(KEEPALIVE).render_as_string(hide_password=False)
