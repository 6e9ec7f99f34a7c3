"""Segments: messages of a thread for which a few lines are shown instead.

There is one kind of thing with two origins. The automatic segment of a thread folds its oldest turns and grows; an
archive was made by the `memory` operation `store`, and what it holds is written down once and for all.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from ai.errors import UserError
from ai.memory.log.passages import NOTHING, Passage
from ai.memory.log.prepared import Prepared
from ai.memory.log.threads import ThreadRow
from ai.memory.tables import AUTOMATIC, SEGMENT
from ai.types import LoggedMessage, ThreadKey

HANDLE = "mem://"
AUTHOR = "memory"
ARCHIVE = "manual"

State = Literal["live", "bare", "restored", "pruned"]
"""`live`: its placeholder stands in the thread, or inside another archive. `bare`: the placeholder was removed or replaced,
the messages stay away. `restored`: the messages are back in their place. `pruned`: as `bare`, and the handle is gone."""

OF_THREAD = (
    select(SEGMENT)
    .where(SEGMENT.c.thread_id == bindparam("of_thread"), SEGMENT.c.kind == bindparam("of_kind"))
    .order_by(SEGMENT.c.created_at)
)
CHANGE = update(SEGMENT).where(SEGMENT.c.handle == bindparam("known"))

OF_KIND = SEGMENT.c.kind == AUTOMATIC
FOLDED = Prepared(
    select(SEGMENT.c.handle, SEGMENT.c.messages, SEGMENT.c.lines).where(
        SEGMENT.c.thread_id == bindparam("of_thread"), OF_KIND
    )
)
GROWN = ("last_turn_seq", "as_of_seq", "messages", "lines", "tokens", "created_at")
GROW = Prepared(
    update(SEGMENT)
    .where(SEGMENT.c.handle == bindparam("known"))
    .values({name: bindparam(f"new_{name}", type_=SEGMENT.c[name].type) for name in GROWN})
)


@dataclass(frozen=True, slots=True)
class Summary:
    """Folded messages in somebody's words: those of all turns up to the place `to`, and what their newest queries found."""

    words: str
    facts: tuple[str, ...]
    to: int
    messages: int
    at: datetime


@dataclass(frozen=True, slots=True)
class SegmentLine:
    """A line that is shown instead of messages, with its size, and where and when it stands; maybe a summary of many."""

    text: str
    tokens: int
    seq: int
    at: datetime
    summary: Summary | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """Messages of a thread and the lines that stand for them; `tokens` are of the lines, `held_tokens` of the messages.

    An archive holds the messages of `content`, passage by passage, and keeps those of `hides` away from the thread: it
    may hold copies of what is shown elsewhere. The automatic segment holds what was logged up to the message `as_of` of
    the turns up to `last_turn`.
    """

    thread: ThreadKey
    handle: str
    kind: str
    state: State
    messages: int
    chars: int
    held_tokens: int
    lines: tuple[SegmentLine, ...]
    created_at: datetime
    content: tuple[Passage, ...] = ()
    hides: Passage = NOTHING
    last_turn: int = 0
    as_of: int = 0

    @property
    def tokens(self) -> int:
        """Size of what is shown."""
        return sum(line.tokens for line in self.lines)

    @property
    def as_messages(self) -> tuple[LoggedMessage, ...]:
        """Its lines as messages; their `turn_id` is the handle."""
        return tuple(
            LoggedMessage(self.thread, line.seq, self.handle, "user", line.text, AUTHOR, line.tokens, line.at)
            for line in self.lines
        )


class Folded(NamedTuple):
    """The automatic segment in short: its handle, how many messages it holds, and the lines that stand for them."""

    handle: str
    messages: int
    lines: tuple[SegmentLine, ...]

    @property
    def summary(self) -> Summary | None:
        """What of it somebody summed up."""
        return self.lines[0].summary if self.lines else None


