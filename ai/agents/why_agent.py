"""Says why a figure changed: which parts moved, whether the data is whole, and whether it is unusual at all."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from time import monotonic

from ai.agents.actions import actions
from ai.agents.cards import AgentCard, Services
from ai.agents.explaining.asked import AskedChange, asked_change, is_distinct, options
from ai.agents.explaining.probes import DatabaseStudy, shown
from ai.agents.explaining.telling import Telling
from ai.agents.port import TO_NOW, CauseEvent, QuestionEvent, ReplyEvent, StatusEvent, TextEvent, Turn
from ai.agents.querying.attempts import Attempts, failure
from ai.agents.querying.receipts import small_print
from ai.agents.querying.rerunning import Rerunning
from ai.agents.wishes.why import asks_why
from ai.analysis.explain import explain
from ai.analysis.finding import Finding
from ai.analysis.members import why_members
from ai.analysts.port import Adviser, AskBack, CannotAnswer, Draft, Intent, Proposal, Question
from ai.answers.phrase import literal
from ai.errors import QueryFailed, SqlRefused
from ai.language.texts import locale_for
from ai.nl2sql.changes.columns import MOST_DIMENSIONS, dimensions
from ai.nl2sql.changes.figure import FigureParts, figure_sql, parts_of
from ai.nl2sql.choose import Doubt
from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.meaning import Measure, to_json
from ai.results.table import Row
from ai.types import AnsweredQuery, AskedBack, Declined, FailedQuery

ANALYST = "decomposition, no language model"
SECONDS = 20.0  # after them no further part is looked at
MOST_ROWS = 50_000  # of one step
NO_SUMS = (
    "I can explain sums, counts, averages and ratios; this figure is none of them, so ask for it by a group instead."
)


class WhyAgent:
    def __init__(self, services: Services) -> None:
        self._context = services.context
        self._memory = services.memory
        self._analyst = services.analyst
        self._again = Rerunning(services.memory, services.context)
        self._attempts = Attempts(services.memory, services.memory.parts.results, services.context, ANALYST)

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        question = self._context.question(turn)
        asked = asked_change(question, partial(self._rows, turn))
        if isinstance(asked, Doubt):
            again = options(asked, question)
            yield from self._left_open(turn, AskBack(asked.reason, again) if again else CannotAnswer(asked.reason))
            return
        yield StatusEvent("Looking for what moved it…")
        yield from self._explained(turn, question, asked)

    def _explained(self, turn: Turn, question: Question, asked: AskedChange) -> Iterator[ReplyEvent]:
        lexicon = lexicon_of(question.catalog, question.semantics)
        sums = parts_of(asked.measure, lexicon)
        parts = sums or FigureParts(asked.measure, None, lexicon)
        study = self._study(turn, question, asked, parts)
        finding = explain(study) if sums else _by_members(study, asked.measure)
        if finding is None:
            yield from self._left_open(turn, CannotAnswer(NO_SUMS))
            return
        telling = Telling(asked, finding, parts.lexicon, question.today, study.is_ratio, locale_for(question.language))
        draft = _draft(question, asked, finding, telling)
        attempt = self._attempts.write(turn, "why", lambda: draft)
        attempt = self._attempts.run(turn, "run_why", attempt)
        match self._memory.outcome(attempt.query_id):
            case AnsweredQuery() as query:
                for sql in study.queries:
                    self._context.note_sql(turn, sql)
                yield TextEvent(telling.text())
                yield from self._again.notes(turn)
                yield from filter(None, [telling.table()])
                yield from self._evidence(turn, query, telling, study.queries)
                drivers = ((driver.dimension, driver.value, float(driver.share)) for driver in finding.drivers)
                yield CauseEvent(finding.cause, tuple(drivers))
            case FailedQuery(problem=problem):
                yield TextEvent(literal(failure(problem)))

    def _evidence(self, turn: Turn, query: AnsweredQuery, telling: Telling, steps: list[str]) -> Iterator[ReplyEvent]:
        table = self._memory.result(query)
        basis = replace(self._context.basis(turn, query), reading=telling.reading(), steps=tuple(steps))
        yield from small_print(self._memory, query, table, basis)
        yield actions(query, table)

    def _study(self, turn: Turn, question: Question, asked: AskedChange, parts: FigureParts) -> DatabaseStudy:
        database, until = self._context.source(turn), monotonic() + SECONDS

        def ask(sql: str) -> tuple[Row, ...]:
            if monotonic() > until:
                return ()
            try:
                with database.run(database.check(sql), turn.stop) as stream:
                    rows = [row for batch in stream.batches for row in batch]
            except (QueryFailed, SqlRefused):  # a part that cannot be asked explains nothing
                return ()
            return tuple(rows) if len(rows) <= MOST_ROWS else ()

        return DatabaseStudy(asked, parts, question.today, ask, self._dimensions(turn, question, parts))

    def _dimensions(self, turn: Turn, question: Question, parts: FigureParts) -> tuple[str, ...]:
        """Return the columns to look at; of too many a language model names the first ones."""
        known = [f"{each.table}.{each.column}" for each in dimensions(parts.lexicon, parts.top.table)]
        analyst = self._analyst
        if len(known) <= MOST_DIMENSIONS or not isinstance(analyst, Adviser):
            return tuple(known[:MOST_DIMENSIONS])
        first = turn.step("dimensions", lambda: list(analyst.likeliest(question, known)))
        return tuple(dict.fromkeys((*first, *known)))[:MOST_DIMENSIONS]

    def _rows(self, turn: Turn, query: AnsweredQuery) -> tuple[Row, ...]:
        return self._memory.result(self._again.kept(turn, query)).rows

    def _left_open(self, turn: Turn, proposal: Proposal) -> Iterator[ReplyEvent]:
        attempt = self._attempts.write(turn, "why", lambda: proposal)
        match self._memory.outcome(attempt.query_id):
            case AskedBack(text=text, options=options):
                yield QuestionEvent(text, options, deed=TO_NOW)
            case Declined(reason=reason):
                yield TextEvent(literal(reason))


def _by_members(study: DatabaseStudy, measure: Measure) -> Finding | None:
    """Explain a distinct count; None for other figures."""
    return why_members(study, f"{measure.table}.{measure.column}") if is_distinct(measure) else None


def _draft(question: Question, asked: AskedChange, finding: Finding, telling: Telling) -> Draft:
    """Return the query that shows the cause; a follow-up edits its meaning."""
    lexicon = lexicon_of(question.catalog, question.semantics)
    meaning = shown(asked, finding, lexicon)
    sql = figure_sql(meaning, lexicon, question.today)
    return Draft(sql, telling.reading(), to_json(meaning), asked.notes)


CARD = AgentCard(
    intent=Intent("why"),
    rank=55,
    reads=asks_why,
    examples=("why did revenue drop last week?", "what drove installs in October?", "what changed?"),
    gives="what moved a figure: its drivers, the season, or missing data",
    told="why a figure changed",
    build=WhyAgent,
)
