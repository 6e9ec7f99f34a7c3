"""The queries of a thread: what was asked, the SQL for it, what became of it, and which results are still kept.

The SQL is kept for good. Rows are in the result store, and only those of a thread's newest queries.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, insert, or_, select, update

from ai.errors import NoResult
from ai.memory.log import messages as log
from ai.memory.log import threads
from ai.memory.log.database import Prepared
from ai.memory.log.tables import QUERY, THREAD
from ai.results.store import ResultStore, StoredResult
from ai.types import Json, PastQuery, QueryStatus, ThreadKey

HEADLINE = 60  # characters of it in a summary line
RAN = (QUERY.c.thread_id == bindparam("of_thread")) & (QUERY.c.status == "ok")
FIELDS = {  # of a past query, and where they stand
    "id": QUERY.c.id,
    "turn_id": QUERY.c.turn_id,
    "source": QUERY.c.source,
    "question": QUERY.c.question,
    "sql": QUERY.c.sql,
    "reading": QUERY.c.reading,
    "meaning": QUERY.c.meaning,
    "analyst": QUERY.c.analyst,
    "status": QUERY.c.status,
    "row_count": QUERY.c.row_count,
    "truncated": QUERY.c.truncated,
    "headline": QUERY.c.headline,
    "result": QUERY.c.result,
    "elapsed_ms": QUERY.c.elapsed_ms,
    "created_at": QUERY.c.created_at,
    "problem": QUERY.c.detail,
}
PAST = select(THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts, *FIELDS.values()).select_from(QUERY).join(THREAD)
ONE = Prepared(PAST.where(QUERY.c.id == bindparam("own_id")))
ANSWERED = Prepared(
    PAST.where(RAN, QUERY.c.turn_seq < bindparam("before"))
    .order_by(QUERY.c.turn_seq.desc(), QUERY.c.id.desc())
    .limit(bindparam("most"))
)
KNOWN = Prepared(
    select(QUERY.c.id).where(QUERY.c.turn_id == bindparam("of_turn"), QUERY.c.part == bindparam("of_part"))
)
GIVEN = "thread_id turn_id part turn_seq source question sql reading meaning analyst status created_at".split()
SAVE = Prepared(
    insert(QUERY)
    .values({name: bindparam(name, type_=QUERY.c[name].type) for name in GIVEN})
    .values(detail="", truncated=False, headline="")
    .returning(QUERY.c.id)
)
FOUND = "row_count truncated headline result elapsed_ms".split()
FINISH = Prepared(
    update(QUERY)
    .where(QUERY.c.id == bindparam("own_id"))
    .values({name: bindparam(f"found_{name}", type_=QUERY.c[name].type) for name in FOUND})
    .values(status="ok", detail="")
)
BODIES = Prepared(
    select(QUERY.c.id, QUERY.c.result)
    .where(
        QUERY.c.result.is_not(None),
        QUERY.c.thread_id == select(QUERY.c.thread_id).where(QUERY.c.id == bindparam("own_id")).scalar_subquery(),
    )
    .order_by(QUERY.c.turn_seq.desc(), QUERY.c.id.desc())
)
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
    known = KNOWN.all(connection, {"of_turn": proposal.turn_id, "of_part": proposal.part})
    if known:
        return int(known[0][0])
    thread = threads.claim(connection, key, versions=0)
    place = log.turn_seq(connection, thread, proposal.turn_id)
    row = {
        "thread_id": thread.id,
        "turn_id": proposal.turn_id,
        "part": proposal.part,
        "turn_seq": thread.last_seq if place is None else place,
        "source": proposal.source,
        "question": proposal.question,
        "sql": proposal.sql,
        "reading": proposal.reading,
        "meaning": proposal.meaning,
        "analyst": proposal.analyst,
        "status": proposal.status,
        "created_at": datetime.now(UTC),
    }
    ((query_id,),) = SAVE.all(connection, row)
    return int(query_id)


def finish(connection: Connection, query_id: int, stored: StoredResult, elapsed_ms: int, headline: str) -> None:
    """The query ran, and its rows are stored."""
    values = {
        "own_id": query_id,
        "found_row_count": stored.row_count,
        "found_truncated": stored.truncated,
        "found_headline": headline,
        "found_result": stored.handle,
        "found_elapsed_ms": elapsed_ms,
    }
    FINISH.do(connection, values)


def fail(connection: Connection, query_id: int, detail: str) -> None:
    """The query did not run, or not to its end."""
    connection.execute(update(QUERY).where(QUERY.c.id == query_id).values(status="failed", detail=detail))


def drop_bodies(connection: Connection, results: ResultStore, query_id: int, keep: int, bytes_kept: int) -> None:
    """Delete the rows of all but the newest `keep` queries of the thread of this one, and beyond `bytes_kept` together.

    The files go first: were they to go last, a crash in between would leave files that nothing names any more.
    """
    bodies = BODIES.all(connection, {"own_id": query_id})
    sizes = accumulate(results.size(handle) for _, handle in bodies)
    for place, ((number, handle), size) in enumerate(zip(bodies, sizes, strict=True)):
        if place >= keep or (place and size > bytes_kept):
            results.delete(handle)
            connection.execute(update(QUERY).where(QUERY.c.id == number).values(result=None))


def one(connection: Connection, query_id: int) -> PastQuery:
    """The query of this number; NoResult when there is none."""
    rows = ONE.read(connection, {"own_id": query_id})
    if not rows:
        raise NoResult(f"There is no query q{query_id} any more; ask the question again.")
    return _past(rows[0])


def those(connection: Connection, condition: ColumnElement[bool], newest: int) -> tuple[PastQuery, ...]:
    """The newest queries for which a condition holds, newest first, whatever became of them."""
    rows = PAST.where(condition).order_by(QUERY.c.id.desc()).limit(newest)
    return tuple(_past(row) for row in connection.execute(rows))


def of_turn(connection: Connection, turn_id: str) -> tuple[PastQuery, ...]:
    """All that was written down for a turn, oldest first: its queries, and what was told of them."""
    rows = PAST.where(QUERY.c.turn_id == turn_id).order_by(QUERY.c.id)
    return tuple(_past(row) for row in connection.execute(rows))


def answered(
    connection: Connection, key: ThreadKey, limit: int, before_turn: str | None = None
) -> tuple[PastQuery, ...]:
    """The newest queries of the thread that ran, newest first; with `before_turn` only those of earlier turns."""
    thread = threads.find(connection, key)
    if thread is None:
        return ()
    place = None if before_turn is None else log.turn_seq(connection, thread, before_turn)
    values = {"of_thread": thread.id, "before": log.LATEST if place is None else place, "most": limit}
    return tuple(_past(row) for row in ANSWERED.read(connection, values))


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


def _past(row: Sequence[Any]) -> PastQuery:
    team, channel, thread_ts, *values = row
    return PastQuery(thread=ThreadKey(team, channel, thread_ts), **dict(zip(FIELDS, values, strict=True)))
