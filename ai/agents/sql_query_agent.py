"""Answers a question about the data: write SQL, check it, run it, store it, say the result.

SQL with an error or an unexpected result is rewritten, at most twice.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from ai.agents.actions import actions
from ai.agents.cards import AgentCard, Services
from ai.agents.direct_calls import DirectCalls
from ai.agents.port import (
    Answer,
    CautionEvent,
    FeedbackEvent,
    QuestionEvent,
    ReplyEvent,
    StatusEvent,
    TableEvent,
    TextEvent,
    Turn,
)
from ai.agents.querying.attempts import Attempt, Attempts, failure
from ai.agents.querying.receipts import small_print
from ai.agents.querying.second import asks_for, picked
from ai.analysts.port import SQL_QUERY, Backed, Draft, Expected, Paid, Proposal, Question, Voting
from ai.answers.phrase import literal, tells_all
from ai.answers.view import SHOWN_ROWS, view_of
from ai.results.table import ResultTable, Row
from ai.sql.cautions import find_cautions
from ai.types import AnsweredQuery, AskedBack, Declined, FailedQuery, LoggedMessage, ThreadKey

REPAIRS = 2
VERIFIED = "verified"  # what the name of the reader begins with when an accepted answer was used again
ANSWERS = ("ok", "doubtful")
OTHER = "Show the model's answer"


class SqlQueryAgent(DirectCalls):
    def __init__(self, services: Services) -> None:
        super().__init__(services.context)
        self._memory = services.memory
        self._analyst = analyst = services.analyst
        candidates = analyst.candidates if isinstance(analyst, Voting) else 1
        self._attempts = Attempts(self._memory, self._memory.parts.results, services.context, analyst.name, candidates)

    def query(
        self, question: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Answer:
        return self.whole(question, thread_ts, conversation_history)

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Answer the question. Decisions follow from recorded steps alone, so a resumed turn repeats them."""
        own = self._context.personal(turn)
        known = picked(self._context, own.turn)
        turn = own.turn if known is None else own.turn.saying(known.question)
        question = self._context.question(turn)
        yield StatusEvent("Reading the question…")
        tried = [self._attempts.first(turn, partial(self._proposed, turn, question, known))]
        for number in range(REPAIRS + 1):
            if tried[-1].state == "draft":
                yield StatusEvent(f"Running the query… {self._attempts.advice(turn, tried[-1])}".strip())
                tried[-1] = self._attempts.run(turn, f"run_sql:{number}", tried[-1])
            if tried[-1].state not in ("failed", "doubtful") or number == REPAIRS:
                break
            tried.append(self._repaired(turn, question, tried[-1], number))
            if self._attempts.sql(tried[-1].query_id) == self._attempts.sql(tried[-2].query_id):
                break
        tried += self._rescue(turn, question, tried)
        answer = self._chosen(tried)
        second = None if known else self._second(turn, question, answer)
        if second is None:
            yield from self._told(turn, question, answer)
        else:
            yield from self._told(turn, question, second, self._memory.query(answer.query_id))
        if own.note:
            yield TextEvent(own.note)

    def _proposed(self, turn: Turn, question: Question, same: AnsweredQuery | None) -> Proposal:
        """Return the query asked for by its number, the accepted answer to this question, or the analyst's proposal."""
        if same:
            return Draft(same.sql, same.reading, same.meaning, by=same.analyst)
        known = self._context.verified(turn)
        if known is None:
            return self._analyst.write_sql(question)
        by = f"{VERIFIED} by {known.accepted_by or 'somebody'} on {known.accepted_at.date()}"
        return Draft(known.sql, known.reading, known.meaning, by=by)

    def _repaired(self, turn: Turn, question: Question, tried: Attempt, number: int) -> Attempt:
        draft, problem = self._attempts.draft(tried), self._attempts.problem(turn, tried)
        propose = partial(self._analyst.repair_sql, question, draft, problem)
        return self._attempts.write(turn, f"repair_sql:{number}", propose)

    def _rescue(self, turn: Turn, question: Question, tried: list[Attempt]) -> list[Attempt]:
        """Return the reader's attempt where none of the analyst came to an answer."""
        analyst, states = self._analyst, {attempt.state for attempt in tried}
        settled = states & {*ANSWERS, "asked", "ended"}
        if not isinstance(analyst, Backed) or not self._attempts.is_own(tried[-1]) or settled:
            return []
        propose = partial(analyst.instead if "failed" in states else analyst.second_reading, question)
        attempt = self._attempts.write_any(turn, "instead", propose)
        return [attempt] if attempt else []

    def _second(self, turn: Turn, question: Question, answer: Attempt) -> Attempt | None:
        """Return what the reader is sure of: a question back, or an answer with other rows than the analyst's."""
        if not isinstance(self._analyst, Backed) or not answer.ran or not self._attempts.is_own(answer):
            return None
        second = self._attempts.write_any(turn, "second_reading", partial(self._sure, turn, question, answer))
        if second is None or second.state == "asked":
            return second
        if second.ran and turn.step("compare_readings", partial(self._attempts.differs, answer, second)):
            return second
        self._attempts.replace([second], answer)
        return None

    def _sure(self, turn: Turn, question: Question, answer: Attempt) -> Proposal | None:
        """Return what the reader is sure of, unless it has the same SQL."""
        if not isinstance(self._analyst, Backed):
            return None
        sure = self._analyst.second_reading(question)
        is_same = isinstance(sure, Draft) and self._attempts.agrees(turn, answer, sure.sql)
        return None if is_same else sure

    def _chosen(self, tried: list[Attempt]) -> Attempt:
        """Return the first attempt as expected, else the first that ran, else the last with an outcome."""
        ended = [attempt for attempt in tried if attempt.state != "draft"]  # the same SQL again is not run again
        answer = next((attempt for state in ANSWERS for attempt in tried if attempt.state == state), ended[-1])
        self._attempts.replace(tried, answer)
        return answer

    def _told(
        self, turn: Turn, question: Question, answer: Attempt, other: AnsweredQuery | None = None
    ) -> Iterator[ReplyEvent]:
        match self._memory.outcome(answer.query_id):
            case AnsweredQuery() as query:
                yield from self._answered(turn, question, query, answer.expects, other)
            case AskedBack(text=text, options=options) if other:
                yield QuestionEvent(text, (*options, OTHER), (*options, asks_for(other)))
            case AskedBack(text=text, options=options):
                yield QuestionEvent(text, options)
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
        said = self._attempts.phrase(turn, words) if costs else words()
        yield TextEvent(said)
        view = view_of(names, table)
        is_told = len(table.columns) * table.row_count <= 1 or tells_all(view, said)
        if not is_told or (table.rows and self._context.personal(turn).wants_table):
            yield TableEvent(table, view.headings, view.cells(SHOWN_ROWS))
        yield from self._cautions(turn, question, query, table)
        yield from small_print(self._memory, query, table, self._context.basis(turn, query))
        if other:
            reading = self._context.basis(turn, other).reading
            yield QuestionEvent(f"The language model read it differently: {reading}", (OTHER,), (asks_for(other),))
        yield actions(query, table)
        yield FeedbackEvent(query.id, question.today, self._stands_alone(turn), query.analyst.startswith(VERIFIED))

    def _stands_alone(self, turn: Turn) -> bool:
        """Return whether this is the first question of its thread."""
        return not self._context.past(turn)

    def _cautions(
        self, turn: Turn, question: Question, query: AnsweredQuery, table: ResultTable
    ) -> Iterator[CautionEvent]:
        """Look for likely silent errors, under the rights and limits of the asker."""
        database, facts = self._context.source(turn), self._context.names(turn, query).facts

        def ask(sql: str) -> tuple[Row, ...]:
            with database.run(database.check(sql)) as stream:
                return tuple(row for batch in stream.batches for row in batch)

        catalog, today = database.catalog(), question.today
        for caution in find_cautions(query.sql, catalog, table, today, ask, question=question.text, facts=facts):
            yield CautionEvent(caution.text)


def _suggested(questions: tuple[str, ...]) -> list[str]:
    return ["\nYou could ask:", *(f"- {literal(question)}" for question in questions)] if questions else []


def _is_known(services: Services, turn: Turn) -> bool:
    return services.context.verified(turn) is not None or picked(services.context, turn) is not None


CARD = AgentCard(
    intent=SQL_QUERY,
    rank=110,
    claims=_is_known,
    gives="an answer from the data; any question about it leads here",
    told="asks about data such as the tables listed",
    in_help=False,
    build=SqlQueryAgent,
)
