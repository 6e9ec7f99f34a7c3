"""The index in SQLite: FTS5 without a copy of the texts, filled after the log.

`search_mark` tells how far messages are indexed; triggers note other changes in `search_backlog`.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection, bindparam, text

from ai.memory.log.database import Utc
from ai.memory.search.documents import Area, Document, read
from ai.memory.search.saved import OWN, STATES, TRACES
from ai.memory.search.scope import THREAD_SHIFT

ALWAYS = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
THREADS = 2**30
MERGED_PAGES = 16  # of a merge at a time, about a millisecond's work
PLACE = "'x' || hex(t.team || '/' || t.channel)"
UNMARKED = "SELECT id FROM message WHERE id > (SELECT message FROM search_mark)"
LAST_UNMARKED = text(f"SELECT count(*), max(id) FROM ({UNMARKED} ORDER BY id LIMIT :most)")
SAID = text(
    f"INSERT INTO search (rowid, text, place) SELECT m.thread_id << 32 | m.seq, m.content, {PLACE} "
    "FROM message m JOIN thread t ON t.id = m.thread_id "
    "WHERE m.id > (SELECT message FROM search_mark) AND m.id <= :last"
)
MARK = text("UPDATE search_mark SET message = :last")
NOTED = "FROM (SELECT docid FROM search_backlog ORDER BY docid LIMIT :most) b"
NOTED_ONES = (
    f"SELECT b.docid, m.content, {PLACE} {NOTED} "
    "JOIN message m ON m.thread_id = b.docid >> 32 AND m.seq = b.docid & 4294967295 "
    "JOIN thread t ON t.id = m.thread_id",
    f"SELECT b.docid, q.question || char(10) || q.sql, {PLACE} {NOTED} JOIN query q ON q.thread_id = b.docid >> 32 "
    "AND q.id = b.docid & 2147483647 AND b.docid & 2147483648 JOIN thread t ON t.id = q.thread_id",
    f"SELECT b.docid, s.said, 'all w' || hex(s.workspace_id) {NOTED} "
    "JOIN state s ON s.number = b.docid & 1073741823 AND b.docid >> 30 = 3",
    f"SELECT b.docid, t.said, {PLACE} || ' w' || hex(t.workspace_id) {NOTED} "
    "JOIN trace t ON t.id = b.docid & 1073741823 AND b.docid >> 30 = 2",
)
INDEX = tuple(text(f"INSERT INTO search (rowid, text, place) {each}") for each in NOTED_ONES)
ORDER = text("INSERT INTO search (search, rank) VALUES (:command, :value)")
BEHIND = text(f"SELECT 1 WHERE EXISTS ({UNMARKED}) OR EXISTS (SELECT 1 FROM search_backlog)")
DONE = text("DELETE FROM search_backlog WHERE docid IN (SELECT docid FROM search_backlog ORDER BY docid LIMIT :most)")


HAVING = "SELECT rowid FROM search WHERE search MATCH :match AND {} ORDER BY rowid DESC LIMIT :most"
INSIDE = "rowid BETWEEN :first AND :last AND (rowid >> 31) & 1 BETWEEN :least_kind AND :last_kind"
DATED = (
    "((rowid >> 31) & 1 OR EXISTS (SELECT 1 FROM message m WHERE m.thread_id = rowid >> 32 "
    "AND m.seq = rowid & 4294967295 AND m.created_at >= :since AND m.created_at < :until))"
)
WITH_WORDS = text(HAVING.format(INSIDE))
WITH_WORDS_THEN = text(HAVING.format(f"{INSIDE} AND {DATED}")).bindparams(
    bindparam("since", type_=Utc), bindparam("until", type_=Utc)
)
WAITING = text(
    "SELECT docid FROM (SELECT docid FROM search_backlog UNION ALL SELECT thread_id << 32 | seq FROM message "
    f"WHERE id IN ({UNMARKED})) WHERE {INSIDE.replace('rowid', 'docid')} ORDER BY docid DESC LIMIT :most"
)


class Fts5:
    def having(self, connection: Connection, words: str, area: Area, most: int) -> Sequence[int]:
        scope = area.scope
        asked = {"match": f'text : "{words}"{_places(area)}', "most": most, **_inside(area)}
        if scope.since is None and scope.until is None:
            return connection.execute(WITH_WORDS, asked).scalars().all()
        dates = {"since": scope.since or ALWAYS[0], "until": scope.until or ALWAYS[1]}
        return connection.execute(WITH_WORDS_THEN, asked | dates).scalars().all()

    def waiting(self, connection: Connection, area: Area, most: int) -> Sequence[Document]:
        numbers = connection.execute(WAITING, {"most": most, **_inside(area)}).scalars().all()
        return read(connection, area, numbers) if numbers else ()

    def is_behind(self, connection: Connection) -> bool:
        return connection.execute(BEHIND).first() is not None

    def catch_up(self, connection: Connection, most: int) -> int:
        """Index waiting documents, and merge a piece of the index."""
        new, last = connection.execute(LAST_UNMARKED, {"most": most}).one()
        if new:
            connection.execute(SAID, {"last": last})
            connection.execute(MARK, {"last": last})
        for work in INDEX:
            connection.execute(work, {"most": most})
        done: int = new + connection.execute(DONE, {"most": most}).rowcount
        connection.execute(ORDER, {"command": "merge", "value": MERGED_PAGES})
        return done

    def purge(self, connection: Connection) -> None:
        """Rewrite the index: deleted words stay in it until merged."""
        connection.execute(ORDER, {"command": "optimize", "value": None})


def _inside(area: Area) -> dict[str, int]:
    kinds = area.scope.kinds
    if area.scope.within is not None:
        first, last = (TRACES if "trace" in kinds else STATES), (STATES if "state" in kinds else TRACES)
        return {"first": first, "last": last + OWN, "least_kind": 1, "last_kind": 1}
    first, last = (1, THREADS) if area.thread_id is None else (area.thread_id, area.thread_id)
    return {
        "first": first << THREAD_SHIFT,
        "last": (last + 1 << THREAD_SHIFT) - 1,
        "least_kind": int("message" not in kinds),
        "last_kind": int("query" in kinds),
    }


def _places(area: Area) -> str:
    if (within := area.scope.within) is not None:
        seen = f'"all" OR "{_place(within.team, within.channel)}"'  # states are for all, traces for their channel
        return f' AND place : "w{within.workspace.encode().hex()}" AND place : ({seen})'
    if area.thread_id is not None or area.scope.channels is None:
        return ""
    places = (f'place : "{_place(*channel)}"' for channel in sorted(area.scope.channels))
    return f" AND ({' OR '.join(places)})"


def _place(team: str, channel: str) -> str:
    return f"x{f'{team}/{channel}'.encode().hex()}"
