"""Conversations: log, fold, clear and show the messages of a thread, each call in one transaction.

The view is the newest turns word for word, and lines for the turns in the automatic segment. The thread's row has its
size, so most appends need not read it.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby, islice
from uuid import uuid4

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError

from ai.language.remarks import remark_of
from ai.memory.limits import MemoryLimits
from ai.memory.log import messages as log
from ai.memory.log import overlay, queries, segments, threads
from ai.memory.log.compression import Compressed, Folds, compress
from ai.memory.log.database import reading, together, writing
from ai.memory.log.messages import QUESTION, Item, NewMessage, Span
from ai.memory.log.segments import HANDLE, Segment, Summary
from ai.memory.log.tables import AUTOMATIC
from ai.memory.log.threads import ThreadRow
from ai.tokens import TokenCounter
from ai.types import PLAIN, LoggedMessage, QuestionDetails, Role, ThreadKey

BOT = "assistant"
Also = Callable[[Connection, ThreadRow], None]  # written in the same transaction


@dataclass(frozen=True, slots=True)
class Viewer:
    limits: MemoryLimits
    count: Callable[[str], int]

    def show(self, connection: Connection, thread: ThreadRow, before: int | None = None) -> tuple[LoggedMessage, ...]:
        """Return the view, or the view before the turn at place `before`."""
        lines, boundary = self.past(connection, thread, before)
        if not boundary:
            return _messages(self._items(connection, thread, before))
        return lines + _messages(overlay.items(connection, thread, boundary, before))

    def past(
        self, connection: Connection, thread: ThreadRow, before: int | None = None
    ) -> tuple[tuple[LoggedMessage, ...], int]:
        """Return the lines of the folded turns and the place of the last of them; 0 when none is folded."""
        segment = segments.automatic(connection, thread) if thread.folded and self.limits.compresses else None
        if segment is None:
            return (), 0
        boundary = segment.last_turn
        if before is None or (before > boundary and log.has_turns(connection, Span(thread, boundary, before))):
            return segment.as_messages, boundary
        early = overlay.items(connection, thread, before_turn=before)
        view = self._compressed(connection, thread, early, len(early)) if self._are_over(early) else None
        if view is None:
            return (), 0
        kept = sum(map(len, view.kept))
        shown = replace(segment, lines=view.lines, last_turn=early[-kept].place.turn_seq - 1)
        return shown.as_messages, shown.last_turn

    def fold(self, connection: Connection, thread: ThreadRow, changed_turn: int | None = None) -> None:
        """Fold turns of an oversized view; fold anew when a folded turn has grown."""
        if not self.limits.compresses:
            return
        stale = changed_turn is not None and changed_turn <= thread.folded
        if not (stale or self.limits.are_exceeded(thread.view_messages, thread.view_tokens)):
            return
        folded = segments.automatic(connection, thread)
        self.refold(connection, thread, folded, folded.summary if folded else None)

    def refold(
        self, connection: Connection, thread: ThreadRow, folded: Segment | None, summary: Summary | None
    ) -> None:
        """Rewrite the lines of the oldest turns."""
        turns = self.limits.max_messages + self.limits.keep_recent
        newest = _newest_turns(connection, thread, turns)
        messages = thread.view_messages + (folded.messages - len(folded.lines) if folded else 0)
        handle = folded.handle if folded else f"{HANDLE}{segments.session(thread.key)}/{uuid4()}"
        view = self._compressed(connection, thread, newest, messages, summary)
        if view is not None:
            segment = _segment(thread, handle, newest, view)
            segments.keep(connection, thread, segment)
            shown = segment.tokens + sum(message.tokens for turn in view.kept for message in turn)
            threads.show(connection, thread, len(view.lines) + messages - view.folded, shown)

    def refresh(self, connection: Connection, thread: ThreadRow) -> None:
        """Rebuild the view after a change in the middle of the thread."""
        segments.unfold(connection, thread)
        everything = overlay.items(connection, thread)
        tokens = sum(item.message.tokens for item in everything)
        threads.show(connection, thread, len(everything), tokens)
        fresh = threads.find(connection, thread.key)
        if fresh is not None:
            self.fold(connection, fresh)

    @staticmethod
    def _items(connection: Connection, thread: ThreadRow, before: int | None) -> Sequence[Item]:
        if thread.archives:
            return overlay.items(connection, thread, before_turn=before)
        return log.items(connection, Span(thread, before_turn=before))

    def _are_over(self, items: Sequence[Item]) -> bool:
        return self.limits.are_exceeded(len(items), sum(item.message.tokens for item in items))

    def _compressed(
        self,
        connection: Connection,
        thread: ThreadRow,
        newest: Sequence[Item],
        messages: int,
        summary: Summary | None = None,
    ) -> Compressed | None:
        oldest = log.first_turn(connection, Span(thread))
        first_turn, newest_turns = oldest[0].seq, newest[0].place.turn_seq
        facts = queries.facts(connection, thread.id, first_turn, newest_turns)
        turns = log.by_turn(newest)

        def handle(keep: int) -> str:
            kept = sum(map(len, turns[-keep:]))
            return segments.folded_handle(thread.key, newest[-kept].place.turn_seq - 1, thread.last_seq)

        folds = Folds(turns, oldest, messages, facts, handle, summary)
        return compress(folds, self.limits, self.count)


@dataclass(frozen=True, slots=True)
class Conversations:
    """The conversations of one store."""

    engine: Engine
    limits: MemoryLimits
    count: TokenCounter

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.limits, self.count)

    def ask(
        self, key: ThreadKey, turn_id: str, content: str, author: str, at: datetime, more: QuestionDetails = PLAIN
    ) -> bool:
        """Log the question of a turn; return False when it is logged already. What a button says is no remark."""
        new = self._new(turn_id, QUESTION, "user", content, author, at)
        pressed, remark = (more.deed.stored, "") if more.deed else ("", new.remark)
        return self._append(key, replace(new, original=more.original, place=more.place, pressed=pressed, remark=remark))

    def reply(
        self,
        key: ThreadKey,
        turn_id: str,
        content: str,
        part: str,
        original: str | None = None,
        also: Also = lambda *_: None,
    ) -> bool:
        """Log a part of an answer, with what `also` writes."""
        new = self._new(turn_id, part, "assistant", content, BOT, datetime.now(UTC))
        return self._append(key, replace(new, original=original), also)

    def together(self) -> AbstractContextManager[None]:
        """Make what this thread writes inside one transaction. Keep it short: others wait."""
        return together(self.engine)

    def latest_turn(self, key: ThreadKey) -> str:
        """Return the newest turn's id, or a new one for an empty view."""
        with reading(self.engine) as connection:
            thread = threads.find(connection, key)
            newest = None if thread is None else log.newest_turn(connection, thread)
        return new_turn() if newest is None else newest[0]

    def question(self, turn_id: str, *, taken_back: bool = False) -> LoggedMessage | None:
        with reading(self.engine) as connection:
            return log.question(connection, turn_id, taken_back=taken_back)

    def knows(self, key: ThreadKey) -> bool:
        with reading(self.engine) as connection:
            thread = threads.find(connection, key)
        return thread is not None and thread.last_seq > 0

    def view(self, key: ThreadKey, before_turn: str | None = None) -> tuple[LoggedMessage, ...]:
        with reading(self.engine) as connection:
            thread = threads.find(connection, key)
            if thread is None:
                return ()
            before = None if before_turn is None else log.turn_seq(connection, thread, before_turn)
            return self.viewer.show(connection, thread, before)

    def trim(self, key: ThreadKey) -> None:
        with writing(self.engine) as connection:
            thread = threads.find(connection, key)
            if thread is not None:
                self.viewer.fold(connection, thread)

    def clear(self, key: ThreadKey) -> None:
        with writing(self.engine) as connection:
            thread = threads.clear(connection, key)
            segments.unfold(connection, thread)
            segments.strip(connection, thread)
            overlay.clear(connection, thread)

    def keys(self) -> tuple[ThreadKey, ...]:
        with reading(self.engine) as connection:
            return tuple(threads.keys(connection))

    def recent(self, messages: int) -> tuple[tuple[ThreadKey, datetime], ...]:
        """Return the threads of the last `messages` messages with their newest moment."""
        with reading(self.engine) as connection:
            return tuple(threads.recent(connection, messages))

    def knows_channel(self, team: str, channel: str) -> bool:
        """Whether anything was said in a channel."""
        with reading(self.engine) as connection:
            return threads.has_messages(connection, team, channel)

    def newest(self, team: str, channel: str) -> tuple[ThreadKey, datetime] | None:
        """Return the thread of a channel's newest message with its moment."""
        with reading(self.engine) as connection:
            return threads.newest(connection, team, channel)

    def _new(self, turn_id: str, part: str, role: Role, content: str, author: str, at: datetime) -> NewMessage:
        whole = content.encode("utf-8", "replace").decode()  # half of a surrogate pair cannot be stored
        size = self.count.count(whole)
        remark = remark_of(whole) if role == "user" else ""
        return NewMessage(turn_id, part, role, whole, author, size.tokens, size.exact, at, remark)

    def _append(self, key: ThreadKey, new: NewMessage, also: Also = lambda *_: None) -> bool:
        try:
            with writing(self.engine) as connection:
                thread, turn_seq = log.append(connection, key, new)
                self.viewer.fold(connection, thread, turn_seq)
                also(connection, thread)
        except IntegrityError:
            with reading(self.engine) as connection:
                if log.is_logged(connection, new.turn_id, new.part):
                    return False
            raise
        return True


def new_turn() -> str:
    return f"turn-{uuid4()}"


def _segment(thread: ThreadRow, handle: str, newest: Sequence[Item], view: Compressed) -> Segment:
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
    by_turn = groupby(overlay.newest_first(connection, thread, expected=2 * turns), lambda item: item.place.turn_seq)
    return [item for _, turn in islice(by_turn, turns) for item in turn][::-1]


def _messages(items: Sequence[Item]) -> tuple[LoggedMessage, ...]:
    return tuple(item.message for item in items)
