"""Saves the work of a thread as a named state, lists states, resumes one in another thread. Runs no SQL."""

from collections.abc import Callable, Iterator
from itertools import islice
from zoneinfo import ZoneInfo

from ai.agents.cards import AgentCard, Services, always
from ai.agents.port import QuestionEvent, ReplyEvent, SqlEvent, TableEvent, TextEvent, Turn
from ai.agents.querying.receipts import small_print
from ai.agents.recalling.preview import undo
from ai.agents.toolbox.workspace import Caller, WorkspaceTools
from ai.agents.wishes.states import STATES, StateVerb, StateWish, state_wish
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.errors import NoResult
from ai.memory.workspaces import State
from ai.memory_store import QueryOrigin
from ai.types import AnsweredQuery, Place

OFFERED = 3
QUESTIONS_TOLD = 5
NOTHING_YET = "There is nothing to save in this thread yet; ask a data question first."
NO_STATES = "No state is saved in this workspace yet. After an answer, say “save this as …”."
NO_ROWS = "Its rows are no longer kept, or are not yours to see; ask the question again to get them anew."


class StateAgent:
    def __init__(self, services: Services) -> None:
        self._memory = services.memory
        self._context = services.context

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        wish = state_wish(turn.request.text) or StateWish("list")
        anew: dict[StateVerb, Callable[[Turn, StateWish], Iterator[ReplyEvent]]] = {
            "save": self._save,
            "list": self._list,
        }
        doing: dict[StateVerb, Callable[[Turn, State], Iterator[ReplyEvent]]] = {
            "resume": self._resume,
            "archive": self._archive,
            "unarchive": self._unarchive,
            "compare": self._compare,
        }
        if wish.verb in anew:
            yield from anew[wish.verb](turn, wish)
        elif (state := self._meant(turn, wish.name)) is not None:
            self._context.note_states([state], turn.request)
            yield from doing[wish.verb](turn, state)
        else:
            yield self._unknown(turn, wish)

    def _save(self, turn: Turn, wish: StateWish) -> Iterator[ReplyEvent]:
        request = turn.request
        queries = self._memory.queries(request.thread, QUESTIONS_TOLD, request.turn_id)
        if not queries:
            raise NoResult(NOTHING_YET)
        last, name = queries[0], literal(wish.name)
        tables = self._context.basis(turn, last).tables
        params = {
            "name": wish.name,
            "conversationContext": _thread_so_far(self._context.audience.shown(queries, request.roles)),
            "activeTask": last.question,
            "activeFiles": [*tables, f"q{last.id}"],
            "nextSteps": list(wish.next_steps),
            "description": last.question,
        }
        if turn.step("save_state", lambda: bool(self._tools(turn).run("createState", params)["success"])):
            yield TextEvent(
                f"Saved as **{name}**: “{literal(last.question)}” with its SQL and its result. Say “resume {name}” in "
                f"any thread of {self._reach(turn)} to go on from here."
            )
            yield undo(f"archive the saved state {wish.name}")
        else:
            offer = f"save this as {wish.name}-v2"
            yield QuestionEvent(
                f"“{wish.name}” is saved already, and a saved state stays as it is. Another name?", (offer,)
            )

    def _resume(self, turn: Turn, state: State) -> Iterator[ReplyEvent]:
        self._tools(turn).run("loadState", {"name": state.snapshot.name})
        if state.query is not None:
            self._context.audience.check_sql(state.query, turn.request.roles)
            self._context.audience.note(state.query, turn.request, rows=False)
        query_id = turn.step("resume_state", lambda: self._adopted(turn, state))
        yield TextEvent(_introduced(state, turn))
        if query_id is not None:
            yield from self._shown(turn, self._memory.query(query_id))

    def _compare(self, turn: Turn, state: State) -> Iterator[ReplyEvent]:
        queries = self._memory.queries(turn.request.thread, 1, turn.request.turn_id)
        if state.query is None or not queries:
            raise NoResult(NOTHING_YET)
        for query in (state.query, queries[0]):
            self._context.audience.check_sql(query, turn.request.roles)
            self._context.audience.note(query, turn.request)
        saved = self._memory.query(turn.step("compare_state", lambda: self._adopted(turn, state)) or 0)
        yield TextEvent(f"**{literal(state.snapshot.name)}**, saved on {_day(state, turn)}: {_finding(saved)}")
        yield from self._rows(turn, saved)
        yield TextEvent(f"**Now**: {_finding(queries[0])}")
        yield from self._rows(turn, queries[0])

    def _rows(self, turn: Turn, query: AnsweredQuery) -> Iterator[ReplyEvent]:
        self._context.audience.check_rows(query, turn.request.roles)
        if query.result is None:
            yield TextEvent(NO_ROWS)
        elif query.row_count != 1 or not query.headline:
            yield TableEvent(self._memory.result(query))

    def _archive(self, turn: Turn, state: State) -> Iterator[ReplyEvent]:
        self._tools(turn).run("archiveState", {"name": state.snapshot.name})
        name = literal(state.snapshot.name)
        yield TextEvent(
            f"**{name}** (“{literal(state.snapshot.active_task)}”, saved on {_day(state, turn)}) is no longer listed. "
            f"It is kept, and “resume {name}” still works."
        )
        yield undo(f"list the saved state {state.snapshot.name} again")

    def _unarchive(self, turn: Turn, state: State) -> Iterator[ReplyEvent]:
        self._memory.states.archive(Place.of(turn.request), state.snapshot.name, archived=False)
        yield TextEvent(f"**{literal(state.snapshot.name)}** is listed again.")
        yield undo(f"archive the saved state {state.snapshot.name}")

    def _list(self, turn: Turn, _: StateWish) -> Iterator[ReplyEvent]:
        self._tools(turn).run("listStates", {})
        states = self._context.states(turn.request)
        if not states:
            yield TextEvent(NO_STATES)
            return
        self._context.note_states(states, turn.request)
        lines = (
            f"- **{literal(s.snapshot.name)}** · {literal(s.snapshot.description)} · {_day(s, turn)}" for s in states
        )
        yield TextEvent("\n".join([f"Saved in {self._reach(turn)}:", *lines]))

    def _tools(self, turn: Turn) -> WorkspaceTools:
        request = turn.request
        return WorkspaceTools(
            self._memory, Caller(Place.of(request), request.thread, request.turn_id, author=request.user)
        )

    def _meant(self, turn: Turn, name: str) -> State | None:
        """Return the state of this name, or the only one so named in other capitals."""
        states = self._context.states(turn.request, include_archived=True)
        exact = [state for state in states if state.snapshot.name == name]
        alike = [state for state in states if state.snapshot.name.casefold() == name.casefold()]
        return next(iter(exact or (alike if len(alike) == 1 else [])), None)

    def _unknown(self, turn: Turn, wish: StateWish) -> ReplyEvent:
        newest_first = list(islice(reversed(self._context.states(turn.request)), OFFERED))
        self._context.note_states(newest_first, turn.request)
        options = tuple(f"{_verb(wish)} {state.snapshot.name}" for state in newest_first)
        if not options:
            return TextEvent(NO_STATES)
        return QuestionEvent(f"No saved state here is called “{wish.name}”. Which one do you mean?", options)

    def _adopted(self, turn: Turn, state: State) -> int | None:
        """Copy the query of a state and its rows into the thread; return its id here."""
        query, request = state.query, turn.request
        if query is None:
            return None
        origin = QueryOrigin(
            request.thread, request.turn_id, "resume_state", query.source, query.question, query.analyst
        )
        query_id = self._memory.save_query(origin, query.sql, query.reading, query.meaning, ran=True)
        may_see = self._context.audience.sight(query, request.roles) == "all"
        stored = self._memory.states.hand_out(state, f"q{query_id}") if may_see else None
        if stored is not None:
            self._memory.finish_query(query_id, stored, query.elapsed_ms or 0, query.headline)
        return query_id

    def _shown(self, turn: Turn, query: AnsweredQuery) -> Iterator[ReplyEvent]:
        yield SqlEvent(query.sql, query.question)
        if query.result is None:
            yield TextEvent(NO_ROWS)
            return
        table = self._memory.result(query)
        yield TableEvent(table)
        yield from small_print(self._memory, query, table, self._context.basis(turn, query))

    def _reach(self, turn: Turn) -> str:
        place = Place.of(turn.request)
        return "this conversation" if place.owner else f"the workspace **{literal(place.workspace)}**"


