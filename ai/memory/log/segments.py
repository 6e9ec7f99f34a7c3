"""Segments: messages shown as a few lines. The automatic one folds the oldest turns and grows; an archive is fixed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from ai.errors import UserError
from ai.memory.log.database import Prepared, Row
from ai.memory.log.passages import NOTHING, Passage
from ai.memory.log.tables import AUTOMATIC, SEGMENT
from ai.memory.log.threads import ThreadRow
from ai.types import LoggedMessage, ThreadKey

HANDLE = "mem://"
AUTHOR = "memory"
FOLDED_HANDLE = re.compile(r"auto\.(\d+)\.(\d+)")
ARCHIVE = "manual"

State = Literal["live", "bare", "restored", "pruned"]
"""`live`: its placeholder stands in the thread or in another archive. `bare`: without placeholder, its messages hidden.
`restored`: its messages are back in place. `pruned`: as `bare`, without a handle."""

OWN = SEGMENT.c
PLAIN = "handle kind state messages chars held_tokens created_at".split()  # columns that are fields of a Segment
COLUMNS = [*PLAIN, *"lines content hides last_turn_seq as_of_seq tokens".split()]
SEGMENTS = select(*(OWN[name] for name in COLUMNS)).where(OWN.thread_id == bindparam("of_thread"))
OF_KIND = Prepared(SEGMENTS.where(OWN.kind == bindparam("of_kind")).order_by(OWN.created_at))
NAMED = Prepared(SEGMENTS.where(OWN.handle == bindparam("known"), OWN.state != "pruned"))
DROP = Prepared(delete(SEGMENT).where(OWN.handle == bindparam("known")))
ADD = Prepared(insert(SEGMENT).values({n: bindparam(n, type_=OWN[n].type) for n in ("thread_id", *COLUMNS)}))


@dataclass(frozen=True, slots=True)
class Summary:
    """Turns up to the place `to` in somebody's words, with the findings of their newest queries."""

    words: str
    facts: tuple[str, ...]
    to: int
    messages: int
    at: datetime


@dataclass(frozen=True, slots=True)
class SegmentLine:
    """A line shown instead of messages."""

    text: str
    tokens: int
    seq: int
    at: datetime
    summary: Summary | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """Messages of a thread and the lines standing for them; `held_tokens` counts the messages.

    An archive holds `content` and hides `hides`. The automatic segment holds turns up to `last_turn`, as logged up to
    the message `as_of`.
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
        return sum(line.tokens for line in self.lines)

    @property
    def is_unused(self) -> bool:
        """Whether nothing stands for it any more, though its handle is known."""
        return self.state in ("bare", "restored")

    @property
    def summary(self) -> Summary | None:
        return self.lines[0].summary if self.lines else None

    @property
    def name(self) -> str:
        """Return the handle to load it by; an automatic one names its last turn and message, for the view moves on."""
        return self.handle if self.kind == ARCHIVE else folded_handle(self.thread, self.last_turn, self.as_of)

    @property
    def as_messages(self) -> tuple[LoggedMessage, ...]:
        return tuple(
            LoggedMessage(self.thread, line.seq, self.name, "user", line.text, AUTHOR, line.tokens, line.at)
            for line in self.lines
        )


def of_thread(connection: Connection, thread: ThreadRow, kind: str) -> list[Segment]:
    rows = OF_KIND.read(connection, {"of_thread": thread.id, "of_kind": kind})
    return [_segment(thread.key, row) for row in rows]


def automatic(connection: Connection, thread: ThreadRow) -> Segment | None:
    return next(iter(of_thread(connection, thread, AUTOMATIC)), None) if thread.folded else None


def folded_handle(key: ThreadKey, last_turn: int, as_of: int) -> str:
    return f"{HANDLE}{session(key)}/auto.{last_turn}.{as_of}"


def one(connection: Connection, thread: ThreadRow, handle: str) -> Segment:
    """Return a segment by handle. UserError for an unknown one."""
    own = FOLDED_HANDLE.fullmatch(handle.removeprefix(f"{HANDLE}{session(thread.key)}/"))
    if own is not None:
        last_turn, as_of = int(own[1]), int(own[2])
        now = datetime.now(UTC)
        return Segment(thread.key, handle, AUTOMATIC, "live", 0, 0, 0, (), now, last_turn=last_turn, as_of=as_of)
    rows = NAMED.read(connection, {"of_thread": thread.id, "known": handle})
    if not rows:
        raise UserError(f"There is no archive {handle} in this thread; use the operation list to see those there are.")
    return _segment(thread.key, rows[0])


def keep(connection: Connection, thread: ThreadRow, segment: Segment) -> None:
    DROP.do(connection, {"known": segment.handle})
    ADD.do(connection, {"thread_id": thread.id, **_values(segment)})


def drop(connection: Connection, handles: Iterable[str]) -> None:
    for handle in handles:
        DROP.do(connection, {"known": handle})


def strip(connection: Connection, thread: ThreadRow) -> None:
    live = (SEGMENT.c.thread_id == thread.id) & (SEGMENT.c.kind == ARCHIVE) & (SEGMENT.c.state == "live")
    connection.execute(update(SEGMENT).where(live).values(state="bare"))


def unfold(connection: Connection, thread: ThreadRow) -> None:
    """Delete the automatic segment; the log was never cut."""
    drop(connection, [segment.handle for segment in of_thread(connection, thread, AUTOMATIC)])


def is_summary(message: LoggedMessage) -> bool:
    """Whether this is a line of a segment; its `turn_id` is the handle."""
    return message.author == AUTHOR and message.turn_id.startswith(HANDLE)


def is_copy(message: LoggedMessage) -> bool:
    """Whether this is a restored copy; its `turn_id` begins with the handle."""
    return message.author != AUTHOR and message.turn_id.startswith(HANDLE)


def session(key: ThreadKey) -> str:
    return ":".join(part for part in (key.team, key.channel, key.thread_ts) if part)


def _segment(key: ThreadKey, row: Row) -> Segment:
    kept = dict(zip(COLUMNS, row, strict=True))
    return Segment(
        thread=key,
        lines=tuple(map(_line, kept["lines"])),
        content=tuple(map(Passage.stored, kept["content"])),
        hides=Passage.stored(kept["hides"]),
        last_turn=kept["last_turn_seq"],
        as_of=kept["as_of_seq"],
        **{name: kept[name] for name in PLAIN},
    )


def _values(segment: Segment) -> dict[str, Any]:
    return {name: getattr(segment, name) for name in PLAIN} | {
        "lines": [_storable(line) for line in segment.lines],
        "content": [passage.storable for passage in segment.content],
        "hides": segment.hides.storable,
        "last_turn_seq": segment.last_turn,
        "as_of_seq": segment.as_of,
        "tokens": segment.tokens,
    }


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
