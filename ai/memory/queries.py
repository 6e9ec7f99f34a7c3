"""The queries of a thread: what was asked, the SQL for it, what became of it, and which results are still kept.

The SQL is kept for good. Rows are in the result store, and only those of a thread's newest queries.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, insert, or_, select, update

from ai.errors import NoResult
from ai.memory import log, threads
from ai.memory.prepared import Prepared
from ai.memory.tables import QUERY, THREAD
from ai.results.store import ResultStore, StoredResult
from ai.types import Json, PastQuery, QueryStatus, ThreadKey

HEADLINE = 60  # characters of it in a summary line
RAN = (QUERY.c.thread_id == bindparam("of_thread")) & (QUERY.c.status == "ok")
FACTS = Prepared(
    select(QUERY.c.id, QUERY.c.turn_id, QUERY.c.row_count, QUERY.c.headline)
    .where(RAN, or_(QUERY.c.turn_seq == bindparam("place"), QUERY.c.turn_seq >= bindparam("onward")))
    .order_by(QUERY.c.id)
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """SQL as it was proposed for a turn. `turn_id` and `part` together make it the one it is."""

    turn_id: str
    part: str
    source: str
    question: str
    sql: str
    reading: str
    meaning: Json
    analyst: str
    status: QueryStatus


def save(connection: Connection, key: ThreadKey, proposal: Proposal) -> int:
    """Keep a proposal and give its number; that of the one that is there when this part of this turn already is."""
    mine = (QUERY.c.turn_id == proposal.turn_id) & (QUERY.c.part == proposal.part)
    known: int | None = connection.execute(select(QUERY.c.id).where(mine)).scalar()
    if known is not None:
        return known
    thread = threads.claim(connection, key, versions=0)
    place = log.turn_seq(connection, thread, proposal.turn_id)
    row = insert(QUERY).values(
        thread_id=thread.id,
        turn_id=proposal.turn_id,
        part=proposal.part,
        turn_seq=thread.last_seq if place is None else place,
        source=proposal.source,
        question=proposal.question,
        sql=proposal.sql,
        reading=proposal.reading,
        meaning=proposal.meaning,
        analyst=proposal.analyst,
        status=proposal.status,
        detail="",
        truncated=False,
        headline="",
        created_at=datetime.now(UTC),
    )
    query_id: int = connection.execute(row.returning(QUERY.c.id)).scalar_one()
    return query_id


def finish(connection: Connection, query_id: int, stored: StoredResult, elapsed_ms: int, headline: str) -> None:
    """The query ran, and its rows are stored."""
    values = {
        "status": "ok",
        "detail": "",
        "row_count": stored.row_count,
        "truncated": stored.truncated,
        "headline": headline,
        "result": stored.handle,
        "elapsed_ms": elapsed_ms,
    }
    connection.execute(update(QUERY).where(QUERY.c.id == query_id).values(**values))


def fail(connection: Connection, query_id: int, detail: str) -> None:
    """The query did not run, or not to its end."""
    connection.execute(update(QUERY).where(QUERY.c.id == query_id).values(status="failed", detail=detail))


def drop_bodies(connection: Connection, results: ResultStore, query_id: int, keep: int, bytes_kept: int) -> None:
    """Delete the rows of all but the newest `keep` queries of the thread of this one, and beyond `bytes_kept` together.

    The files go first: were they to go last, a crash in between would leave files that nothing names any more.
    """
    thread = select(QUERY.c.thread_id).where(QUERY.c.id == query_id).scalar_subquery()
    kept = QUERY.c.result.is_not(None) & (QUERY.c.thread_id == thread)
    newest_first = (QUERY.c.turn_seq.desc(), QUERY.c.id.desc())
    bodies = connection.execute(select(QUERY.c.id, QUERY.c.result).where(kept).order_by(*newest_first)).all()
    sizes = accumulate(results.size(row.result) for row in bodies)
    for place, (row, size) in enumerate(zip(bodies, sizes, strict=True)):
        if place >= keep or (place and size > bytes_kept):
            results.delete(row.result)
            connection.execute(update(QUERY).where(QUERY.c.id == row.id).values(result=None))


def one(connection: Connection, query_id: int) -> PastQuery:
    """The query of this number; NoResult when there is none."""
    row = connection.execute(_queries().where(QUERY.c.id == query_id)).one_or_none()
    if row is None:
        raise NoResult(f"There is no query q{query_id} any more; ask the question again.")
    return _past(row)


def those(connection: Connection, condition: ColumnElement[bool], newest: int) -> tuple[PastQuery, ...]:
    """The newest queries for which a condition holds, newest first, whatever became of them."""
    rows = _queries().where(condition).order_by(QUERY.c.id.desc()).limit(newest)
    return tuple(_past(row) for row in connection.execute(rows))


def of_turn(connection: Connection, turn_id: str) -> tuple[PastQuery, ...]:
    """All that was written down for a turn, oldest first: its queries, and what was told of them."""
    rows = _queries().where(QUERY.c.turn_id == turn_id).order_by(QUERY.c.id)
    return tuple(_past(row) for row in connection.execute(rows))


def answered(
    connection: Connection, key: ThreadKey, limit: int, before_turn: str | None = None
) -> tuple[PastQuery, ...]:
    """The newest queries of the thread that ran, newest first; with `before_turn` only those of earlier turns."""
    thread = threads.find(connection, key)
    if thread is None:
        return ()
    rows = _queries().where(QUERY.c.thread_id == thread.id, QUERY.c.status == "ok")
    place = None if before_turn is None else log.turn_seq(connection, thread, before_turn)
    if place is not None:
        rows = rows.where(QUERY.c.turn_seq < place)
    rows = rows.order_by(QUERY.c.turn_seq.desc(), QUERY.c.id.desc()).limit(limit)
    return tuple(_past(row) for row in connection.execute(rows))


def facts(connection: Connection, thread_id: int, first_turn: int, newest_turns: int) -> dict[str, str]:
    """What the queries of a turn, and of those from another on, found, as a summary line says it: `[q3: 49 rows]`.

    Turns are told by their places, and the facts by the ids of their turns.
    """
    places = {"of_thread": thread_id, "place": first_turn, "onward": newest_turns}
    found: dict[str, list[str]] = {}
    for number, turn_id, row_count, headline in FACTS.all(connection, places):
        found.setdefault(turn_id, []).append(fact(number, row_count, headline))
    return {turn_id: " ".join(said) for turn_id, said in found.items()}


def fact(query_id: int, row_count: int | None, headline: str) -> str:
    """What one query found."""
    said = [f"{row_count} row{'' if row_count == 1 else 's'}"] if row_count is not None else ["run"]
    return f"[q{query_id}: {'; '.join([*said, headline[:HEADLINE]] if headline else said)}]"


def _queries() -> Select[Any]:
    return select(QUERY, THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts).join(THREAD)


def _past(row: Row[Any]) -> PastQuery:
    return PastQuery(
        id=row.id,
        thread=ThreadKey(row.team, row.channel, row.thread_ts),
        turn_id=row.turn_id,
        source=row.source,
        question=row.question,
        sql=row.sql,
        reading=row.reading,
        meaning=row.meaning,
        analyst=row.analyst,
        status=row.status,
        row_count=row.row_count,
        truncated=row.truncated,
        headline=row.headline,
        result=row.result,
        elapsed_ms=row.elapsed_ms,
        created_at=row.created_at,
        problem=row.detail,
    )
