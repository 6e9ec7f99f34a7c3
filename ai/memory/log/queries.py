"""The queries of a thread, kept for good; the result store has the rows of its newest ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, bindparam, insert, or_, select, update

from ai.errors import NoResult
from ai.memory.log import messages as log
from ai.memory.log import threads
from ai.memory.log.database import Prepared
from ai.memory.log.tables import QUERY, THREAD
from ai.results.store import ResultStore, StoredResult
from ai.types import AnsweredQuery, AskedBack, Declined, DraftQuery, FailedQuery, Json, PastQuery, ThreadKey

Status = Literal["draft", "ok", "failed", "asked", "declined"]
HEADLINE = 60  # characters of it in a summary line
RAN = (QUERY.c.thread_id == bindparam("of_thread")) & (QUERY.c.status == "ok")
RECORD = "id turn_id source question analyst created_at".split()
WRITTEN = "sql reading meaning".split()
FOUND = "row_count truncated headline result elapsed_ms".split()
COLUMNS = *RECORD, *WRITTEN, *FOUND, "status", "detail", "reply", "options"
PAST = (
    select(THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts, *(QUERY.c[name] for name in COLUMNS))
    .select_from(QUERY)
    .join(THREAD)
)
ONE = Prepared(PAST.where(QUERY.c.id == bindparam("own_id")))
ANSWERED = Prepared(
    PAST.where(RAN, QUERY.c.turn_seq < bindparam("before"))
    .order_by(QUERY.c.turn_seq.desc(), QUERY.c.id.desc())
    .limit(bindparam("most"))
)
KNOWN = Prepared(
    select(QUERY.c.id).where(QUERY.c.turn_id == bindparam("of_turn"), QUERY.c.part == bindparam("of_part"))
)
GIVEN = *RECORD[1:], *WRITTEN, "thread_id", "part", "turn_seq", "reply", "options", "status"
SAVE = Prepared(
    insert(QUERY)
    .values({name: bindparam(name, type_=QUERY.c[name].type) for name in GIVEN})
    .values(detail="", truncated=False, headline="")
    .returning(QUERY.c.id)
)
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
class QueryOrigin:
    """The question behind a record, and its analyst. `turn_id` and `part` are unique together."""

    thread: ThreadKey
    turn_id: str
    part: str
    source: str
    question: str
    analyst: str


@dataclass(frozen=True, slots=True)
class NewQuery:
    """SQL with its reading or, without SQL, a `reply` and its `options`."""

    status: Status
    sql: str = ""
    reading: str = ""
    meaning: Json = None
    reply: str = ""
    options: Sequence[str] | None = None


def save(connection: Connection, origin: QueryOrigin, new: NewQuery) -> int:
    """Return the number of a record, the earlier one if this part of the turn is kept already."""
    known = KNOWN.all(connection, {"of_turn": origin.turn_id, "of_part": origin.part})
    if known:
        return int(known[0][0])
    thread = threads.claim(connection, origin.thread, versions=0)
    place = log.turn_seq(connection, thread, origin.turn_id)
    row = {
        "thread_id": thread.id,
        "turn_id": origin.turn_id,
        "part": origin.part,
        "turn_seq": thread.last_seq if place is None else place,
        "source": origin.source,
        "question": origin.question,
        "analyst": origin.analyst,
        "sql": new.sql,
        "reading": new.reading,
        "meaning": new.meaning,
        "reply": new.reply,
        "options": None if new.options is None else list(new.options),
        "status": new.status,
        "created_at": datetime.now(UTC),
    }
    ((query_id,),) = SAVE.all(connection, row)
    return int(query_id)


def finish(connection: Connection, query_id: int, stored: StoredResult, elapsed_ms: int, headline: str) -> None:
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
    connection.execute(update(QUERY).where(QUERY.c.id == query_id).values(status="failed", detail=detail))


def drop_bodies(connection: Connection, results: ResultStore, query_id: int, keep: int, bytes_kept: int) -> None:
    """Delete rows of the thread beyond the newest `keep` results, or `bytes_kept` in all.

    Files go first: a crash must not leave files without a name.
    """
    bodies = BODIES.all(connection, {"own_id": query_id})
    sizes = accumulate(results.size(handle) for _, handle in bodies)
    for place, ((number, handle), size) in enumerate(zip(bodies, sizes, strict=True)):
        if place >= keep or (place and size > bytes_kept):
            results.delete(handle, leftovers=False)
            connection.execute(update(QUERY).where(QUERY.c.id == number).values(result=None))


def one(connection: Connection, query_id: int) -> PastQuery | DraftQuery:
    """Raises NoResult."""
    rows = ONE.read(connection, {"own_id": query_id})
    if not rows:
        raise NoResult(f"There is no query q{query_id} any more; ask the question again.")
    return _record(rows[0])


def ran(connection: Connection, condition: ColumnElement[bool], newest: int) -> tuple[AnsweredQuery, ...]:
    """Return answered queries under a condition, newest first."""
    rows = PAST.where(QUERY.c.status == "ok", condition).order_by(QUERY.c.id.desc()).limit(newest)
    return _answered(connection.execute(rows))


def of_turn(connection: Connection, turn_id: str) -> tuple[PastQuery | DraftQuery, ...]:
    """Oldest first."""
    rows = PAST.where(QUERY.c.turn_id == turn_id).order_by(QUERY.c.id)
    return tuple(_record(row) for row in connection.execute(rows))


def answered(
    connection: Connection, key: ThreadKey, limit: int, before_turn: str | None = None
) -> tuple[AnsweredQuery, ...]:
    """Return a thread's answered queries, newest first; `before_turn` leaves out later turns."""
    thread = threads.find(connection, key)
    if thread is None:
        return ()
    place = None if before_turn is None else log.turn_seq(connection, thread, before_turn)
    values = {"of_thread": thread.id, "before": log.LATEST if place is None else place, "most": limit}
    return _answered(ANSWERED.read(connection, values))


