"""Tell a database that is away from one that refuses."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ai.errors import SourceUnavailable

AWAY = ("08", "53", "57P", "58", "25006")  # SQLSTATE: no connection; no resources; shut down; I/O; read-only
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
NO_DISK = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)


def is_outage(error: BaseException) -> bool:
    """Return whether the queue's or the memory's database was away, or the disk full or read-only.

    User databases raise our own errors instead.
    """
    if isinstance(error, PoolTimeout):
        return True
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or (error.orig is not None and is_outage(error.orig))
    if isinstance(error, psycopg.Error):
        code = error.sqlstate
        return isinstance(error, psycopg.OperationalError) if code is None else code.startswith(AWAY)
    if isinstance(error, sqlite3.OperationalError):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in (*BUSY, *NO_DISK)
    return isinstance(error, OSError) and error.errno in NO_ROOM


@contextmanager
def despite_outage() -> Iterator[None]:
    """Leave out what cannot be written now."""
    try:
        yield
    except (DBAPIError, PoolTimeout, OSError) as error:
        if not is_outage(error):
            raise


@contextmanager
def reaching(url: sa.URL) -> Iterator[None]:
    """Open the queue's database inside the block. Raises SourceUnavailable."""
    try:
        yield
    except DBAPIError as error:
        reason = str(error.orig).partition("\n")[0]
        raise SourceUnavailable(f"ENGINE_URL names {str(url)!r}, which cannot be opened ({reason}).") from None
