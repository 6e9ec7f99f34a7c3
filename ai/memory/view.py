"""The view of a thread: its newest turns word for word, and a few lines for what its segment folds.

The segment is kept with the log, in the transaction that appends, so the view is within its limits whenever it is read.
Reading it neither counts tokens nor looks at folded messages, unless it is asked as of a turn that is folded by now.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select

from ai.memory import log, queries
from ai.memory.compression import Compressed, Folds, Line, compress, is_over
from ai.memory.limits import MemoryLimits
from ai.memory.log import Span
from ai.memory.tables import SEGMENT
from ai.memory.threads import ThreadRow
from ai.types import LoggedMessage, ThreadKey

AUTOMATIC = "auto"
HANDLE = "mem://"
AUTHOR = "memory"


@dataclass(frozen=True, slots=True)
class Segment:
    """The oldest turns of a thread, up to the one at `last_turn_seq`, folded into lines. `tokens` are of the lines."""

    handle: str
    last_turn_seq: int
    lines: tuple[LoggedMessage, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Viewer:
    """Shows threads within limits. `count` says how many tokens a text has."""

    limits: MemoryLimits
    count: Callable[[str], int]

    def show(self, connection: Connection, thread: ThreadRow, before: int | None = None) -> tuple[LoggedMessage, ...]:
        """The view of a thread, or what it was before the turn that stands at `before`, oldest first."""
        everything = Span(thread, before_turn=before)
        segment = segment_of(connection, thread)
        if segment is None or not self.limits.compresses:
            return log.messages(connection, everything)
        if before is None or before > segment.last_turn_seq:
            return segment.lines + log.messages(connection, Span(thread, segment.last_turn_seq, before))
        size = log.size(connection, everything)
        view = self._compressed(connection, everything, segment.handle, size[0]) if self._over(*size) else None
        if view is None:
            return log.messages(connection, everything)
        kept = tuple(message for turn in view.kept for message in turn)
        return tuple(_shown(line, segment.handle) for line in view.lines) + kept

    def fold(self, connection: Connection, thread: ThreadRow, changed_turn: int | None = None) -> None:
        """Fold more of the thread when its view is over its limits, or anew when a folded turn was added to."""
        if not self.limits.compresses:
            return
        segment = segment_of(connection, thread)
        messages, tokens = log.size(connection, Span(thread, segment.last_turn_seq if segment else 0))
        if segment is not None:
            messages, tokens = messages + len(segment.lines), tokens + segment.tokens
        stale = segment is not None and changed_turn is not None and changed_turn <= segment.last_turn_seq
        if not (stale or self._over(messages, tokens)):
            return
        handle = segment.handle if segment else f"{HANDLE}{_session(thread.key)}/{uuid4()}"
        everything = Span(thread)
        view = self._compressed(connection, everything, handle, log.size(connection, everything)[0])
        if view is not None:
            _keep(connection, thread, handle, view)

    def _over(self, messages: int, tokens: int) -> bool:
        return is_over(messages, tokens, self.limits)

    def _compressed(self, connection: Connection, span: Span, handle: str, messages: int) -> Compressed | None:
        newest = log.newest_turns(connection, span, self.limits.max_messages + self.limits.keep_recent)
        oldest = log.first_turn(connection, span)
        facts = queries.facts(connection, span.thread.id, {message.turn_id for message in (*newest, *oldest)})
        return compress(Folds(log.by_turn(newest), oldest, messages, facts, handle), self.limits, self.count)


def segment_of(connection: Connection, thread: ThreadRow) -> Segment | None:
    """What is folded of a thread, None while everything is shown."""
    rows = select(SEGMENT).where(SEGMENT.c.thread_id == thread.id, SEGMENT.c.kind == AUTOMATIC)
    row = connection.execute(rows).one_or_none()
    if row is None:
        return None
    lines = tuple(_stored(thread.key, row.handle, line) for line in row.lines)
    return Segment(row.handle, row.last_turn_seq, lines, row.tokens)


def forget_segment(connection: Connection, thread: ThreadRow) -> None:
    """Show everything of the thread again; the log needs no mending, it was never cut."""
    connection.execute(delete(SEGMENT).where(SEGMENT.c.thread_id == thread.id, SEGMENT.c.kind == AUTOMATIC))


def is_summary(message: LoggedMessage) -> bool:
    """Whether this is a line that stands for folded turns; its `turn_id` is then the segment's handle."""
    return message.turn_id.startswith(HANDLE)


def _keep(connection: Connection, thread: ThreadRow, handle: str, view: Compressed) -> None:
    forget_segment(connection, thread)
    lines = [_storable(line) for line in view.lines]
    connection.execute(
        insert(SEGMENT).values(
            handle=handle,
            thread_id=thread.id,
            kind=AUTOMATIC,
            last_turn_seq=_before(connection, thread, view.kept[0][0]),
            messages=view.folded,
            lines=lines,
            tokens=sum(line.tokens for line in view.lines),
            created_at=datetime.now(UTC),
        )
    )


def _before(connection: Connection, thread: ThreadRow, message: LoggedMessage) -> int:
    """The last place in turn order that is before the turn of this message."""
    place = log.turn_seq(connection, thread, message.turn_id)
    return (place or message.seq) - 1


def _storable(line: Line) -> dict[str, Any]:
    about = line.about
    return {"text": line.text, "tokens": line.tokens, "seq": about.seq, "at": about.created_at.isoformat()}


def _stored(key: ThreadKey, handle: str, line: dict[str, Any]) -> LoggedMessage:
    at = datetime.fromisoformat(line["at"])
    return LoggedMessage(key, line["seq"], handle, "user", line["text"], AUTHOR, line["tokens"], at)


def _shown(line: Line, handle: str) -> LoggedMessage:
    about = line.about
    return LoggedMessage(about.thread, about.seq, handle, "user", line.text, AUTHOR, line.tokens, about.created_at)


def _session(key: ThreadKey) -> str:
    return ":".join(part for part in (key.team, key.channel, key.thread_ts) if part)
