"""Segments: ranges of a thread for which a few lines are shown instead of the messages.

There is one kind of thing with two origins. The automatic segment of a thread folds its oldest turns and grows; an
archive was made by the `memory` operation `store`. A range is the places of its first and last message, and holds what
was logged by then, so messages that come later into the middle of it are not swallowed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, insert, select, tuple_, update

from ai.errors import UserError
from ai.memory.log import PLACE, Item, Place
from ai.memory.tables import AUTOMATIC, MESSAGE, RESTORED, SEGMENT
from ai.memory.threads import ThreadRow
from ai.types import LoggedMessage, ThreadKey

HANDLE = "mem://"
AUTHOR = "memory"
ARCHIVE = "manual"

State = Literal["live", "bare", "restored", "pruned", "released"]
"""`live`: its placeholder stands in the thread. `bare`: the placeholder was removed or replaced, the messages stay away.
`restored`: the messages are back in their place. `pruned`, `released`: as `bare` and `restored`, and the handle is gone."""
PRUNED: dict[State, State] = {"bare": "pruned", "restored": "released"}


OF_THREAD = (
    select(SEGMENT)
    .where(SEGMENT.c.thread_id == bindparam("of_thread"), SEGMENT.c.kind == bindparam("of_kind"))
    .order_by(SEGMENT.c.created_at)
)
CHANGE = update(SEGMENT).where(SEGMENT.c.handle == bindparam("known"))


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is shown instead of messages, with its size; `about` is where and when it stands."""

    text: str
    tokens: int
    seq: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Segment:
    """A range of a thread and the lines that stand for it; `tokens` are of the lines, `held_tokens` of its messages."""

    thread: ThreadKey
    handle: str
    kind: str
    state: State
    first: Place
    last: Place
    as_of: int
    messages: int
    chars: int
    held_tokens: int
    lines: tuple[Line, ...]
    created_at: datetime

    @property
    def tokens(self) -> int:
        """Size of what is shown."""
        return sum(line.tokens for line in self.lines)

    @property
    def hides(self) -> bool:
        """Whether its messages are away from the thread."""
        return self.state in ("live", "bare", "pruned")

    @property
    def held(self) -> ColumnElement[bool]:
        """The condition that its messages meet."""
        inside = PLACE.between(tuple_(*self.first), tuple_(*self.last))
        return inside & (MESSAGE.c.seq <= self.as_of)

    @property
    def shown(self) -> tuple[Item, ...]:
        """Its lines, where its first message stood."""
        return tuple(Item(self.first, message) for message in self.as_messages)

    @property
    def as_messages(self) -> tuple[LoggedMessage, ...]:
        """Its lines as messages; their `turn_id` is the handle."""
        return tuple(
            LoggedMessage(self.thread, line.seq, self.handle, "user", line.text, AUTHOR, line.tokens, line.at)
            for line in self.lines
        )

    def covers(self, place: Place) -> bool:
        """Whether the message at this place is one of its."""
        return self.first <= place <= self.last and place.seq <= self.as_of

    def encloses(self, other: "Segment") -> bool:
        """Whether `other`, made before, lies inside, so that its lines are hidden as well."""
        return self.first <= other.first and other.last <= self.last and self.created_at > other.created_at


@dataclass(frozen=True, slots=True)
class Restored:
    """A copy of an archive's messages, put behind the message at `after`."""

    id: int
    handle: str
    after: Place
    created_at: datetime


def of_thread(connection: Connection, thread: ThreadRow, kind: str) -> list[Segment]:
    """The segments of a thread, oldest first."""
    return [
        _segment(thread.key, row) for row in connection.execute(OF_THREAD, {"of_thread": thread.id, "of_kind": kind})
    ]


def automatic(connection: Connection, thread: ThreadRow) -> Segment | None:
    """What is folded of a thread, None while everything is shown."""
    return next(iter(of_thread(connection, thread, AUTOMATIC)), None) if thread.folded else None


