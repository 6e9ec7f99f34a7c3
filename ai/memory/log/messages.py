"""The append-only log: messages go in once, and come out turn by turn.

A turn is a question and its answers, in the order of questions. A message taken back keeps an empty place.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, insert, select, tuple_

from ai.memory.log import threads
from ai.memory.log.database import Prepared, moment
from ai.memory.log.database import Row as Stored
from ai.memory.log.tables import MESSAGE, THREAD
from ai.memory.log.threads import ThreadRow
from ai.types import Deed, LoggedMessage, Role, ThreadKey

QUESTION = "question"
PLACE = tuple_(MESSAGE.c.turn_seq, MESSAGE.c.seq)
SHOWN = tuple(MESSAGE.c[name] for name in "turn_seq seq turn_id role content author tokens created_at".split())
LATEST = 2**31 - 1
IN_THREAD = (THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts)
# Statements are made once: to make one costs more than to run it.
INSIDE = and_(
    MESSAGE.c.thread_id == bindparam("of_thread"),
    MESSAGE.c.turn_seq > bindparam("after"),
    MESSAGE.c.turn_seq < bindparam("before"),
    MESSAGE.c.seq > bindparam("cleared"),
    MESSAGE.c.deleted_at.is_(None),
)
OLDEST_FIRST = select(*SHOWN).order_by(MESSAGE.c.turn_seq, MESSAGE.c.seq)
NEWEST_FIRST = select(*SHOWN).order_by(MESSAGE.c.turn_seq.desc(), MESSAGE.c.seq.desc()).limit(bindparam("most"))
ALL = Prepared(OLDEST_FIRST.where(INSIDE))
NEWEST = Prepared(NEWEST_FIRST.where(INSIDE))
SINCE = Prepared(
    select(*SHOWN)
    .where(
        MESSAGE.c.thread_id == bindparam("of_thread"),
        MESSAGE.c.seq > bindparam("known"),
        MESSAGE.c.deleted_at.is_(None),
    )
    .order_by(MESSAGE.c.seq)
)
REMARKED = Prepared(
    select(*SHOWN)
    .where(
        MESSAGE.c.thread_id == bindparam("of_thread"),
        MESSAGE.c.remark == bindparam("of_remark"),
        MESSAGE.c.turn_id != bindparam("except_turn"),
        MESSAGE.c.deleted_at.is_(None),
    )
    .order_by(MESSAGE.c.seq.desc())
    .limit(bindparam("most"))
)
# Nothing but the place of the turn is asked of its messages: told more, SQLite walks through the thread to find them.
FIRST_TURN = Prepared(
    OLDEST_FIRST.where(
        MESSAGE.c.thread_id == bindparam("of_thread"),
        MESSAGE.c.turn_seq == select(func.min(MESSAGE.c.turn_seq)).where(INSIDE).scalar_subquery(),
        MESSAGE.c.seq > bindparam("cleared"),
        MESSAGE.c.deleted_at.is_(None),
    )
)
# All messages of a turn have the same turn_seq. The sum keeps SQLite from walking through the thread to find one.
OF_TURN = (MESSAGE.c.turn_id == bindparam("of_turn")) & (MESSAGE.c.thread_id + 0 == bindparam("of_thread"))
TURN_SEQ = select(MESSAGE.c.turn_seq).where(OF_TURN).limit(1)
PLACE_OF_TURN = Prepared(TURN_SEQ)
OWN = "turn_id part role content author tokens exact remark place pressed original".split()
GIVEN = [*OWN, "thread_id", "seq", "cum_tokens", "created_at"]
APPEND = Prepared(
    insert(MESSAGE)
    .values({name: bindparam(name, type_=MESSAGE.c[name].type) for name in GIVEN})
    .values(turn_seq=func.coalesce(TURN_SEQ.scalar_subquery(), bindparam("own_place")))
    .returning(MESSAGE.c.turn_seq)
)
IS_LOGGED = Prepared(
    select(MESSAGE.c.seq).where(MESSAGE.c.turn_id == bindparam("of_turn"), MESSAGE.c.part == bindparam("of_part"))
)
OF_QUESTION = (
    select(*SHOWN, MESSAGE.c.place, MESSAGE.c.pressed, *IN_THREAD)
    .select_from(MESSAGE)
    .join(THREAD)
    .where(MESSAGE.c.turn_id == bindparam("of_turn"), MESSAGE.c.part == QUESTION)
)
ASKED, STANDING = Prepared(OF_QUESTION), Prepared(OF_QUESTION.where(MESSAGE.c.deleted_at.is_(None)))
LEAST = 16  # messages that are read at once, at least


class LogPosition(NamedTuple):
    """Where a message stands: by its turn's first message, then by its own number."""

    turn_seq: int
    seq: int


