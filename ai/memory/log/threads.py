"""The rows of threads: counters, and the lock for the next sequence number."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, exists, func, insert, literal_column, select, update
from sqlalchemy.exc import IntegrityError

from ai.memory.log.database import Prepared
from ai.memory.log.tables import AUTOMATIC, INSET, MESSAGE, SEGMENT, THREAD
from ai.types import ThreadKey

LONG_AGO = 1_760_000_000  # seconds; keeps versions small
# SQLAlchemy leaves names of tables out of RETURNING, and `inset` has an id too.
OWN_ID: ColumnElement[int] = literal_column("thread.id")
KEPT = (
    THREAD.c.id,
    THREAD.c.last_seq,
    THREAD.c.tokens,
    THREAD.c.cleared_seq,
    THREAD.c.version,
    THREAD.c.view_messages,
    THREAD.c.view_tokens,
    select(func.max(SEGMENT.c.last_turn_seq))
    .where(SEGMENT.c.thread_id == THREAD.c.id, SEGMENT.c.kind == AUTOMATIC)
    .correlate(THREAD)
    .scalar_subquery(),
    exists().where(SEGMENT.c.thread_id == THREAD.c.id, SEGMENT.c.kind != AUTOMATIC).correlate(THREAD)
    | exists().where(INSET.c.thread_id == OWN_ID),
)


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """The view leaves out messages up to `cleared_seq`; `folded` is the last turn of the automatic segment."""

    id: int
    key: ThreadKey
    last_seq: int
    tokens: int
    cleared_seq: int
    version: int
    view_messages: int
    view_tokens: int
    folded: int
    archives: bool


IN_CHANNEL = (THREAD.c.team == bindparam("in_team")) & (THREAD.c.channel == bindparam("in_channel"))
NAMED = IN_CHANNEL & (THREAD.c.thread_ts == bindparam("in_thread"))
FIND = Prepared(select(*KEPT).where(NAMED))
COUNT = Prepared(
    update(THREAD)
    .where(NAMED)
    .values(
        last_seq=THREAD.c.last_seq + bindparam("more_messages"),
        tokens=THREAD.c.tokens + bindparam("more_tokens"),
        version=THREAD.c.version + bindparam("more_versions"),
        view_messages=THREAD.c.view_messages + bindparam("more_messages"),
        view_tokens=THREAD.c.view_tokens + bindparam("more_tokens"),
    )
    .returning(*KEPT)
)
MAKE = Prepared(
    insert(THREAD).values(
        team=bindparam("in_team", type_=THREAD.c.team.type),
        channel=bindparam("in_channel", type_=THREAD.c.channel.type),
        thread_ts=bindparam("in_thread", type_=THREAD.c.thread_ts.type),
        version=bindparam("begins_at", type_=THREAD.c.version.type),
        last_seq=0,
        tokens=0,
        cleared_seq=0,
    )
)
SAID = Prepared(select(MESSAGE.c.id).join_from(THREAD, MESSAGE).where(IN_CHANNEL).limit(1))
SHOW = Prepared(
    update(THREAD)
    .where(THREAD.c.id == bindparam("own_id"))
    .values(view_messages=bindparam("messages_shown"), view_tokens=bindparam("tokens_shown"))
)


def find(connection: Connection, key: ThreadKey) -> ThreadRow | None:
    rows = FIND.all(connection, _name(key))
    return _thread(key, rows[0]) if rows else None


def claim(
    connection: Connection, key: ThreadKey, *, messages: int = 0, tokens: int = 0, versions: int = 1
) -> ThreadRow:
    """Lock the row, create it if need be, and count new messages; `versions=0` leaves the view as it is."""
    more = {**_name(key), "more_messages": messages, "more_tokens": tokens, "more_versions": versions}
    rows = COUNT.all(connection, more)
    if not rows:
        _make(connection, key)
        rows = COUNT.all(connection, more)
    return _thread(key, rows[0])


def show(connection: Connection, thread: ThreadRow, messages: int, tokens: int) -> None:
    SHOW.do(connection, {"own_id": thread.id, "messages_shown": messages, "tokens_shown": tokens})


def clear(connection: Connection, key: ThreadKey) -> ThreadRow:
    row = claim(connection, key)
    empty = {"cleared_seq": row.last_seq, "view_messages": 0, "view_tokens": 0}
    connection.execute(update(THREAD).where(THREAD.c.id == row.id).values(empty))
    return row


def keys(connection: Connection) -> Iterator[ThreadKey]:
    for row in connection.execute(select(THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts).order_by(THREAD.c.id)):
        yield ThreadKey(row.team, row.channel, row.thread_ts)


def recent(connection: Connection, messages: int) -> Iterator[tuple[ThreadKey, datetime]]:
    """Iterate over the threads of the last `messages` messages with their newest moment."""
    newest = select(MESSAGE.c.id, MESSAGE.c.thread_id, MESSAGE.c.created_at).order_by(MESSAGE.c.id.desc())
    last = newest.limit(messages).subquery()
    said_at = func.max(last.c.created_at, type_=MESSAGE.c.created_at.type)
    named = select(THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts, said_at)
    spoken = named.join_from(THREAD, last, last.c.thread_id == THREAD.c.id).group_by(THREAD.c.id)
    for team, channel, thread_ts, at in connection.execute(spoken.order_by(func.max(last.c.id).desc())):
        yield ThreadKey(team, channel, thread_ts), at


def newest(connection: Connection, team: str, channel: str) -> tuple[ThreadKey, datetime] | None:
    """Return the thread of a channel's newest message with its moment."""
    said = select(THREAD.c.thread_ts, MESSAGE.c.created_at).join_from(THREAD, MESSAGE).where(IN_CHANNEL)
    last = said.order_by(MESSAGE.c.id.desc()).limit(1)
    row = connection.execute(last, {"in_team": team, "in_channel": channel}).first()
    return None if row is None else (ThreadKey(team, channel, row.thread_ts), row.created_at)


def has_messages(connection: Connection, team: str, channel: str) -> bool:
    return bool(SAID.all(connection, {"in_team": team, "in_channel": channel}))


def _name(key: ThreadKey) -> dict[str, str]:
    return {"in_team": key.team, "in_channel": key.channel, "in_thread": key.thread_ts}


def _make(connection: Connection, key: ThreadKey) -> None:
    row = {**_name(key), "begins_at": _beginning()}
    if connection.dialect.name == "sqlite":  # there a writer has the store to itself
        MAKE.do(connection, row)
        return
    try:
        with connection.begin_nested():
            MAKE.do(connection, row)
    except IntegrityError:
        return  # where writers only lock rows, another one was first; its row is as good


def _beginning() -> int:
    return int(datetime.now(UTC).timestamp()) - LONG_AGO


def _thread(key: ThreadKey, row: Any) -> ThreadRow:
    known, last_seq, tokens, cleared_seq, version, messages, size, folded, archives = row
    return ThreadRow(known, key, last_seq, tokens, cleared_seq, version, messages, size, folded or 0, bool(archives))
