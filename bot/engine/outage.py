"""Tell a database that is away from one that refuses."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from ai.errors import SourceUnavailable

AWAY = ("08", "53", "57P")  # SQLSTATE: no connection; no resources; the server was shut down or is starting
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_outage(error: BaseException) -> bool:
    """Return whether the queue's or the memory's database was away. User databases raise our own errors instead."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or (error.orig is not None and is_outage(error.orig))
    psycopg = sys.modules.get("psycopg")
    if psycopg and isinstance(error, psycopg.OperationalError):
        return error.sqlstate is None or error.sqlstate.startswith(AWAY)
    return isinstance(error, sqlite3.OperationalError) and getattr(error, "sqlite_errorcode", 0) & 0xFF in BUSY


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
