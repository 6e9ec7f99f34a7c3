"""The index in PostgreSQL: a column of stems that the database keeps by itself, and a GIN index over it.

What is found by a word is always gathered before it is put in order: the planner would otherwise walk all messages from
the newest on, and take seconds for a word that few have.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, literal_column, select

from ai.memory.search.documents import Area, Document
from ai.memory.search.scope import QUERY_BIT, THREAD_SHIFT
from ai.memory.tables import MESSAGE, QUERY, THREAD

GATHERED = 10_000  # documents with a word that are put in order; of a commoner word it is the first ones that are met


class Postgres:
    """Stems by PostgreSQL's own English dictionary. Nothing ever waits to be indexed."""

    def having(self, connection: Connection, words: str, area: Area, most: int) -> Sequence[int]:
        """The newest by thread, then by place in the thread."""
        found: list[int] = []
        if "message" in area.scope.kinds:
            rows = self._rows(connection, MESSAGE, MESSAGE.c.seq, area.messages, words, most)
            found += [row[0] << THREAD_SHIFT | row[1] for row in rows]
        if "query" in area.scope.kinds:
            rows = self._rows(connection, QUERY, QUERY.c.id, area.queries, words, most)
            found += [row[0] << THREAD_SHIFT | QUERY_BIT | row[1] for row in rows]
        return found

    def waiting(self, connection: Connection, area: Area, most: int) -> Sequence[Document]:  # noqa: ARG002
        return ()

    def is_behind(self, connection: Connection) -> bool:  # noqa: ARG002
        return False

    def catch_up(self, connection: Connection, most: int) -> int:  # noqa: ARG002
        return 0

    def purge(self, connection: Connection) -> None:
        """Nothing to do: rows that are deleted are gone from the index for every query."""

    def _rows(
        self, connection: Connection, table: Table, number: Any, inside: ColumnElement[bool], words: str, most: int
    ) -> Sequence[Any]:
        stems = literal_column(f"{table.name}.searched").op("@@")(func.phraseto_tsquery("english", words))
        thread = table.c.thread_id
        source = select(thread.label("thread_id"), number.label("number")).select_from(table).join(THREAD)
        gathered = source.where(inside, stems).limit(GATHERED).cte("gathered").prefix_with("MATERIALIZED")
        rows = select(gathered.c.thread_id, gathered.c.number)
        return connection.execute(
            rows.order_by(gathered.c.thread_id.desc(), gathered.c.number.desc()).limit(most)
        ).all()