class Item(NamedTuple):
    """A message and its position; `behind` is the rank of a restored copy there."""

    place: LogPosition
    message: LoggedMessage
    behind: int = 0


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message about to be logged, identified by `turn_id` and `part`. `original` is LangChain's, without the text."""

    turn_id: str
    part: str
    role: Role
    content: str
    author: str
    tokens: int
    exact: bool
    at: datetime
    remark: str = ""
    place: str = ""
    pressed: str = ""
    original: str | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A range of turns, both ends excluded, without the messages of `hidden`."""

    thread: ThreadRow
    after_turn: int = 0
    before_turn: int | None = None
    hidden: tuple[ColumnElement[bool], ...] = ()

    @property
    def condition(self) -> ColumnElement[bool]:
        return and_(INSIDE, *(~condition for condition in self.hidden)) if self.hidden else INSIDE

    @property
    def bounds(self) -> dict[str, int]:
        before = LATEST if self.before_turn is None else self.before_turn
        cleared = self.thread.cleared_seq
        return {"of_thread": self.thread.id, "after": self.after_turn, "before": before, "cleared": cleared}


def append(connection: Connection, key: ThreadKey, new: NewMessage) -> tuple[ThreadRow, int]:
    """Log a message; return its thread and its turn's place. IntegrityError when logged already."""
    thread = threads.claim(connection, key, messages=1, tokens=new.tokens)
    row = {
        **{name: getattr(new, name) for name in OWN},
        "thread_id": thread.id,
        "seq": thread.last_seq,
        "cum_tokens": thread.tokens,
        "created_at": new.at,
        "of_turn": new.turn_id,
        "of_thread": thread.id,
        "own_place": thread.last_seq,
    }
    ((place,),) = APPEND.all(connection, row)
    return thread, place


def is_logged(connection: Connection, turn_id: str, part: str) -> bool:
    return bool(IS_LOGGED.all(connection, {"of_turn": turn_id, "of_part": part}))


def turn_seq(connection: Connection, thread: ThreadRow, turn_id: str) -> int | None:
    """Return the number of the turn's first message; None when it has none."""
    rows = PLACE_OF_TURN.all(connection, {"of_turn": turn_id, "of_thread": thread.id})
    return rows[0][0] if rows else None


def newest_turn(connection: Connection, thread: ThreadRow) -> tuple[str, int] | None:
    newest = next(newest_first(connection, Span(thread), 1), None)
    return None if newest is None else (newest.message.turn_id, newest.place.turn_seq)


def question(connection: Connection, turn_id: str, *, taken_back: bool = False) -> LoggedMessage | None:
    """Return the question of a turn; deleted ones with `taken_back` alone."""
    rows = (ASKED if taken_back else STANDING).all(connection, {"of_turn": turn_id})
    if not rows:
        return None
    place, pressed, team, channel, thread_ts = rows[0][8:]
    return replace(_message(ThreadKey(team, channel, thread_ts), rows[0][:8]), place=place, deed=Deed.read(pressed))


def items(connection: Connection, span: Span) -> list[Item]:
    if span.hidden:
        rows: Sequence[Stored] = connection.execute(OLDEST_FIRST.where(span.condition), span.bounds).all()
    else:
        rows = ALL.all(connection, span.bounds)
    return [_item(span.thread.key, row) for row in rows]


def newest_first(connection: Connection, span: Span, expected: int = LEAST) -> Iterator[Item]:
    """Iterate from the last message, in chunks of about `expected`."""
    key = span.thread.key
    return (_item(key, row) for rows in _newest(connection, span, expected) for row in rows)


def newest_messages(connection: Connection, span: Span, expected: int = LEAST) -> Iterator[LoggedMessage]:
    key = span.thread.key
    for rows in _newest(connection, span, expected):
        yield from [_message(key, row) for row in rows]


def since(connection: Connection, thread: ThreadRow, seq: int) -> list[Item]:
    return [_item(thread.key, row) for row in SINCE.all(connection, {"of_thread": thread.id, "known": seq})]


def remarked(
    connection: Connection, thread: ThreadRow, remark: str, most: int, except_turn: str | None
) -> list[LoggedMessage]:
    """Return what people said of a kind, newest first, hidden or not."""
    values = {"of_thread": thread.id, "of_remark": remark, "except_turn": except_turn or "", "most": most}
    return [_message(thread.key, row) for row in REMARKED.all(connection, values)]


def before(connection: Connection, span: Span, place: LogPosition | None, most: int) -> list[Item]:
    """Return the items before a place, newest first."""
    earlier = () if place is None else (tuple_(*place) > PLACE,)
    rows = _further(connection, span, {**span.bounds, "most": most}, *earlier)
    return [_item(span.thread.key, row) for row in rows]


def has_turns(connection: Connection, span: Span) -> bool:
    return bool(NEWEST.all(connection, {**span.bounds, "most": 1}))


def first_turn(connection: Connection, span: Span) -> tuple[LoggedMessage, ...]:
    return tuple(_message(span.thread.key, row) for row in FIRST_TURN.all(connection, span.bounds))


def by_turn(found: Sequence[Item]) -> list[tuple[LoggedMessage, ...]]:
    turns = groupby((item.message for item in found), key=lambda message: message.turn_id)
    return [tuple(turn) for _, turn in turns]


def _newest(connection: Connection, span: Span, expected: int) -> Iterator[Sequence[Stored]]:
    chunk = max(expected, LEAST)
    values = {**span.bounds, "most": chunk}
    rows = _further(connection, span, values) if span.hidden else NEWEST.all(connection, values)
    while True:
        yield rows
        if len(rows) < chunk:
            return
        chunk = max(chunk // 2, LEAST)
        rows = _further(connection, span, {**span.bounds, "most": chunk}, PLACE.__lt__(tuple_(*rows[-1][:2])))


def _further(
    connection: Connection, span: Span, values: Mapping[str, int], *conditions: ColumnElement[bool]
) -> Sequence[Stored]:
    return connection.execute(NEWEST_FIRST.where(span.condition, *conditions), values).all()


def _item(key: ThreadKey, row: Stored) -> Item:
    return Item(LogPosition(row[0], row[1]), _message(key, row))


def _message(key: ThreadKey, row: Stored) -> LoggedMessage:
    _, seq, turn_id, role, content, author, tokens, created_at = row
    return LoggedMessage(key, seq, turn_id, role, content, author, tokens, moment(created_at))
