"""Tells a database that is away for a moment from one that refuses what it is asked.

Owns the one judgement behind putting a turn off: what is only away comes back, and the turn goes on then.
"""

import sqlite3

import psycopg
from sqlalchemy.exc import DBAPIError

AWAY = ("08", "53", "57P")  # SQLSTATE: no connection; no resources; the server was shut down or is starting
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_outage(error: BaseException) -> bool:
    """Whether the queue's or the memory's own database was away. The users' databases raise our errors instead."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or (error.orig is not None and is_outage(error.orig))
    if isinstance(error, psycopg.OperationalError):
        return error.sqlstate is None or error.sqlstate.startswith(AWAY)
    return isinstance(error, sqlite3.OperationalError) and getattr(error, "sqlite_errorcode", 0) & 0xFF in BUSY
