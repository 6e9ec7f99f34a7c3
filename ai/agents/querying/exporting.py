"""Finds or makes the query whose rows a message wants as a file.

A question is asked anew unless the thread has its answer; other words may still describe an earlier result.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from ai.agents.port import TO_NOW, QuestionEvent, StatusEvent, TextEvent, Turn
from ai.agents.querying.answerer import Answerer
from ai.agents.querying.attempts import failure
from ai.agents.querying.rerunning import Rerunning
from ai.agents.querying.reshaping import ANALYST, Reshaping
from ai.agents.question_context import QuestionContext
from ai.agents.tools import ThreadTools
from ai.agents.wishes.exports import ExportWish
from ai.agents.wishes.steps_told import told
from ai.analysts.port import Analyst, Draft
from ai.answers.phrase import literal
from ai.errors import NoResult
from ai.language.words import described, name_parts, stems
from ai.memory.search import placed
from ai.memory_store import MemoryStore
from ai.results.files import FileKind
from ai.sql.behind import rows_behind
from ai.types import AnsweredQuery, AskedBack, Declined, Deed, FailedQuery

NO_ROWS_BEHIND = (
    "I cannot list the rows behind “{0}”, because it is cut, nested or put together from groups; "
    "ask for the rows themselves, for example “list all …”."
)
NOT_OVER_ROWS = "I cannot do “{0}” with the rows of “{1}”; name its columns as they are shown, or export it as it is."
OLDER = "The question after it had no answer."
EXPORT = "csv_export"  # the agent that takes the answers
ENOUGH = 3  # telling words of a question that stands alone
LATELY = 20  # messages in which the question before is looked for


@dataclass(frozen=True, slots=True)
class Exported:
    """A query to export; `is_new` if it ran for this file, `is_older` if a question without an answer came after it.

    It `is_changed` if it has some of the rows of an earlier one. `note` names the asker's preferences, or a query run
    again.
    """

    query: AnsweredQuery
    is_new: bool = False
    is_older: bool = False
    is_changed: bool = False
    note: str = ""


Found = Exported | QuestionEvent | TextEvent
Finding = Generator[StatusEvent, None, Found]


class ExportSources:
    """Looks for what to export in the name of one asker."""

    def __init__(self, memory: MemoryStore, context: QuestionContext, analyst: Analyst) -> None:
        self._memory = memory
        self._context = context
        self._answerer = Answerer(memory, context, analyst)
        self._reshaping = Reshaping(memory, context)
        self._again = Rerunning(memory, context)

    def find(self, turn: Turn, tools: ThreadTools, wish: ExportWish) -> Finding:
        """Return what is meant, or what to ask or say where nothing is. Raises UserError."""
        if wish.subject == "question":
            return (yield from self._asked(turn, tools, wish))
        match = tools.get_sql_history_tool(wish.what or None)
        if match.query is None:
            return which(tuple(query.question for query in match.candidates), wish.kind)
        if wish.behind:
            yield StatusEvent("Running the query…")
            return self._behind(turn, match.query)
        found = self._worked_on(turn, match.query, wish.steps) if wish.steps else Exported(match.query)
        return replace(found, is_older=not wish.what and self._follows_a_gap(turn))

    def several(self, turn: Turn, places: Sequence[int]) -> tuple[AnsweredQuery, ...]:
        """Return the results at places of the thread, oldest first; rows that are gone are read again."""
        return tuple(self._again.kept(turn, query) for query in placed(self._shown(turn), places))

    def _follows_a_gap(self, turn: Turn) -> bool:
        request = turn.request
        said = self._memory.transcripts.newest(request.thread, LATELY)
        before = [line.turn_id for line in said if line.role == "user" and line.turn_id != request.turn_id]
        records = self._memory.turn_queries(before[-1]) if before else ()
        return bool(records) and not any(isinstance(record, AnsweredQuery) for record in records)

    def _shown(self, turn: Turn) -> tuple[AnsweredQuery, ...]:
        """Return the earlier queries as the asker may see them, newest first."""
        return self._context.audience.shown(self._context.past(turn), turn.request.roles)

    def _asked(self, turn: Turn, tools: ThreadTools, wish: ExportWish) -> Finding:
        known = self._same(turn, wish.what)
        if known is not None and tools.keeps(known):
            return Exported(known)
        own = self._context.personal(turn.saying(wish.what))
        answer, second = yield from self._answerer.answer(own.turn, self._context.question(own.turn))
        match self._memory.outcome((second or answer).query_id):
            case AnsweredQuery() as query:
                return Exported(self._widened(own.turn, query), is_new=True, note=own.note)
            case AskedBack(text=text, options=options):
                return QuestionEvent(text, options, _exports(options, wish.kind), deed=replace(TO_NOW, to=EXPORT))
            case Declined(reason=reason):
                return self._described(tools, wish) or TextEvent(literal(reason))
            case FailedQuery(problem=problem):
                return TextEvent(literal(failure(problem)))
            case _:
                raise TypeError(f"q{answer.query_id} was not run.")

    def _described(self, tools: ThreadTools, wish: ExportWish) -> Exported | None:
        try:
            query = tools.get_sql_history_tool(wish.what).query
        except NoResult:
            return None
        return None if query is None else Exported(query)

    def _same(self, turn: Turn, question: str) -> AnsweredQuery | None:
        """Return the answer of the thread to a question of the same words."""
        wanted = described(question).terms.keys()
        return next((q for q in self._shown(turn) if described(q.question).terms.keys() == wanted), None)

    def _widened(self, turn: Turn, query: AnsweredQuery) -> AnsweredQuery:
        """Return a bare list of names with all columns of its table, unless the names were asked for."""
        table = self._memory.result(query)
        said = set(stems(name_parts(turn.request.text)))
        if len(table.columns) != 1 or table.row_count < 2 or said & set(stems(name_parts(table.columns[0].name))):
            return query
        wide = self._from_behind(turn, query, "write_sql:whole")
        return query if wide is None else wide

    def _behind(self, turn: Turn, query: AnsweredQuery) -> Exported:
        named = turn.saying(f"the rows behind {title_of(self._context, turn, query)}")
        found = self._from_behind(named, query, "write_sql:behind")
        if found is None:
            raise NoResult(NO_ROWS_BEHIND.format(query.question))
        return Exported(found, is_new=True)

    def _from_behind(self, turn: Turn, query: AnsweredQuery, step: str) -> AnsweredQuery | None:
        question = self._context.question(turn)
        sql = rows_behind(query.sql, question.catalog)
        if sql is None:
            return None
        draft = Draft(sql, f"the rows behind: {query.reading}", query.meaning, by=query.analyst)
        attempts = self._answerer.attempts
        attempt = attempts.run(turn, f"{step}:run", attempts.write(turn, step, lambda: draft))
        found = self._memory.outcome(attempt.query_id)
        return found if isinstance(found, AnsweredQuery) else None

    def _worked_on(self, turn: Turn, query: AnsweredQuery, steps: str) -> Exported:
        kept = self._again.kept(turn, query)
        plan = self._reshaping.over(kept, steps)
        if plan is None or not plan.steps:
            raise NoResult(NOT_OVER_ROWS.format(steps, query.question))
        named = turn.saying(f"{title_of(self._context, turn, query)}, {told(plan.steps, plan.titles)}")
        query_id = turn.step("reshape", lambda: self._reshaping.applied(named, plan))
        return Exported(self._memory.query(query_id), note=self._again.note(turn, kept))


def which(questions: tuple[str, ...], kind: FileKind) -> QuestionEvent:
    """Ask which of several results is meant."""
    return QuestionEvent(
        "Which result do you mean?", questions, _exports(questions, kind, "the result of "), deed=Deed(EXPORT)
    )


def _exports(questions: tuple[str, ...], kind: FileKind, of: str = "") -> tuple[str, ...]:
    return tuple(f"export {of}{question} as {kind}" for question in questions)


def title_of(context: QuestionContext, turn: Turn, query: AnsweredQuery) -> str:
    """Name an earlier answer by its question, or by its reading where the question leans on another."""
    stands_alone = len(described(query.question).terms) >= ENOUGH and query.analyst != ANALYST
    if stands_alone or query.turn_id == turn.request.turn_id:
        return query.question
    before = any(past.id < query.id for past in context.past(turn))
    return (context.basis(turn, query).reading if before else "") or query.question