def _finding(query: AnsweredQuery) -> str:
    return f"“{literal(query.question)}”" + (f", {literal(query.headline)}" if query.headline else "")


def _thread_so_far(queries: tuple[AnsweredQuery, ...]) -> str:
    found = ((query.question, f" ({query.headline})" if query.headline else "") for query in reversed(queries))
    return "\n".join(f"{question}{headline}" for question, headline in found)


def _introduced(state: State, turn: Turn) -> str:
    said = state.snapshot
    lines = [f"**{literal(said.name)}**, saved on {_day(state, turn)}: “{literal(said.active_task)}”"]
    if said.next_steps:
        lines += ["", "Next steps:", *(f"- {literal(step)}" for step in said.next_steps)]
    return "\n".join(lines)


def _day(state: State, turn: Turn) -> str:
    day = state.created_at.astimezone(ZoneInfo(turn.request.timezone))
    return f"{day:%B} {day.day}, {day.year}"


def _verb(wish: StateWish) -> str:
    return "archive saved state" if wish.verb == "archive" else "resume"


CARD = AgentCard(
    intent=Intent("states"),
    rank=20,
    quotes=True,
    quick=always,
    reads=STATES.first,
    examples=("save this as Q3 revenue", "resume Q3 revenue", "compare with the saved Q3 revenue", "list saved states"),
    gives="your work under a name, to go on from in any thread",
    told="to save the work of a thread under a name, or to list or resume what was saved",
    build=StateAgent,
)
