"""Answers a question about the data: come to a result, and say it."""

from collections.abc import Iterator, Sequence

from ai.agents.actions import actions
from ai.agents.cards import AgentCard, Services
from ai.agents.direct_calls import DirectCalls
from ai.agents.port import (
    TO_NOW,
    Answer,
    FeedbackEvent,
    PressEvent,
    QuestionEvent,
    ReplyEvent,
    StatusEvent,
    TableEvent,
    TextEvent,
    Turn,
)
from ai.agents.querying.answerer import Answerer
from ai.agents.querying.attempts import Attempt, failure
from ai.agents.querying.charting import Charting
from ai.agents.querying.doubts import cautions
from ai.agents.querying.next_steps import NextSteps
from ai.agents.querying.receipts import small_print
from ai.agents.querying.refinements import asks_for, picked, wanted
from ai.agents.question_context import QuestionContext
from ai.analysts.port import SQL_QUERY, TAKEN, Draft, Expected, Paid, Question
from ai.answers.phrase import literal, tells_all
from ai.answers.view import SHOWN_ROWS, view_of
from ai.nl2sql.refining import read_back, told
from ai.types import AnsweredQuery, AskedBack, Declined, FailedQuery, LoggedMessage, ThreadKey

TAKEN_AS = "I took your question before as: {}."
OTHER = "Show the model's answer"


class SqlQueryAgent(DirectCalls):
    def __init__(self, services: Services) -> None:
        super().__init__(services.context)
        self._memory = services.memory
        self._analyst = services.analyst
        self._answerer = Answerer(services.memory, services.context, services.analyst)
        self._charting = Charting(services.memory, services.context)
        self._next_steps = NextSteps(services.memory, services.context, suggests=services.suggests)

    def query(
        self, question: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Answer:
        return self.whole(question, thread_ts, conversation_history)

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        own = self._context.personal(turn)
        known, chosen = _known(self._context, own.turn), read_back(own.turn.request.text)
        turn = own.turn if known is None else own.turn.saying(known[0])
        question = self._context.question(turn)
        yield StatusEvent("Reading the question…")
        if chosen is not None:
            words = told(chosen[1])
            yield PressEvent(f"{words[0].upper()}{words[1:]}", turn.request.user)
        answer, second = yield from self._answerer.answer(turn, question, known and known[1])
        if second is None:
            yield from self._taken(answer) if known is None else ()
            yield from self._told(turn, question, answer)
        else:
            yield from self._told(turn, question, second, self._memory.query(answer.query_id))
        if own.note:
            yield TextEvent(own.note)

    def _taken(self, answer: Attempt) -> Iterator[TextEvent]:
        """Say what an open question before was taken for."""
        query = self._memory.outcome(answer.query_id)
        meaning = query.meaning if isinstance(query, AnsweredQuery) else None
        if isinstance(meaning, dict) and (taken := meaning.get(TAKEN)):
            yield TextEvent(literal(TAKEN_AS.format(taken)))

    def _told(
        self, turn: Turn, question: Question, answer: Attempt, other: AnsweredQuery | None = None
    ) -> Iterator[ReplyEvent]:
        match self._memory.outcome(answer.query_id):
            case AnsweredQuery() as query:
                yield from self._answered(turn, question, query, answer.expects, other)
            case AskedBack(text=text, options=options) if other:
                yield QuestionEvent(text, (*options, OTHER), (*options, asks_for(other)), deed=TO_NOW)
            case AskedBack(text=text, options=options):
                yield QuestionEvent(text, options, deed=TO_NOW)
            case Declined(reason=reason, suggestions=suggestions):
                yield TextEvent("\n".join([literal(reason), *_suggested(suggestions)]))
            case FailedQuery(problem=problem):
                yield TextEvent(literal(failure(problem)))

    def _answered(
        self,
        turn: Turn,
        question: Question,
        query: AnsweredQuery,
        expects: Expected,
        other: AnsweredQuery | None,
    ) -> Iterator[ReplyEvent]:
        self._context.audience.check_rows(query, turn.request.roles)  # they may have changed since it ran
        table = self._memory.result(query)
        names = self._context.names(turn, query)
        draft = Draft(query.sql, query.reading, query.meaning, expects=expects, facts=names.facts)

        def words() -> str:
            return "".join(self._analyst.phrase(question, draft, table))

        costs = isinstance(self._analyst, Paid) and self._analyst.words_cost(draft, table)
        said = self._answerer.attempts.phrase(turn, words) if costs else words()
        yield TextEvent(said)
        view = view_of(names, table)
        is_told = len(table.columns) * table.row_count <= 1 or tells_all(view, said)
        if not is_told or (table.rows and self._context.personal(turn).wants_table):
            yield TableEvent(table, view.headings, view.cells(SHOWN_ROWS))
        if chart := self._charting.going_on(turn, query) or self._charting.by_itself(turn, query, view):
            yield chart
        yield from cautions(self._context, turn, query, table)
        yield from small_print(self._memory, query, table, self._context.basis(turn, query))
        if other:
            reading = self._context.basis(turn, other).reading
            yield QuestionEvent(f"The language model read it differently: {reading}", (OTHER,), (asks_for(other),))
        yield self._next_steps.added(actions(query, table), turn, query, table)
        yield FeedbackEvent(query.id, question.today)


def _suggested(questions: tuple[str, ...]) -> list[str]:
    return ["\nYou could ask:", *(f"- {literal(question)}" for question in questions)] if questions else []


def _known(context: QuestionContext, turn: Turn) -> tuple[str, Draft] | None:
    """Return the question and the query of a message that asks for a query by its number."""
    if query := picked(context, turn):
        return query.question, Draft(query.sql, query.reading, query.meaning, by=query.analyst)
    return wanted(context, turn)


def _is_known(services: Services, turn: Turn) -> bool:
    context = services.context
    return bool(context.verified(turn) or picked(context, turn) or read_back(turn.request.text))


CARD = AgentCard(
    intent=SQL_QUERY,
    rank=110,
    claims=_is_known,
    gives="an answer from the data; any question about it leads here",
    told="asks about data such as the tables listed",
    in_help=False,
    build=SqlQueryAgent,
)
