"""Holds a whole reply to the rights of all its readers, and enters it into the log of access.

Answers are judged by their queries. Where a reply has none, its words come from the asker's view of the tables: names
and values hidden from somebody are not for them.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property

from ai.agents.port import (
    ActionsEvent,
    CautionEvent,
    PrivateEvent,
    QuestionEvent,
    QuoteEvent,
    ReplyEvent,
    StatusEvent,
    Turn,
    said,
)
from ai.agents.question_context import QuestionContext
from ai.analysts.port import Analyst, Paid
from ai.errors import NotAllowed, SourceUnavailable, SqlRefused, UserError
from ai.language.words import name_parts, stems
from ai.memory_store import AccessEntry, MemoryStore, Outcome
from ai.types import NOBODY, AnsweredQuery, DraftQuery, PastQuery

Words = tuple[str, ...]
Roles = tuple[str, ...]
WORKING = "Working on it…"
SUMMED_UP = 1_000  # answers of a thread that a summary may be about
LONGEST = 5  # words of a name or a value
UNSURE: Mapping[Roles, int] = {(NOBODY,): 0}  # who reads it cannot be known
PLAIN_NUMBER = re.compile(r"[\d.,:/ -]*")


@dataclass
class ReplyCheck:
    """Looks at one reply while it is told. With `quotes` its words are those of people and of earlier replies."""

    context: QuestionContext
    memory: MemoryStore
    analyst: Analyst
    turn: Turn
    quotes: bool = False
    _said: list[str] = field(default_factory=list)

    def seen(self, event: ReplyEvent) -> ReplyEvent:
        """Note the words of an event; leave out questions with names hidden from others."""
        if not self._divides:
            return event
        if isinstance(event, StatusEvent):  # everybody reads it, before anybody knows what becomes of the answer
            return StatusEvent(WORKING) if any(map(str.isdigit, event.text)) else event
        if isinstance(event, ActionsEvent):
            return self._fit_for_all(event)
        if isinstance(event, QuestionEvent | CautionEvent):
            self._said.append(event.text if isinstance(event, CautionEvent) else said(event))
        elif not isinstance(event, QuoteEvent) and (words := said(event)) and not self._has_data:
            self._said.append(words)
        return event

    def ended(self) -> PrivateEvent | None:
        """Log the reply; return an event if it is not for all its readers."""
        if not self._divides:
            return None
        records = self.memory.turn_queries(self.turn.request.turn_id)
        if self._is_of_model(records):
            self._note_prompt()
        for query in _answered(records):
            self.context.audience.note(query, self.turn.request, rows=query.result is not None)
        hidden = sum(count for roles, count in self._others.items() if self._hides(roles))
        is_private = self._is_beyond(hidden) or (self._others is UNSURE and self._hides((NOBODY,)))
        if is_private or self.turn.request.disclosed.queries:
            self._log(hidden, "told privately" if is_private else "told")
        return PrivateEvent(hidden) if is_private else None

    def _is_of_model(self, records: Iterable[PastQuery | DraftQuery]) -> bool:
        """Whether a language model wrote something of the reply: it may repeat what its prompt held."""
        return isinstance(self.analyst, Paid) and any(record.analyst == self.analyst.name for record in records)

    def _note_prompt(self) -> None:
        request = self.turn.request
        request.disclosed.queries += request.prompted.queries
        request.disclosed.summaries |= request.prompted.summaries

    def refused(self, reason: UserError) -> None:
        """Log a refusal by rights."""
        if isinstance(reason, NotAllowed) and self._divides:
            self._log(0, "refused")

    def _is_beyond(self, hidden: int) -> bool:
        """Whether more people may not see the reply than somebody decided to share it with."""
        shared = self.memory.access.shared(self.turn.request.turn_id) if hidden else None
        return hidden > (shared.hidden_from if shared else 0)

    @cached_property
    def _others(self) -> Mapping[Roles, int]:
        try:
            return self.turn.request.readers.roles()
        except SourceUnavailable:
            return UNSURE

    @property
    def _divides(self) -> bool:
        request, audience = self.turn.request, self.context.audience
        return audience.divides(request.source) or any(
            audience.divides(one.source) for one in request.disclosed.queries
        )

    @property
    def _has_data(self) -> bool:
        request = self.turn.request
        return bool(request.disclosed.queries) or any(_answered(self.memory.turn_queries(request.turn_id)))

    def _hides(self, roles: Roles) -> bool:
        """Whether something of the reply is kept back from people of these roles."""
        request, audience = self.turn.request, self.context.audience
        if any(audience.hides(told, roles) for told in request.disclosed.queries):
            return True
        if request.disclosed.summaries and audience.restricts(request.source, roles) and self._sums_up_hidden(roles):
            return True
        return not self.quotes and self._names_hidden(roles, "\n".join(self._said))

    def _sums_up_hidden(self, roles: Roles) -> bool:
        """Whether a summary of the thread may hold something kept back: an answer, or a private reply."""
        thread, audience = self.turn.request.thread, self.context.audience
        if self.memory.access.has_private(thread):
            return True
        return any(not audience.tells(query, roles) for query in self.memory.queries(thread, SUMMED_UP))

    def _fit_for_all(self, event: ActionsEvent) -> ActionsEvent:
        asks = (ask for ask in event.asks if not any(self._names_hidden(roles, ask[0]) for roles in self._others))
        return replace(event, asks=tuple(asks))

    def _names_hidden(self, roles: Roles, text: str) -> bool:
        hidden = self.turn.once(f"names hidden from {roles}", lambda: self._hidden_words(roles))
        return bool(hidden) and any(run in hidden for run in _runs(text))

    def _hidden_words(self, roles: Roles) -> Set[Words]:
        """Return names and values seen by the asker and not by others, but for those in the asker's own words."""
        request = self.turn.request
        own = self.turn.once("own names", lambda: self._names(request.roles))
        typed = (request.text, *(query.question for query in self.context.past(self.turn)))
        return own - self._names(roles) - {run for text in typed for run in _runs(text)}

    def _names(self, roles: Collection[str]) -> frozenset[Words]:
        try:
            return frozenset(self._names_seen(roles))
        except SourceUnavailable:
            return frozenset()

    def _names_seen(self, roles: Collection[str]) -> Iterator[Words]:
        for name in self.context.names_seen(self.turn, roles):
            parts = stems(name_parts(name))
            if 0 < len(parts) <= LONGEST and not PLAIN_NUMBER.fullmatch(name) and len("".join(parts)) > 1:
                yield parts

    def _log(self, hidden: int, outcome: Outcome) -> None:
        request, told = self.turn.request, self.turn.request.disclosed.queries
        database = self.context.seen_source(request.source)
        entry = AccessEntry(
            at=datetime.now(UTC),
            thread=request.thread,
            turn_id=request.turn_id,
            person=request.user,
            outcome=outcome,
            surface="reply",
            source=request.source,
            right=database.right_of(request.roles) if database else "",
            tables=tuple(sorted({table for one in told for table in self._tables(one.source, one.sql)})),
            readers=sum(self._others.values()),
            hidden_from=hidden,
        )
        self.turn.step("log access", lambda: self.memory.access.add(entry))

    def _tables(self, source: str, sql: str) -> Collection[str]:
        database = self.context.seen_source(source)
        try:
            return () if database is None else database.seen_by(self.turn.request.roles).check(sql).tables
        except SqlRefused:
            return ()


def _answered(records: Iterable[PastQuery | DraftQuery]) -> Iterator[AnsweredQuery]:
    return (record for record in records if isinstance(record, AnsweredQuery))


def _runs(text: str) -> Iterator[Words]:
    """Yield every run of words of a text, as names are compared."""
    words = stems(name_parts(text))
    for start in range(len(words)):
        for length in range(1, LONGEST + 1):
            yield words[start : start + length]