def one(connection: Connection, thread: ThreadRow, handle: str) -> Segment:
    """The segment of this handle. UserError when the thread has none."""
    rows = select(SEGMENT).where(SEGMENT.c.thread_id == thread.id, SEGMENT.c.handle == handle)
    row = connection.execute(rows.where(SEGMENT.c.state.not_in(PRUNED.values()))).one_or_none()
    if row is None:
        raise UserError(f"There is no archive {handle} in this thread; use the operation list to see those there are.")
    return _segment(thread.key, row)


def keep(connection: Connection, thread: ThreadRow, segment: Segment) -> None:
    """Write a segment, or write it anew."""
    values = {
        "thread_id": thread.id,
        "kind": segment.kind,
        "state": segment.state,
        "first_turn_seq": segment.first.turn_seq,
        "first_seq": segment.first.seq,
        "last_turn_seq": segment.last.turn_seq,
        "last_seq": segment.last.seq,
        "as_of_seq": segment.as_of,
        "messages": segment.messages,
        "chars": segment.chars,
        "held_tokens": segment.held_tokens,
        "lines": [_storable(line) for line in segment.lines],
        "tokens": segment.tokens,
        "created_at": segment.created_at,
    }
    if connection.execute(CHANGE, {**values, "known": segment.handle}).rowcount == 0:
        connection.execute(insert(SEGMENT), {**values, "handle": segment.handle})


def drop(connection: Connection, handles: Sequence[str]) -> None:
    """Delete segments, and what was restored of them."""
    connection.execute(delete(RESTORED).where(RESTORED.c.handle.in_(handles)))
    connection.execute(delete(SEGMENT).where(SEGMENT.c.handle.in_(handles)))


def unfold(connection: Connection, thread: ThreadRow) -> None:
    """Give up the automatic segment; the log needs no mending, it was never cut."""
    folded = of_thread(connection, thread, AUTOMATIC)
    drop(connection, [segment.handle for segment in folded])


def copies(connection: Connection, thread: ThreadRow) -> list[Restored]:
    """What was restored in a thread, in this order."""
    rows = select(RESTORED).where(RESTORED.c.thread_id == thread.id).order_by(RESTORED.c.id)
    return [
        Restored(row.id, row.handle, Place(row.after_turn_seq, row.after_seq), row.created_at)
        for row in connection.execute(rows)
    ]


def copy(connection: Connection, thread: ThreadRow, handle: str, after: Place) -> int:
    """Put a copy behind a message; its number."""
    row = insert(RESTORED).values(
        thread_id=thread.id,
        handle=handle,
        after_turn_seq=after.turn_seq,
        after_seq=after.seq,
        created_at=datetime.now(UTC),
    )
    number: int = connection.execute(row.returning(RESTORED.c.id)).scalar_one()
    return number


def uncopy(connection: Connection, number: int) -> None:
    """Take a copy away again."""
    connection.execute(delete(RESTORED).where(RESTORED.c.id == number))


def is_summary(message: LoggedMessage) -> bool:
    """Whether this is a line that stands for a segment; its `turn_id` is then the handle."""
    return message.author == AUTHOR and message.turn_id.startswith(HANDLE)


def is_copy(message: LoggedMessage) -> bool:
    """Whether this is a message of a restored copy; its `turn_id` is then the handle and the number of the copy."""
    return message.author != AUTHOR and message.turn_id.startswith(HANDLE)


def session(key: ThreadKey) -> str:
    """The name of a thread in the handles of its segments."""
    return ":".join(part for part in (key.team, key.channel, key.thread_ts) if part)


def _segment(key: ThreadKey, row: Row[Any]) -> Segment:
    return Segment(
        thread=key,
        handle=row.handle,
        kind=row.kind,
        state=row.state,
        first=Place(row.first_turn_seq, row.first_seq),
        last=Place(row.last_turn_seq, row.last_seq),
        as_of=row.as_of_seq,
        messages=row.messages,
        chars=row.chars,
        held_tokens=row.held_tokens,
        lines=tuple(_line(line) for line in row.lines),
        created_at=row.created_at,
    )


def _storable(line: Line) -> dict[str, Any]:
    return {"text": line.text, "tokens": line.tokens, "seq": line.seq, "at": line.at.isoformat()}


def _line(line: dict[str, Any]) -> Line:
    return Line(line["text"], line["tokens"], line["seq"], datetime.fromisoformat(line["at"]))
