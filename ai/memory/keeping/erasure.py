"""Deletes turns with everything that came of them: messages, queries, rows, states, calls, archives, and what was taught.

This is the one place that deletes from the log. What was derived from it is made anew: prefix sums, sizes, the view. A
file goes before the row that names it, so that a crash in between leaves no file which nothing names any more.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from ai.memory.archives import placeholder
from ai.memory.learned import rulebook
from ai.memory.learned.tables import RULE, VERIFIED
from ai.memory.log import insets, overlay, segments, spending, threads
from ai.memory.log.messages import QUESTION
from ai.memory.log.segments import ARCHIVE, Segment, SegmentLine
from ai.memory.log.spending import MODEL_CALL
from ai.memory.log.threads import ThreadRow
from ai.memory.prompt.conversation import Conversations
from ai.memory.tables import INSET, MESSAGE, PHRASING, QUERY, RECEIPT, SEGMENT, THREAD
from ai.memory.workspaces import states
from ai.memory.workspaces.tables import STATE, TRACE
from ai.results.store import ResultStore
from ai.types import ThreadKey

AT_ONCE = 500  # turns in one statement
ANSWER = (PHRASING, RECEIPT, QUERY)


@dataclass(frozen=True, slots=True)
class Eraser:
    """Deletes within one transaction. With `rules_stay` it leaves rules that an owner approved."""

    connection: Connection
    results: ResultStore
    conversations: Conversations
    rules_stay: bool = False

    def thread(self, key: ThreadKey) -> list[str]:
        """Delete a whole thread; the ids of its turns."""
        own = (STATE.c.team == key.team) & (STATE.c.channel == key.channel) & (STATE.c.thread_ts == key.thread_ts)
        states.erase(self.connection, self.results, own)
        traced = (TRACE.c.team == key.team) & (TRACE.c.channel == key.channel) & (TRACE.c.session == key.thread_ts)
        self.connection.execute(delete(TRACE).where(traced))
        spending.erase_thread(self.connection, key)
        taught = [
            (table.c.team == key.team) & (table.c.channel == key.channel) & (table.c.thread_ts == key.thread_ts)
            for table in (VERIFIED, RULE)
        ]
        rulebook.erase(self.connection, *taught, rules_stay=self.rules_stay)
        if threads.find(self.connection, key) is None:
            return []
        thread = threads.claim(self.connection, key)
        turns = [*self._turns(MESSAGE.c.thread_id == thread.id)]
        self._delete_files(QUERY.c.thread_id == thread.id)
        for table in (INSET, SEGMENT, *ANSWER, MESSAGE):
            self.connection.execute(delete(table).where(table.c.thread_id == thread.id))
        self.connection.execute(delete(THREAD).where(THREAD.c.id == thread.id))
        return turns

    def turns(self, key: ThreadKey, turn_ids: Sequence[str]) -> list[str]:
        """Delete some turns of a thread, or all of it when no others are left; the ids of those that were there."""
        thread = threads.claim(self.connection, key)
        for start in range(0, len(turn_ids), AT_ONCE):
            self._delete_turns(turn_ids[start : start + AT_ONCE])
        left = select(MESSAGE.c.id).where(MESSAGE.c.thread_id == thread.id).limit(1)
        if self.connection.execute(left).first() is None:
            self.thread(key)
        else:
            self.mend(thread)
        return list(turn_ids)

    def answer(self, key: ThreadKey, turn_id: str) -> None:
        """Delete what a turn answered, and leave its question."""
        thread = threads.claim(self.connection, key)
        self._delete_files(QUERY.c.turn_id == turn_id)
        for table in ANSWER:
            self.connection.execute(delete(table).where(table.c.turn_id == turn_id))
        rulebook.erase(self.connection, VERIFIED.c.turn_id == turn_id, RULE.c.turn_id == turn_id)
        self.connection.execute(delete(MESSAGE).where((MESSAGE.c.turn_id == turn_id) & (MESSAGE.c.part != QUESTION)))
        self.mend(thread)

    def begun_by(self, person: str) -> dict[ThreadKey, list[str]]:
        """The turns that a person began, by thread."""
        return self._by_thread((MESSAGE.c.author == person) & (MESSAGE.c.role == "user"))

    def ended_before(self, moment: datetime, channel: str) -> dict[ThreadKey, list[str]]:
        """The turns in which nothing was said since a moment, of the threads of a channel."""
        rows = (
            select(THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts, MESSAGE.c.turn_id)
            .join(MESSAGE)
            .where(THREAD.c.channel == channel)
            .group_by(THREAD.c.id, MESSAGE.c.turn_id)
            .having(func.max(MESSAGE.c.created_at) < moment)
        )
        return _grouped(self.connection.execute(rows))

    def mend(self, thread: ThreadRow, rewritten: int | None = None) -> None:
        """Make everything anew that is derived from the messages of a thread, of which one may say something else now."""
        sums = (
            select(MESSAGE.c.id, func.sum(MESSAGE.c.tokens).over(order_by=MESSAGE.c.seq).label("total"))
            .where(MESSAGE.c.thread_id == thread.id)
            .subquery()
        )
        self.connection.execute(update(MESSAGE).where(MESSAGE.c.id == sums.c.id).values(cum_tokens=sums.c.total))
        total = select(func.coalesce(func.sum(MESSAGE.c.tokens), 0)).where(MESSAGE.c.thread_id == thread.id)
        self.connection.execute(update(THREAD).where(THREAD.c.id == thread.id).values(tokens=total.scalar_subquery()))
        for archive in segments.of_thread(self.connection, thread, ARCHIVE):
            self._mend_archive(thread, archive, rewritten)
        fresh = threads.find(self.connection, thread.key)
        if fresh is not None:
            self.conversations.viewer.refresh(self.connection, fresh)

    def _delete_turns(self, turn_ids: Collection[str]) -> None:
        self._delete_files(QUERY.c.turn_id.in_(turn_ids))
        states.erase(self.connection, self.results, STATE.c.turn_id.in_(turn_ids))
        taught = [table.c.turn_id.in_(turn_ids) for table in (VERIFIED, RULE)]
        rulebook.erase(self.connection, *taught, rules_stay=self.rules_stay)
        for table in (TRACE, MODEL_CALL, *ANSWER, MESSAGE):
            self.connection.execute(delete(table).where(table.c.turn_id.in_(turn_ids)))

    def _delete_files(self, which: ColumnElement[bool]) -> None:
        kept = select(QUERY.c.result).where(which, QUERY.c.result.is_not(None))
        for handle in self.connection.execute(kept).scalars().all():
            self.results.delete(handle)

    def _mend_archive(self, thread: ThreadRow, archive: Segment, rewritten: int | None) -> None:
        """Sizes and texts of an archive by what it holds now; what somebody wrote about it goes with what it told."""
        held = [item.message for item in overlay.held(self.connection, thread, archive)]
        if len(held) == archive.messages and all(message.seq != rewritten for message in held):
            return
        if not held:
            segments.drop(self.connection, [archive.handle])
            insets.remove(self.connection, [archive.handle])
            return
        chars, tokens = sum(len(message.content) for message in held), sum(message.tokens for message in held)
        shown = placeholder.parse(archive.lines[0].text) if archive.lines else None
        lines: tuple[SegmentLine, ...] = ()
        if shown is not None:
            summary, preview = placeholder.summary_of(held, None, True), placeholder.preview_of(held)
            now = replace(shown, messages=len(held), chars=chars, tokens=tokens, summary=summary, preview=preview)
            lines = (SegmentLine(now.text, self.conversations.count(now.text), held[0].seq, held[0].created_at),)
        else:
            insets.remove_lines(self.connection, archive.handle)
        changed = replace(archive, messages=len(held), chars=chars, held_tokens=tokens, lines=lines)
        segments.keep(self.connection, thread, changed)

    def _turns(self, which: ColumnElement[bool]) -> Sequence[str]:
        return self.connection.execute(select(MESSAGE.c.turn_id).where(which).distinct()).scalars().all()

    def _by_thread(self, which: ColumnElement[bool]) -> dict[ThreadKey, list[str]]:
        columns = (THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts, MESSAGE.c.turn_id)
        return _grouped(self.connection.execute(select(*columns).join(MESSAGE).where(which).distinct()))


def _grouped(rows: Iterable[Any]) -> dict[ThreadKey, list[str]]:
    found: dict[ThreadKey, list[str]] = {}
    for team, channel, thread_ts, turn_id in rows:
        found.setdefault(ThreadKey(team, channel, thread_ts), []).append(turn_id)
    return found