def of_thread(connection: Connection, thread: ThreadRow, kind: str) -> list[Segment]:
    """The segments of a thread, oldest first."""
    return [
        _segment(thread.key, row) for row in connection.execute(OF_THREAD, {"of_thread": thread.id, "of_kind": kind})
    ]


def automatic(connection: Connection, thread: ThreadRow) -> Segment | None:
    """What is folded of a thread, None while everything is shown."""
    return next(iter(of_thread(connection, thread, AUTOMATIC)), None) if thread.folded else None


def folded(connection: Connection, thread: ThreadRow) -> Folded | None:
    """What is to be known of the automatic segment to make it larger; None when there is none."""
    rows = FOLDED.all(connection, {"of_thread": thread.id}) if thread.folded else ()
    if not rows:
        return None
    handle, messages, lines = rows[0]
    return Folded(handle, messages, tuple(map(_line, json.loads(lines) if isinstance(lines, str) else lines)))


def grow(connection: Connection, segment: Segment) -> None:
    """Write an automatic segment anew."""
    values = {
        "last_turn_seq": segment.last_turn,
        "as_of_seq": segment.as_of,
        "messages": segment.messages,
        "lines": [_storable(line) for line in segment.lines],
        "tokens": segment.tokens,
        "created_at": segment.created_at,
    }
    GROW.do(connection, {"known": segment.handle} | {f"new_{name}": value for name, value in values.items()})


def one(connection: Connection, thread: ThreadRow, handle: str) -> Segment:
    """The segment of this handle. UserError when the thread has none."""
    rows = select(SEGMENT).where(SEGMENT.c.thread_id == thread.id, SEGMENT.c.handle == handle)
    row = connection.execute(rows.where(SEGMENT.c.state != "pruned")).one_or_none()
    if row is None:
        raise UserError(f"There is no archive {handle} in this thread; use the operation list to see those there are.")
    return _segment(thread.key, row)


def keep(connection: Connection, thread: ThreadRow, segment: Segment) -> None:
    """Write a segment, or write it anew."""
    values = {
        "thread_id": thread.id,
        "kind": segment.kind,
        "state": segment.state,
        "content": [passage.storable for passage in segment.content],
        "hides": segment.hides.storable,
        "last_turn_seq": segment.last_turn,
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
    """Delete segments."""
    connection.execute(delete(SEGMENT).where(SEGMENT.c.handle.in_(handles)))


def strip(connection: Connection, thread: ThreadRow) -> None:
    """Say of all archives that their placeholders are gone."""
    live = (SEGMENT.c.thread_id == thread.id) & (SEGMENT.c.kind == ARCHIVE) & (SEGMENT.c.state == "live")
    connection.execute(update(SEGMENT).where(live).values(state="bare"))


def unfold(connection: Connection, thread: ThreadRow) -> None:
    """Give up the automatic segment; the log needs no mending, it was never cut."""
    folded = of_thread(connection, thread, AUTOMATIC)
    drop(connection, [segment.handle for segment in folded])


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
        messages=row.messages,
        chars=row.chars,
        held_tokens=row.held_tokens,
        lines=tuple(_line(line) for line in row.lines),
        created_at=row.created_at,
        content=tuple(map(Passage.stored, row.content)),
        hides=Passage.stored(row.hides),
        last_turn=row.last_turn_seq,
        as_of=row.as_of_seq,
    )


def _storable(line: SegmentLine) -> dict[str, Any]:
    plain = {"text": line.text, "tokens": line.tokens, "seq": line.seq, "at": line.at.isoformat()}
    if (told := line.summary) is None:
        return plain
    summary = {"words": told.words, "facts": told.facts, "to": told.to, "messages": told.messages}
    return {**plain, "summary": {**summary, "at": told.at.isoformat()}}


def _line(line: dict[str, Any]) -> SegmentLine:
    told, at = line.get("summary"), datetime.fromisoformat(line["at"])
    summary = told and Summary(
        told["words"], tuple(told["facts"]), told["to"], told["messages"], datetime.fromisoformat(told["at"])
    )
    return SegmentLine(line["text"], line["tokens"], line["seq"], at, summary)
