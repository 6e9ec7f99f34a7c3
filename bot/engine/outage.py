"""Tell a database that is away from one that refuses."""

import errno
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ai.errors import RowsAway, SourceUnavailable
from ai.files.sqlite_errors import kind_of

AWAY = ("08", "53", "57P", "58", "25006")  # SQLSTATE: no connection; no resources; shut down; I/O; read-only
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
NO_DISK = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)


def is_outage(error: BaseException) -> bool:
    """Whether the queue's or the memory's database or the kept rows were away, or the disk full or read-only.

    User databases raise our own errors instead.
    """
    if isinstance(error, PoolTimeout | RowsAway):
        return True
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or (error.orig is not None and is_outage(error.orig))
    psycopg = sys.modules.get("psycopg")
    if psycopg and isinstance(error, psycopg.Error):
        code = error.sqlstate
        return isinstance(error, psycopg.OperationalError) if code is None else code.startswith(AWAY)
    if isinstance(error, sqlite3.OperationalError):
        return kind_of(error) in (*BUSY, *NO_DISK)
    return isinstance(error, OSError) and error.errno in NO_ROOM


@contextmanager
def despite_outage() -> Iterator[None]:
    """Leave out what cannot be written now."""
    try:
        yield
    except (DBAPIError, PoolTimeout, OSError) as error:
        if not is_outage(error):
            raise


def driver_errors() -> tuple[type[Exception], ...]:
    """Return the errors of the drivers in use; one that is not loaded raises nothing."""
    psycopg = sys.modules.get("psycopg")
    return (DBAPIError, sqlite3.Error, *([psycopg.Error] if psycopg else []))


@contextmanager
def reaching(url: sa.URL) -> Iterator[None]:
    """Open the queue's database inside the block. Raises SourceUnavailable."""
    try:
        yield
    except driver_errors() as error:
        reason = str(error.orig if isinstance(error, DBAPIError) else error).partition("\n")[0]
        raise SourceUnavailable(f"ENGINE_URL names {str(url)!r}, which cannot be opened ({reason}).") from None
