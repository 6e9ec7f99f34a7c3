"""Makes the turn, and the question that an analyst sees: the catalogue of its source, the thread so far, the asker's day."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

from ai.agents.learning.accepted import Accepted, day_of
from ai.agents.learning.definitions import Definitions
from ai.agents.port import Answer, ReplyEvent, Turn
from ai.agents.rights.audience import Audience
from ai.agents.rights.hearing import Hearing
from ai.analysts.port import Question
from ai.answers.receipt import Basis
from ai.errors import NotAllowed, SqlRefused
from ai.memory.learned import Verified
from ai.memory_store import MemoryStore
from ai.nl2sql.definitions_used import definitions_used
from ai.sql.database import Database
from ai.sql.semantics.check import fitting
from ai.sql.semantics.semantics import Semantics, visible
from ai.types import LoggedMessage, PastQuery, Request, ThreadKey

LINE_TOKENS = 12  # of who said a message, and when


class Asking:
    """Looks up what belongs to a question. The first source is the one that is meant when none is named.

    `semantics` are the definitions of each source as its file has them. With `recalled`, a question comes with so many
    tokens of what was said last and of what fits it, instead of the view of its thread.
    """

    def __init__(
        self,
        memory: MemoryStore,
        sources: Mapping[str, Database],
        semantics: Mapping[str, Semantics] | None = None,
        recalled: int = 0,
    ) -> None:
        self._memory = memory
        self._sources = sources
        self._recalled = recalled
        self.definitions = Definitions(memory, semantics or {})
        self.accepted = Accepted(memory, self.definitions)
        self.audience = Audience(sources, memory.parts.results)
        self.hearing = Hearing(memory, self.audience)

    def source(self, turn: Turn) -> Database:
        """The database that the turn is about, as the asker may see it."""
        database = self._sources.get(turn.request.source)
        if database is None:
            raise NotAllowed("This channel's data source is no longer configured; ask an owner of the bot.")
        return database.seen_by(turn.request.roles)

    def verified(self, turn: Turn) -> Verified | None:
        """The accepted answer to the very question of a turn, as far as it holds now and for the asker."""
        return turn.once("verified", lambda: self.accepted.answer(turn.request, self.source(turn)))

    def past(self, turn: Turn) -> tuple[PastQuery, ...]:
        """The queries of earlier turns of the thread, newest first, whoever may see them."""
        request = turn.request
        return turn.once("past", lambda: self._memory.queries(request.thread, before_turn=request.turn_id))

    def basis(self, turn: Turn, query: PastQuery) -> Basis:
        """What a query that ran rests on; nothing is told when its tables have changed since."""
        database, semantics = self.source(turn), self._defined(turn, query.source)
        try:
            tables = database.check(query.sql).tables
        except SqlRefused:
            return Basis(version=semantics.version)
        return Basis(tables, definitions_used(query.sql, semantics, database.dialect.name), semantics.version)

    def question(self, turn: Turn, *, recall: bool = True) -> Question:
        """The question with everything that an analyst may look at; without what was said before when not to `recall`."""
        question = turn.once("question", lambda: self._question(turn))
        return replace(question, history=self._history(turn)) if recall else question

    def _question(self, turn: Turn) -> Question:
        request = turn.request
        database, defined = self.source(turn), self._defined(turn, request.source)
        catalog = visible(database.catalog(), defined)
        return Question(
            text=request.text,
            catalog=catalog,
            today=day_of(request),
            past=self.audience.shown(self.past(turn), request.roles),
            semantics=fitting(defined, catalog),
            examples=self.accepted.examples(request, database),
            turn_id=request.turn_id,
            user=request.user,
            thread=request.thread,
            stop=turn.stop,
        )

    def _defined(self, turn: Turn, source: str) -> Semantics:
        return turn.once(f"definitions of {source}", lambda: self.definitions.of(source))

    def _history(self, turn: Turn) -> tuple[LoggedMessage, ...]:
        request = turn.request
        if not self._recalled:
            return self.hearing.heard(turn.history, request)
        recalled = self._memory.search.context(
            request.thread, request.text, self._recalled, _size_in_a_prompt, except_turn=request.turn_id
        )
        return self.hearing.heard(recalled, request)

    def lone_turn(
        self, question: str, thread_ts: ThreadKey | str, history: Sequence[LoggedMessage] | None = None
    ) -> Turn:
        """A turn of its own under a fresh id, for a caller without an engine; the history is looked up when not given."""
        thread = ThreadKey.of(thread_ts)
        request = Request(
            turn_id=f"lone:{uuid4().hex}",
            thread=thread,
            text=question,
            user="",
            asked_at=datetime.now(UTC),
            source=next(iter(self._sources)),
        )
        return Turn(request, self._memory.history(thread) if history is None else tuple(history))


def _size_in_a_prompt(message: LoggedMessage) -> int:
    return message.tokens + LINE_TOKENS


class SeedCalls(ABC):
    """Seed 004's way to call an agent: a text, a thread, and the history when the caller has it already."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    @abstractmethod
    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Answer the message of a turn."""

    def stream(
        self, text: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Iterator[ReplyEvent]:
        """The reply, event by event."""
        return self.run(self._asking.lone_turn(text, thread_ts, conversation_history))

    def whole(
        self, text: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Answer:
        """The whole reply; each agent has it under its own name of the seed."""
        return Answer(tuple(self.stream(text, thread_ts, conversation_history)))
