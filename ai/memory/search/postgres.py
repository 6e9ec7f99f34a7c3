"""The index in PostgreSQL: a generated column of stems under a GIN index.

Hits are gathered before ordering: the planner would walk all messages instead.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, literal_column, select, text

from ai.memory.log.tables import MESSAGE, QUERY, THREAD
from ai.memory.search import saved
from ai.memory.search.documents import Area, Document
from ai.memory.search.scope import QUERY_BIT, THREAD_SHIFT, Kind, Scope, WorkspaceScope
from ai.memory.workspaces.tables import STATE, TRACE

GATHERED = 10_000  # documents with a word that are put in order; of a commoner word it is the first ones that are met

SAVED: tuple[tuple[Kind, Table, ColumnElement[int], int], ...] = (
    ("state", STATE, STATE.c.number, saved.STATES),
    ("trace", TRACE, TRACE.c.id, saved.TRACES),
)


class Postgres:
    def having(self, connection: Connection, words: str, area: Area, most: int) -> Sequence[int]:
        if (within := area.scope.within) is not None:
            return self._saved(connection, area.scope, within, words, most)
        found: list[int] = []
        if "message" in area.scope.kinds:
            rows = self._rows(connection, MESSAGE, MESSAGE.c.seq, area.messages, words, most)
            found += [row[0] << THREAD_SHIFT | row[1] for row in rows]
        if "query" in area.scope.kinds:
            rows = self._rows(connection, QUERY, QUERY.c.id, area.queries, words, most)
            found += [row[0] << THREAD_SHIFT | QUERY_BIT | row[1] for row in rows]
        return found

    def _saved(
        self, connection: Connection, scope: Scope, within: WorkspaceScope, words: str, most: int
    ) -> Sequence[int]:
        found: list[int] = []
        for kind, table, number, bits in SAVED:
            if kind in scope.kinds:
                inside = saved.inside(table, scope, within), _stems(table, words)
                gathered = select(number.label("number")).where(*inside).limit(GATHERED).cte("gathered")
                rows = select(gathered.prefix_with("MATERIALIZED").c.number)
                newest = connection.execute(rows.order_by(text("number DESC")).limit(most)).scalars()
                found += [bits | own for own in newest]
        return found

    def waiting(self, connection: Connection, area: Area, most: int) -> Sequence[Document]:  # noqa: ARG002
        return ()

    def is_behind(self, connection: Connection) -> bool:  # noqa: ARG002
        return False

    def catch_up(self, connection: Connection, most: int) -> int:  # noqa: ARG002
        return 0

    def purge(self, connection: Connection) -> None:
        """Do nothing: deleted rows leave the index by themselves."""

    def _rows(
        self, connection: Connection, table: Table, number: Any, inside: ColumnElement[bool], words: str, most: int
    ) -> Sequence[Any]:
        stems = _stems(table, words)
        thread = table.c.thread_id
        source = select(thread.label("thread_id"), number.label("number")).select_from(table).join(THREAD)
        gathered = source.where(inside, stems).limit(GATHERED).cte("gathered").prefix_with("MATERIALIZED")
        rows = select(gathered.c.thread_id, gathered.c.number)
        return connection.execute(
            rows.order_by(gathered.c.thread_id.desc(), gathered.c.number.desc()).limit(most)
        ).all()


def _stems(table: Table, words: str) -> ColumnElement[bool]:
    return literal_column(f"{table.name}.searched").op("@@")(func.phraseto_tsquery("english", words))
