"""The append-only log: messages go in once, are never changed, and come out in the order of the turns they belong to.

A turn is a question and everything said in answer to it. Turns are told in the order of their questions, not of their
lines: a later question may be in the log while an earlier one is still being answered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, func, insert, select

from ai.memory import threads
from ai.memory.tables import MESSAGE, THREAD
from ai.memory.threads import ThreadRow
from ai.types import LoggedMessage, Role, ThreadKey

QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Entry:
    """A message about to be logged. `turn_id` and `part` together make it the one it is; `tokens` is its size."""

    turn_id: str
    part: str
    role: Role
    content: str
    author: str
    tokens: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Span:
    """Which turns: after `after_seq` of the log, after the turn `after_turn`, before the turn `before_turn`."""

    thread: ThreadRow
    after_turn: int = 0
    before_turn: int | None = None

    @property
    def condition(self) -> ColumnElement[bool]:
        inside = (MESSAGE.c.thread_id == self.thread.id) & (MESSAGE.c.turn_seq > self.after_turn)
        if self.thread.cleared_seq:
            inside &= MESSAGE.c.seq > self.thread.cleared_seq
        if self.before_turn is not None:
            inside &= MESSAGE.c.turn_seq < self.before_turn
        return inside


def append(connection: Connection, key: ThreadKey, entry: Entry) -> ThreadRow | None:
    """Log a message and give the thread with it; None when this part of this turn is already there."""
    known = select(MESSAGE.c.seq).where(MESSAGE.c.turn_id == entry.turn_id, MESSAGE.c.part == entry.part)
    if connection.execute(known).first() is not None:
        return None
    thread = threads.claim(connection, key, messages=1, tokens=entry.tokens)
    connection.execute(
        insert(MESSAGE).values(
            thread_id=thread.id,
            seq=thread.last_seq,
            turn_seq=turn_seq(connection, thread, entry.turn_id) or thread.last_seq,
            turn_id=entry.turn_id,
            part=entry.part,
            role=entry.role,
            content=entry.content,
            author=entry.author,
            tokens=entry.tokens,
            cum_tokens=thread.tokens,
            created_at=entry.at,
        )
    )
    return thread


def turn_seq(connection: Connection, thread: ThreadRow, turn_id: str) -> int | None:
    """Where a turn stands in the thread: the number of its first message. None when nothing of it is logged."""
    own = (MESSAGE.c.turn_id == turn_id) & (MESSAGE.c.thread_id == thread.id)
    return connection.execute(select(func.min(MESSAGE.c.turn_seq)).where(own)).scalar()


def newest_turn(connection: Connection, thread: ThreadRow) -> tuple[str, int] | None:
    """Id and place of the turn that was begun last."""
    rows = select(MESSAGE.c.turn_id, MESSAGE.c.turn_seq).where(Span(thread).condition)
    row = connection.execute(rows.order_by(MESSAGE.c.turn_seq.desc()).limit(1)).one_or_none()
    return None if row is None else (row.turn_id, row.turn_seq)


def question(connection: Connection, turn_id: str) -> LoggedMessage | None:
    """The question of a turn."""
    rows = select(MESSAGE, THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts).join(THREAD)
    row = connection.execute(rows.where(MESSAGE.c.turn_id == turn_id, MESSAGE.c.part == QUESTION)).one_or_none()
    return None if row is None else _message(ThreadKey(row.team, row.channel, row.thread_ts), row)


def messages(connection: Connection, span: Span) -> tuple[LoggedMessage, ...]:
    """All messages of the span, turn by turn."""
    return _read(connection, span.thread.key, _in_turn_order(span.condition))


def size(connection: Connection, span: Span) -> tuple[int, int]:
    """Number of messages and of tokens in the span."""
    row = connection.execute(
        select(func.count(), func.coalesce(func.sum(MESSAGE.c.tokens), 0)).where(span.condition)
    ).one()
    return row[0], row[1]


def newest_turns(connection: Connection, span: Span, turns: int) -> tuple[LoggedMessage, ...]:
    """The messages of the last so many turns of the span."""
    begins = (
        select(MESSAGE.c.turn_seq).where(span.condition).distinct().order_by(MESSAGE.c.turn_seq.desc()).limit(turns)
    ).subquery()
    first = select(func.min(begins.c.turn_seq)).scalar_subquery()
    return _read(connection, span.thread.key, _in_turn_order(span.condition & (MESSAGE.c.turn_seq >= first)))


def first_turn(connection: Connection, span: Span) -> tuple[LoggedMessage, ...]:
    """The messages of the oldest turn of the span."""
    first = select(func.min(MESSAGE.c.turn_seq)).where(span.condition).scalar_subquery()
    return _read(connection, span.thread.key, _in_turn_order(span.condition & (MESSAGE.c.turn_seq == first)))


def by_turn(messages: Sequence[LoggedMessage]) -> list[tuple[LoggedMessage, ...]]:
    """Messages in turn order, one tuple per turn."""
    turns: dict[str, list[LoggedMessage]] = {}
    for message in messages:
        turns.setdefault(message.turn_id, []).append(message)
    return [tuple(turn) for turn in turns.values()]


def _in_turn_order(condition: ColumnElement[bool]) -> Select[Any]:
    return select(MESSAGE).where(condition).order_by(MESSAGE.c.turn_seq, MESSAGE.c.seq)


def _read(connection: Connection, key: ThreadKey, rows: Select[Any]) -> tuple[LoggedMessage, ...]:
    return tuple(_message(key, row) for row in connection.execute(rows))


def _message(key: ThreadKey, row: Row[Any]) -> LoggedMessage:
    return LoggedMessage(key, row.seq, row.turn_id, row.role, row.content, row.author, row.tokens, row.created_at)
