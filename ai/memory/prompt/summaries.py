"""Summaries of long threads, by a writer such as a language model, outside of any transaction.

Sentences with unknown figures are dropped; findings of queries come from the log.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from sqlalchemy import Connection

from ai.memory.log import overlay, queries, segments, threads
from ai.memory.log.database import reading, writing
from ai.memory.log.segments import Summary
from ai.memory.views.conversation import Conversations
from ai.types import LoggedMessage, ThreadKey

FIGURE = re.compile(r"\d[\d.,:]*")
SENTENCE = re.compile(r"(?<=[.!?])\s+")
MOST = 200  # messages that are summed up at once: the newest
FACTS = 10  # queries whose figures stay with a summary
LONGEST = 1200  # characters of a summary


class Summarise(Protocol):
    """Write a few sentences on an earlier summary and the messages since; "" on failure."""

    def __call__(self, thread: ThreadKey, before: str, messages: Sequence[LoggedMessage], /) -> str: ...


@dataclass(frozen=True, slots=True)
class Unsummarised:
    """Folded turns without a summary, and figures for the new one."""

    handle: str
    before: Summary | None
    messages: tuple[LoggedMessage, ...]
    to: int
    count: int
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summaries:
    """The summaries of one store; without a writer there are none."""

    conversations: Conversations
    summarise: Summarise | None = None

    def refresh(self, key: ThreadKey) -> bool:
        """Sum up folded turns once enough are waiting; return whether a summary was kept."""
        if self.summarise is None:
            return False
        with reading(self.conversations.engine) as connection:
            waiting = self._unsummarised(connection, key)
        if waiting is None:
            return False
        before = waiting.before.words if waiting.before else ""
        words = proven(self.summarise(key, before, waiting.messages), [before, *(m.content for m in waiting.messages)])
        return bool(words) and self._keep(key, waiting, words)

    def _unsummarised(self, connection: Connection, key: ThreadKey) -> Unsummarised | None:
        thread, limits = threads.find(connection, key), self.conversations.limits
        folded = segments.automatic(connection, thread) if thread and limits.compresses else None
        if thread is None or folded is None:
            return None
        before = folded.summary
        items = overlay.items(connection, thread, before.to if before else 0, thread.folded + 1)
        size = sum(item.message.tokens for item in items)
        if len(items) <= limits.many_messages and size <= limits.many_tokens:
            return None
        newest = items[-MOST:]
        found = queries.facts(connection, thread.id, newest[0].place.turn_seq, newest[0].place.turn_seq)
        turns = dict.fromkeys(item.message.turn_id for item in newest)
        facts = [*(before.facts if before else ()), *(found[turn] for turn in turns if turn in found)]
        count = len(items) + (before.messages if before else 0)
        messages = tuple(item.message for item in newest)
        return Unsummarised(folded.handle, before, messages, thread.folded, count, tuple(facts[-FACTS:]))

    def _keep(self, key: ThreadKey, waiting: Unsummarised, words: str) -> bool:
        """Keep a summary; return False when the thread changed meanwhile."""
        summary = Summary(words, waiting.facts, waiting.to, waiting.count, datetime.now(UTC))
        with writing(self.conversations.engine) as connection:
            thread = threads.claim(connection, key)
            folded = segments.automatic(connection, thread)
            if folded is None or (folded.handle, folded.summary) != (waiting.handle, waiting.before):
                return False
            self.conversations.viewer.refold(connection, thread, folded, summary)
        return True


def proven(words: str, said: Sequence[str]) -> str:
    """Return the sentences whose figures all stand in `said`."""
    known = {_bare(figure) for text in said for figure in FIGURE.findall(text)}
    kept, size = [], 0
    for sentence in SENTENCE.split(" ".join(words.split())):
        size += len(sentence) + 1
        if size <= LONGEST and all(_bare(figure) in known for figure in FIGURE.findall(sentence)):
            kept.append(sentence)
    return " ".join(kept)


def _bare(figure: str) -> str:
    return figure.rstrip(".,:").replace(",", "")
