"""The view of a thread: its newest turns word for word, and a few lines for what its segment folds.

The segment is kept with the log, in the transaction that appends, so the view is within its limits whenever it is read.
How much it shows is counted in the row of the thread, so most appends need not look at it. Reading it neither counts
tokens nor looks at folded messages, unless it is asked as of a turn that is folded by now.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby, islice
from uuid import uuid4

from sqlalchemy import Connection

from ai.memory.limits import MemoryLimits
from ai.memory.log import messages as log
from ai.memory.log import overlay, queries, segments, threads
from ai.memory.log.compression import Compressed, Folds, compress, is_over
from ai.memory.log.messages import Item, Span
from ai.memory.log.segments import HANDLE, Folded, Segment, Summary
from ai.memory.log.threads import ThreadRow
from ai.memory.tables import AUTOMATIC
from ai.types import LoggedMessage


@dataclass(frozen=True, slots=True)
class Viewer:
    """Shows threads within limits. `count` says how many tokens a text has."""

    limits: MemoryLimits
    count: Callable[[str], int]

    def show(self, connection: Connection, thread: ThreadRow, before: int | None = None) -> tuple[LoggedMessage, ...]:
        """The view of a thread, or what it was before the turn that stands at `before`, oldest first."""
        segment = segments.automatic(connection, thread) if self.limits.compresses else None
        if segment is None:
            return _messages(overlay.items(connection, thread, before_turn=before))
        boundary = segment.last_turn
        if before is None or before > boundary:
            newer = overlay.items(connection, thread, boundary, before)
            if newer or before is None:
                return segment.as_messages + _messages(newer)
        early = overlay.items(connection, thread, before_turn=before)
        view = (
            self._compressed(connection, thread, early, len(early), segment.handle) if self._are_over(early) else None
        )
        if view is None:
            return _messages(early)
        lines = replace(segment, lines=view.lines).as_messages
        return lines + tuple(message for turn in view.kept for message in turn)

    def fold(self, connection: Connection, thread: ThreadRow, changed_turn: int | None = None) -> None:
        """Fold more of the thread when its view is over its limits, or anew when a folded turn was added to."""
        if not self.limits.compresses:
            return
        stale = changed_turn is not None and changed_turn <= thread.folded
        if not (stale or is_over(thread.view_messages, thread.view_tokens, self.limits)):
            return
        folded = segments.folded(connection, thread)
        self.refold(connection, thread, folded, folded.summary if folded else None)

    def refold(self, connection: Connection, thread: ThreadRow, folded: Folded | None, summary: Summary | None) -> None:
        """Make anew what stands for the oldest turns; a summary stands for those that it tells."""
        turns = self.limits.max_messages + self.limits.keep_recent
        newest = _newest_turns(connection, thread, turns)
        messages = thread.view_messages + (folded.messages - len(folded.lines) if folded else 0)
        handle = folded.handle if folded else f"{HANDLE}{segments.session(thread.key)}/{uuid4()}"
        view = self._compressed(connection, thread, newest, messages, handle, summary)
        if view is not None:
            segment = _segment(thread, handle, newest, view)
            if folded:
                segments.grow(connection, segment)
            else:
                segments.keep(connection, thread, segment)
            shown = segment.tokens + sum(message.tokens for turn in view.kept for message in turn)
            threads.show(connection, thread, len(view.lines) + messages - view.folded, shown)

    def refresh(self, connection: Connection, thread: ThreadRow) -> None:
        """Make the view anew from the log, after something in the middle of the thread has changed."""
        segments.unfold(connection, thread)
        everything = overlay.items(connection, thread)
        tokens = sum(item.message.tokens for item in everything)
        threads.show(connection, thread, len(everything), tokens)
        fresh = threads.find(connection, thread.key)
        if fresh is not None:
            self.fold(connection, fresh)

    def _are_over(self, items: Sequence[Item]) -> bool:
        return is_over(len(items), sum(item.message.tokens for item in items), self.limits)

    def _compressed(
        self,
        connection: Connection,
        thread: ThreadRow,
        newest: Sequence[Item],
        messages: int,
        handle: str,
        summary: Summary | None = None,
    ) -> Compressed | None:
        oldest = log.first_turn(connection, Span(thread))
        first_turn, newest_turns = oldest[0].seq, newest[0].place.turn_seq
        facts = queries.facts(connection, thread.id, first_turn, newest_turns)
        folds = Folds(log.by_turn(newest), oldest, messages, facts, handle, summary)
        return compress(folds, self.limits, self.count)


def _segment(thread: ThreadRow, handle: str, newest: Sequence[Item], view: Compressed) -> Segment:
    """The automatic segment that folds what the view does not keep."""
    kept = sum(map(len, view.kept))
    return Segment(
        thread=thread.key,
        handle=handle,
        kind=AUTOMATIC,
        state="live",
        messages=view.folded,
        chars=0,
        held_tokens=0,
        lines=view.lines,
        created_at=datetime.now(UTC),
        last_turn=newest[-kept].place.turn_seq - 1,
        as_of=thread.last_seq,
    )


def _newest_turns(connection: Connection, thread: ThreadRow, turns: int) -> list[Item]:
    """The items of the last so many turns, in order; what stands behind a message belongs to its turn."""
    by_turn = groupby(overlay.newest_first(connection, thread, expected=2 * turns), lambda item: item.place.turn_seq)
    return [item for _, turn in islice(by_turn, turns) for item in turn][::-1]


def _messages(items: Sequence[Item]) -> tuple[LoggedMessage, ...]:
    return tuple(item.message for item in items)
