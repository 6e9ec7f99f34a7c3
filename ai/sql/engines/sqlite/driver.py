"""Below SQLAlchemy: the connection of Python's own SQLite driver, and names in SQL of our own."""

import sqlite3

from sqlalchemy.engine import Connection


def driver(connection: Connection) -> sqlite3.Connection:
    """The driver's connection behind one of SQLAlchemy."""
    raw = connection.connection.driver_connection
    if not isinstance(raw, sqlite3.Connection):
        raise TypeError(f"not a connection of sqlite3: {type(raw).__name__}")
    return raw


def quoted(name: str) -> str:
    """A name as it stands safely in SQL of our own."""
    return '"' + name.replace('"', '""') + '"'
