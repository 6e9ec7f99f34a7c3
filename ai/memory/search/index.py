"""The index port: for a word, the documents that have it. One implementation per kind of database."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from typing import Protocol

from sqlalchemy import Connection, Engine

from ai.memory.search.documents import Area, Document, newest
from ai.memory.search.fts5 import Fts5
from ai.memory.search.postgres import Postgres


class Index(Protocol):
    """Knows words, as stems. It may know them a little later than they are said."""

    def having(self, connection: Connection, words: str, area: Area, most: int) -> Sequence[int]:
        """The numbers of the newest documents with these words in a row. Some may be outside the area."""

    def waiting(self, connection: Connection, area: Area, most: int) -> Sequence[Document]:
        """The newest documents of the area that are not indexed yet."""

    def is_behind(self, connection: Connection) -> bool:
        """Whether documents wait to be indexed."""

    def catch_up(self, connection: Connection, most: int) -> int:
        """Index documents that wait, and give how many that were."""

    def purge(self, connection: Connection) -> None:
        """Leave no trace of what was deleted."""


class NoIndex:
    """For a SQLite without full-text search: every document waits, and is looked through each time."""

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
    """The index that this database has."""
    if engine.dialect.name == "postgresql":
        return Postgres()
    return Fts5() if _has_fts5() else NoIndex()


@cache
def _has_fts5() -> bool:
    with closing(sqlite3.connect(":memory:")) as connection:
        return bool(connection.execute("SELECT sqlite_compileoption_used('ENABLE_FTS5')").fetchone()[0])
