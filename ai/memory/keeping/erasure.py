"""Deletes turns with everything derived from them, and rebuilds sums, sizes and views.

A file goes before the row naming it, so a crash leaves no nameless file.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from ai.memory.archives import placeholder
from ai.memory.keeping.quotations import QuotationEraser, Quotations
from ai.memory.learned import rulebook
from ai.memory.learned.preferences import PREFERENCE
from ai.memory.learned.rulebook import RULE
from ai.memory.learned.verified import VERIFIED
from ai.memory.log import checkpoints, overlay, segments, shared_files, threads
from ai.memory.log.messages import QUESTION
from ai.memory.log.segments import ARCHIVE, Segment, SegmentLine
from ai.memory.log.shared_files import SHARED_FILE
from ai.memory.log.spending import MODEL_CALL
from ai.memory.log.tables import INSET, MESSAGE, PHRASING, QUERY, RECEIPT, SEGMENT, THREAD, in_thread
from ai.memory.log.threads import ThreadRow
from ai.memory.seals import Chain
from ai.memory.views.conversation import Conversations
from ai.memory.workspaces import states
from ai.memory.workspaces.tables import STATE, TRACE
from ai.results.store import ResultStore
from ai.types import ThreadKey

AT_ONCE = 500  # turns in one statement
ANSWER = (PHRASING, QUERY)


@dataclass(frozen=True, slots=True)
class Eraser:
    """Deletes within one transaction. `rules_stay` spares rules an owner approved."""

    connection: Connection
    results: ResultStore
    conversations: Conversations
    chain: Chain
    rules_stay: bool = False

    def thread(self, key: ThreadKey) -> list[str]:
        states.erase(self.connection, self.results, in_thread(STATE, key))
        self.connection.execute(delete(TRACE).where(in_thread(TRACE, key, "session")))
        for table in (MODEL_CALL, PREFERENCE):
            self.connection.execute(delete(table).where(in_thread(table, key)))
        taught = [in_thread(table, key) for table in (VERIFIED, RULE)]
        rulebook.erase(self.connection, *taught, rules_stay=self.rules_stay)
        if threads.find(self.connection, key) is None:
            return []
        thread = threads.claim(self.connection, key)
        turns = [*self._turns(MESSAGE.c.thread_id == thread.id)]
        self._delete_files(QUERY.c.thread_id == thread.id)
        self.chain.erase(self.connection, RECEIPT.c.thread_id == thread.id)
        shared_files.erase(
            self.connection,
            SHARED_FILE.c.turn_id.in_(select(MESSAGE.c.turn_id).where(MESSAGE.c.thread_id == thread.id)),
        )
        for table in (*checkpoints.TABLES, INSET, SEGMENT, *ANSWER, MESSAGE):
            self.connection.execute(delete(table).where(table.c.thread_id == thread.id))
        self.connection.execute(delete(THREAD).where(THREAD.c.id == thread.id))
        return turns

    def turns(self, key: ThreadKey, turn_ids: Sequence[str]) -> list[str]:
        """Delete turns, and the thread with its last turn; return their ids."""
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
        thread = threads.claim(self.connection, key)
        self._delete_files(QUERY.c.turn_id == turn_id)
        self.chain.erase(self.connection, RECEIPT.c.turn_id == turn_id)
        for table in ANSWER:
            self.connection.execute(delete(table).where(table.c.turn_id == turn_id))
        rulebook.erase(self.connection, VERIFIED.c.turn_id == turn_id, RULE.c.turn_id == turn_id)
        self.connection.execute(delete(MESSAGE).where((MESSAGE.c.turn_id == turn_id) & (MESSAGE.c.part != QUESTION)))
        self.mend(thread)

    def begun_by(self, person: str) -> dict[ThreadKey, list[str]]:
        return self._by_thread((MESSAGE.c.author == person) & (MESSAGE.c.role == "user"))

    def said_by(self, person: str) -> list[str]:
        own = (MESSAGE.c.author == person) & (MESSAGE.c.role == "user")
        return list(self.connection.execute(select(MESSAGE.c.content).where(own)).scalars())

    def quotations(self, said: Iterable[str]) -> set[ThreadKey]:
        """Take deleted words out of whatever quotes them; return the threads that did."""
        known = Quotations.of(self.connection, said)
        touched = QuotationEraser(self.connection, self.results, self.conversations.count, self.chain, known).erase()
        for key in touched:
            if (thread := threads.find(self.connection, key)) is not None:
                self.mend(thread, archives=True)
        return touched

    def ended_before(self, moment: datetime, channel: str) -> dict[ThreadKey, list[str]]:
        """Return the turns of a channel without a message since `moment`, by thread; none for idle graphs."""
        rows = (
            select(THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts, MESSAGE.c.turn_id)
            .join(MESSAGE)
            .where(THREAD.c.channel == channel)
            .group_by(THREAD.c.id, MESSAGE.c.turn_id)
            .having(func.max(MESSAGE.c.created_at) < moment)
        )
        idle = self.connection.execute(checkpoints.idle_since(moment, channel))
        return {ThreadKey(*map(str, row)): [] for row in idle} | _grouped(self.connection.execute(rows))

    def mend(self, thread: ThreadRow, rewritten: int | None = None, *, archives: bool = False) -> None:
        """Rebuild everything derived from the messages; message `rewritten` has a new text.

        With `archives` the summaries of all archives are made anew, too.
        """
        checkpoints.erase(self.connection, thread.id)
        sums = (
            select(MESSAGE.c.id, func.sum(MESSAGE.c.tokens).over(order_by=MESSAGE.c.seq).label("total"))
            .where(MESSAGE.c.thread_id == thread.id)
            .subquery()
        )
        self.connection.execute(update(MESSAGE).where(MESSAGE.c.id == sums.c.id).values(cum_tokens=sums.c.total))
        total = select(func.coalesce(func.sum(MESSAGE.c.tokens), 0)).where(MESSAGE.c.thread_id == thread.id)
        self.connection.execute(update(THREAD).where(THREAD.c.id == thread.id).values(tokens=total.scalar_subquery()))
        for archive in segments.of_thread(self.connection, thread, ARCHIVE):
            self._mend_archive(thread, archive, rewritten, anew=archives)
        fresh = threads.find(self.connection, thread.key)
        if fresh is not None:
            self.conversations.viewer.refresh(self.connection, fresh)

    def _delete_turns(self, turn_ids: Collection[str]) -> None:
        self._delete_files(QUERY.c.turn_id.in_(turn_ids))
        self.chain.erase(self.connection, RECEIPT.c.turn_id.in_(turn_ids))
        states.erase(self.connection, self.results, STATE.c.turn_id.in_(turn_ids))
        taught = [table.c.turn_id.in_(turn_ids) for table in (VERIFIED, RULE)]
        rulebook.erase(self.connection, *taught, rules_stay=self.rules_stay)
        for table in (TRACE, MODEL_CALL, PREFERENCE, SHARED_FILE, *ANSWER, MESSAGE):
            self.connection.execute(delete(table).where(table.c.turn_id.in_(turn_ids)))

    def _delete_files(self, which: ColumnElement[bool]) -> None:
        kept = select(QUERY.c.result).where(which, QUERY.c.result.is_not(None))
        for handle in self.connection.execute(kept).scalars().all():
            self.results.delete(handle)

    def _mend_archive(self, thread: ThreadRow, archive: Segment, rewritten: int | None, *, anew: bool) -> None:
        """Recompute an archive; a summary somebody wrote is replaced."""
        held = [item.message for item in overlay.held(self.connection, thread, archive)]
        if not anew and len(held) == archive.messages and all(message.seq != rewritten for message in held):
            return
        if not held:
            segments.drop(self.connection, [archive.handle])
            overlay.remove(self.connection, [archive.handle])
            return
        chars, tokens = sum(len(message.content) for message in held), sum(message.tokens for message in held)
        shown = placeholder.parse(archive.lines[0].text) if archive.lines else None
        lines: tuple[SegmentLine, ...] = ()
        if shown is not None:
            summary, preview = placeholder.summary_of(held, None, True), placeholder.preview_of(held)
            now = replace(shown, messages=len(held), chars=chars, tokens=tokens, summary=summary, preview=preview)
            lines = (SegmentLine(now.text, self.conversations.count(now.text), held[0].seq, held[0].created_at),)
        else:
            overlay.remove_lines(self.connection, archive.handle)
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
