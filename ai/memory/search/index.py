"""The index port: the documents of a word."""

import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from threading import Event, Thread
from typing import Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from ai.memory.search.documents import Area, Document, newest
from ai.memory.search.fts5 import Fts5
from ai.memory.search.postgres import Postgres

IDLE_SECONDS = 0.5
LONGEST_IDLE_SECONDS = 8.0  # what is not indexed yet is found by reading it
BREATH_SECONDS = 0.25  # between two transactions: the write lock is free for appends for 99 % of the time
log = logging.getLogger(__name__)


class Index(Protocol):
    """Knows words as stems, maybe a little later than said."""

    def having(self, connection: Connection, words: str, area: Area, most: int) -> Sequence[int]:
        """Return the newest documents with these words in a row, some maybe outside the area."""

    def waiting(self, connection: Connection, area: Area, most: int) -> Sequence[Document]: ...

    def is_behind(self, connection: Connection) -> bool: ...

    def catch_up(self, connection: Connection, most: int) -> int: ...

    def purge(self, connection: Connection) -> None: ...


class NoIndex:
    """For a SQLite without full-text search: every document is looked through."""

    def having(self, connection: Connection, words: str, area: Area, most: int) -> Sequence[int]:  # noqa: ARG002
        return ()

    def waiting(self, connection: Connection, area: Area, most: int) -> Sequence[Document]:
        return newest(connection, area, most)

    def is_behind(self, connection: Connection) -> bool:  # noqa: ARG002
        return False

    def catch_up(self, connection: Connection, most: int) -> int:  # noqa: ARG002
        return 0

    def purge(self, connection: Connection) -> None:  # noqa: ARG002
        return


def index_of(engine: Engine) -> Index:
    if engine.dialect.name == "postgresql":
        return Postgres()
    return Fts5() if _has_fts5() else NoIndex()


@contextmanager
def repeating(step: Callable[[], int]) -> Iterator[None]:
    """Repeat a step in a thread, at once after work, else after a pause."""
    stopped = Event()

    def repeat() -> None:
        pause = 0.0
        while not stopped.wait(pause):
            try:
                pause = BREATH_SECONDS if step() else min(max(2 * pause, IDLE_SECONDS), LONGEST_IDLE_SECONDS)
            except DBAPIError as error:
                # Another process holds the store: the documents wait, and are found all the same.
                log.warning("the index of the memory is not kept up at the moment (%s)", type(error.orig).__name__)
                pause = IDLE_SECONDS

    thread = Thread(target=repeat, name="search-index", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


@cache
def _has_fts5() -> bool:
    with closing(sqlite3.connect(":memory:")) as connection:
        return bool(connection.execute("SELECT sqlite_compileoption_used('ENABLE_FTS5')").fetchone()[0])
