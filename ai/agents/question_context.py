"""Builds turns and questions: catalogue, definitions, thread so far, local day."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

from ai.agents.learning.accepted import Accepted, day_of
from ai.agents.learning.definitions import Definitions
from ai.agents.personal import PersonalTurn, personal
from ai.agents.port import Turn
from ai.agents.rights.audience import Audience, AudienceFilter
from ai.analysts.port import Question
from ai.answers.naming import Names
from ai.answers.reading import reading, reading_in_language
from ai.answers.receipt import Basis
from ai.charts.design import CHART_TOOL
from ai.errors import NotAllowed, SqlRefused
from ai.language.texts import ENGLISH, locale_for
from ai.memory.learned import Verified
from ai.memory.prompt import ThreadPart
from ai.memory.workspaces import State
from ai.memory_store import MemoryStore
from ai.nl2sql.definitions_used import definitions_used
from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.sketching import names_something, nothing_unknown
from ai.nl2sql.worth import of_an_amount
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.facts import facts_of
from ai.sql.semantics import Semantics, fitting, visible
from ai.types import AnsweredQuery, Disclosed, LoggedMessage, Place, Request, ThreadKey

LATELY = 50  # traces of a thread that are looked at
SHOWING = frozenset({CHART_TOOL, "get_sql_history_tool", "get_cached_results_tool"})


class QuestionContext:
    """Looks up the context of a question. `sources` begins with the default one."""

    def __init__(
        self,
        memory: MemoryStore,
        sources: Mapping[str, Database],
        semantics: Mapping[str, Semantics] | None = None,
        language: str = ENGLISH,
    ) -> None:
        self._language = language
        self._memory = memory
        self._sources = sources
        self.definitions = Definitions(memory, semantics or {})
        self.accepted = Accepted(memory, self.definitions)
        self.audience = Audience(sources, memory.parts.results)
        self.audience_filter = AudienceFilter(memory, self.audience)

    def source(self, turn: Turn) -> Database:
        """Return the database as the asker may see it. Raises NotAllowed."""
        database = self._sources.get(turn.request.source)
        if database is None:
            raise NotAllowed("This channel's data source is no longer configured; ask an owner of the bot.")
        return database.seen_by(turn.request.roles)

    def seen_source(self, name: str) -> Database | None:
        return self._sources.get(name)

    def names_seen(self, turn: Turn, roles: Collection[str]) -> Iterator[str]:
        """Yield the names of tables, columns, values and definitions as seen with these roles."""
        source = turn.request.source
        if (database := self._sources.get(source)) is None:
            return
        defined = self._defined(turn, source)
        catalog = visible(database.seen_by(roles).catalog(), defined)
        fit = fitting(defined, catalog)
        yield from (one.name for one in fit.metrics)
        yield from (one.name for one in fit.terms)
        yield from (one.word for one in fit.synonyms)
        for table in catalog.tables:
            yield table.name
            for column in table.columns:
                yield column.name
                yield from map(str, column.values)

    def names_data(self, request: Request) -> bool:
        """Whether a message just names data of its author. Raises NotAllowed."""
        turn = Turn(request)
        defined = self._defined(turn, request.source)
        catalog = visible(self.source(turn).catalog(), defined)
        lexicon, today = lexicon_of(catalog, fitting(defined, catalog)), day_of(request)
        said = of_an_amount(request.text, lexicon)
        return nothing_unknown(said, lexicon, today) and names_something(said, lexicon, today)

    def verified(self, turn: Turn) -> Verified | None:
        """Return the accepted answer to this question, if it still holds for the asker."""
        meant = self.personal(turn).turn.request
        return turn.once("verified", lambda: self.accepted.answer(meant, self.source(turn)))

    def personal(self, turn: Turn) -> PersonalTurn:
        """Return the turn in the words its author means."""
        return turn.once("personal", lambda: personal(turn, self._memory.preferences))

    def past(self, turn: Turn) -> tuple[AnsweredQuery, ...]:
        """Return the queries of earlier turns, newest first, regardless of rights."""
        request = turn.request
        return turn.once("past", lambda: self._memory.queries(request.thread, before_turn=request.turn_id))

    def states(self, request: Request, *, include_archived: bool = False) -> tuple[State, ...]:
        """Return the saved states of a place; from other channels only those with nothing kept back from the asker."""
        known = self._memory.states.all(Place.of(request), include_archived=include_archived)
        return tuple(one for one in known if self._reaches(one, request))

    def note_sql(self, turn: Turn, sql: str) -> None:
        """Note SQL told of in a reply, run under the asker's rights."""
        if self.audience.divides(turn.request.source):
            mark = self.source(turn).check(sql).mark
            turn.request.disclosed.queries.append(Disclosed(turn.request.source, sql, mark))

    def note_states(self, states: Iterable[State], request: Request) -> None:
        """Note the states told of in a reply; those of the same channel were open there."""
        for state in states:
            if state.query is not None and state.origin.thread.channel != request.thread.channel:
                self.audience.note(state.query, request)

    def _reaches(self, state: State, request: Request) -> bool:
        is_here = state.origin.thread.channel == request.thread.channel
        return is_here or state.query is None or self.audience.tells(state.query, request.roles)

    def basis(self, turn: Turn, query: AnsweredQuery) -> Basis:
        """Return the tables and definitions under a query; no tables if they changed."""
        database, semantics = self.source(turn), self._defined(turn, query.source)
        try:
            tables = database.check(query.sql).tables
        except SqlRefused:
            return Basis(version=semantics.version)
        used = definitions_used(query.sql, semantics, database.dialect.name)
        names = self.names(turn, query)
        said = reading(names) if names.language == ENGLISH else reading_in_language(names)
        short = names.read_as()
        said = f"{said} ({short})" if said and short else said
        return Basis(tables, used, semantics.version, said)

    def described(self, query: AnsweredQuery, roles: tuple[str, ...]) -> tuple[Catalog, tuple[str, ...]]:
        """Return the schema people of these roles see, and the tables of a query."""
        database = self._sources[query.source].seen_by(roles)
        catalog = visible(database.catalog(), self.definitions.of(query.source))
        return catalog, facts_of(query.sql, catalog, query.created_at.date()).tables

    def lexicon(self, query: AnsweredQuery, roles: tuple[str, ...]) -> Lexicon:
        """Return the words of the schema that people of these roles see."""
        defined = self.definitions.of(query.source)
        catalog = visible(self._sources[query.source].seen_by(roles).catalog(), defined)
        return lexicon_of(catalog, fitting(defined, catalog))

    def names(self, turn: Turn, query: AnsweredQuery) -> Names:
        """Return the facts of a query with the words for them."""
        return turn.once(f"names of q{query.id}", lambda: self._names(turn, query))

    def reading_of(self, turn: Turn, sql: str) -> str:
        """Return checked SQL in words."""
        return reading(self._named(turn, sql, turn.request.source))

    def _names(self, turn: Turn, query: AnsweredQuery) -> Names:
        return self._named(turn, query.sql, query.source)

    def _named(self, turn: Turn, sql: str, source: str) -> Names:
        defined = self._defined(turn, source)
        catalog, today = visible(self.source(turn).catalog(), defined), day_of(turn.request)
        semantics, request = fitting(defined, catalog), turn.request
        return Names(
            replace(facts_of(sql, catalog, today, semantics), masked=self._masked(turn, sql)),
            catalog,
            today,
            semantics,
            request.text,
            locale_for(request.language),
            language=request.language,
        )

    def _masked(self, turn: Turn, sql: str) -> frozenset[str]:
        database = self.source(turn)
        try:
            return database.check(sql).masked if database.is_restricted else frozenset()
        except SqlRefused:  # its rows are not shown either
            return frozenset()

    def question(self, turn: Turn) -> Question:
        return turn.once("question", lambda: self._question(turn))

    def thread_part(self, turn: Turn, budget: int | None = None) -> ThreadPart:
        """Return what a prompt or reply holds of the thread, as far as the asker may hear it."""
        request = turn.request
        if turn.history is not None:
            return self._memory.prompt.of(self.audience_filter.allowed(turn.history, request))
        return self._memory.prompt.build(
            request.thread,
            request.text,
            before_turn=request.turn_id,
            budget=budget,
            heard=lambda messages: self.audience_filter.allowed(messages, request),
            past=lambda: self.audience.shown(self.past(turn), request.roles),
        )

    def _question(self, turn: Turn) -> Question:
        request = turn.request
        database, defined = self.source(turn), self._defined(turn, request.source)
        catalog = visible(database.catalog(), defined)
        past = [query for query in self.past(turn) if query.source == request.source]
        part, shown = self.thread_part(turn), self.audience.shown(past, request.roles)
        if self.audience.divides(request.source):
            self._note_prompt(part, shown, replace(request, disclosed=request.prompted))
        return Question(
            text=request.text,
            catalog=catalog,
            today=day_of(request),
            thread_part=part,
            past=shown,
            semantics=fitting(defined, catalog),
            examples=self.accepted.examples(request, database),
            turn_id=request.turn_id,
            user=request.user,
            thread=request.thread,
            stop=turn.stop,
            settled=self._shown_again(turn),
            language=request.language,
        )

    def _note_prompt(self, part: ThreadPart, past: Sequence[AnsweredQuery], request: Request) -> None:
        """Note the part of the thread in the prompt of a language model."""
        self.audience_filter.told(part.messages, request)
        request.disclosed.summaries |= any(line.place == "archived" for line in part.lines)
        for query in past:
            self.audience.note(query, request, rows=query.row_count is not None)

    def _shown_again(self, turn: Turn) -> frozenset[str]:
        """Return the turns of the thread that showed an earlier answer: its chart, its rows or its SQL."""
        if not self.past(turn):
            return frozenset()
        calls = (trace.call for trace in self._memory.traces.newest(turn.request.thread, LATELY))
        return frozenset(call.turn_id for call in calls if call.tool in SHOWING)

    def _defined(self, turn: Turn, source: str) -> Semantics:
        return turn.once(f"definitions of {source}", lambda: self.definitions.of(source))

    def lone_turn(
        self, question: str, thread_ts: ThreadKey | str, history: Sequence[LoggedMessage] | None = None
    ) -> Turn:
        """Make a turn with a fresh id."""
        thread = ThreadKey.of(thread_ts)
        request = Request(
            turn_id=f"lone:{uuid4().hex}",
            thread=thread,
            text=question,
            user="",
            asked_at=datetime.now(UTC),
            source=next(iter(self._sources)),
            language=self._language,
        )
        return Turn(request, None if history is None else tuple(history))
