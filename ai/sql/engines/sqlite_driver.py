"""Below SQLAlchemy: the connection of Python's own SQLite driver, and a time limit on it that always holds.

Time is kept by `sqlite3_interrupt` from a timer thread and not by a progress handler: the handler needs the interpreter
lock at every call, and beside one busy thread it made a query of 0.4 s take 3 to 34 s.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Timer

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


@contextmanager
def time_limit(connection: sqlite3.Connection, seconds: float) -> Iterator[Callable[[], bool]]:
    """Interrupt what runs on the connection after so many seconds; the value says whether that has happened."""
    expired = Event()

    def stop() -> None:
        expired.set()
        connection.interrupt()

    timer = Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield expired.is_set
    finally:
        timer.cancel()
        timer.join()  # it must not interrupt a connection that is closed already