def facts(connection: Connection, thread_id: int, first_turn: int, newest_turns: int) -> dict[str, str]:
    """Return findings by turn id, as summary lines hold them: `[q3: 49 rows]`.

    Covers the turn at place `first_turn` and those from place `newest_turns` on.
    """
    places = {"of_thread": thread_id, "place": first_turn, "onward": newest_turns}
    found: dict[str, list[str]] = {}
    for number, turn_id, row_count, headline in FACTS.all(connection, places):
        found.setdefault(turn_id, []).append(fact(number, row_count, headline))
    return {turn_id: " ".join(said) for turn_id, said in found.items()}


def fact(query_id: int, row_count: int | None, headline: str) -> str:
    """Describe one finding: `[q3: 1 row; 49]`."""
    said = [f"{row_count} row{'' if row_count == 1 else 's'}"] if row_count is not None else ["run"]
    return f"[q{query_id}: {'; '.join([*said, headline[:HEADLINE]] if headline else said)}]"


def _record(row: Sequence[Any]) -> PastQuery | DraftQuery:
    column = dict(zip(COLUMNS, row[3:], strict=True))
    record = {"thread": ThreadKey(*row[:3])} | {name: column[name] for name in RECORD}
    written = record | {name: column[name] for name in WRITTEN}
    options = tuple(column["options"] or ())
    match column["status"]:
        case "ok":
            return AnsweredQuery(**written, **{name: column[name] for name in FOUND})
        case "failed":
            return FailedQuery(**written, problem=column["detail"])
        case "asked":
            return AskedBack(**record, text=column["reply"], options=options)
        case "declined":
            return Declined(**record, reason=column["reply"], suggestions=options)
        case _:
            return DraftQuery(**written)


def _answered(rows: Iterable[Sequence[Any]]) -> tuple[AnsweredQuery, ...]:
    return tuple(record for row in rows if isinstance(record := _record(row), AnsweredQuery))
