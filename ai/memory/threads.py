"""The rows of threads: who they are, what their last sequence number is, and the lock that allots the next."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from ai.memory.tables import THREAD
from ai.types import ThreadKey


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """One thread as the store keeps it. Messages up to `cleared_seq` are in the log, but no longer in the view."""

    id: int
    key: ThreadKey
    last_seq: int
    tokens: int
    cleared_seq: int


def find(connection: Connection, key: ThreadKey) -> ThreadRow | None:
    """The thread's row, or None when nothing was ever kept for it."""
    row = connection.execute(select(THREAD).where(_is(key))).one_or_none()
    return None if row is None else ThreadRow(row.id, key, row.last_seq, row.tokens, row.cleared_seq)


def claim(connection: Connection, key: ThreadKey, *, messages: int = 0, tokens: int = 0) -> ThreadRow:
    """Lock the thread's row, make it if need be, and count the messages that are about to be written."""
    counted = (
        update(THREAD)
        .where(_is(key))
        .values(last_seq=THREAD.c.last_seq + messages, tokens=THREAD.c.tokens + tokens, version=THREAD.c.version + 1)
        .returning(THREAD.c.id, THREAD.c.last_seq, THREAD.c.tokens, THREAD.c.cleared_seq)
    )
    row = connection.execute(counted).one_or_none()
    if row is None:
        _make(connection, key)
        row = connection.execute(counted).one()
    return ThreadRow(row.id, key, row.last_seq, row.tokens, row.cleared_seq)


def clear(connection: Connection, key: ThreadKey) -> ThreadRow:
    """Start the view of the thread after everything that is in the log now."""
    row = claim(connection, key)
    connection.execute(update(THREAD).where(THREAD.c.id == row.id).values(cleared_seq=row.last_seq))
    return row


def keys(connection: Connection) -> Iterator[ThreadKey]:
    """All threads, oldest first."""
    for row in connection.execute(select(THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts).order_by(THREAD.c.id)):
        yield ThreadKey(row.team, row.channel, row.thread_ts)


def _is(key: ThreadKey) -> ColumnElement[bool]:
    return (THREAD.c.team == key.team) & (THREAD.c.channel == key.channel) & (THREAD.c.thread_ts == key.thread_ts)


def _make(connection: Connection, key: ThreadKey) -> None:
    row = {"team": key.team, "channel": key.channel, "thread_ts": key.thread_ts}
    try:
        with connection.begin_nested():
            connection.execute(insert(THREAD).values(**row, last_seq=0, tokens=0, cleared_seq=0, version=0))
    except IntegrityError:
        return  # where writers only lock rows, another one was first; its row is as good
