"""Plans for follow-ups on the last result, for the router and the agent."""

import re
from dataclasses import dataclass
from functools import partial
from time import monotonic

from ai.agents.port import Turn
from ai.agents.querying.rerunning import Rerunning
from ai.agents.question_context import QuestionContext
from ai.agents.wishes.reshape import may_be_steps, read_steps
from ai.agents.wishes.step_rules import ResultShape
from ai.agents.wishes.steps_told import told
from ai.errors import Masked, NoResult, SqlRefused, UserError
from ai.memory_store import MemoryStore, QueryOrigin
from ai.results.reshape import holding, nameless, numeric, reshape
from ai.results.steps import Share, Step
from ai.results.table import titles
from ai.sql.database import Database
from ai.sql.follow_up import follow_up_sql, order_of
from ai.types import AnsweredQuery, AskedBack, Declined, DraftQuery, Request

GONE = "There is no kept result to work on; ask a data question first."
ANALYST = "kept rows, no query"
LATELY = 12  # messages that a question without an answer is looked for in
CUT = re.compile(r"\b(?:limit|top|fetch)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps over a result; no steps show it again."""

    query: AnsweredQuery
    result: str
    titles: tuple[str, ...]
    steps: tuple[Step, ...]


class Reshaping:
    def __init__(self, memory: MemoryStore, context: QuestionContext) -> None:
        self._memory = memory
        self._results = memory.parts.results
        self._context = context
        self._again = Rerunning(memory, context)

    def plan(self, turn: Turn) -> Plan | None:
        """Return a plan, None for any other message or if the asker may see no result.

        Rows that are gone are read again for likely steps. Raises NotAllowed, or NoResult where they cannot.
        """
        return turn.once("plan", lambda: self._over_the_last(turn))

    def over(self, query: AnsweredQuery, text: str) -> Plan | None:
        """Return the steps that a text says over the kept rows of a query."""
        try:
            return None if query.result is None else self._plan(text, query, query.result)
        except NoResult:
            return None

    def with_steps(self, query: AnsweredQuery, steps: tuple[Step, ...]) -> Plan:
        """Plan steps over the kept rows of a query. Raises NoResult."""
        if query.result is None:
            raise NoResult(GONE)
        return Plan(query, query.result, tuple(titles(self._results.describe(query.result).columns)), steps)

    def applied(self, turn: Turn, plan: Plan) -> int:
        """Apply a plan and store the new rows; return the id of their query."""
        request, source, started = turn.request, plan.query, monotonic()
        origin = QueryOrigin(request.thread, request.turn_id, "reshape", source.source, request.text, ANALYST)
        database = self._context.source(turn)
        sql = follow_up_sql(source.sql, f"q{source.id}", plan.titles, plan.steps, database.dialect.name)
        _refuse_masked(sql, database)
        reading = f"{source.question}: {told(plan.steps, plan.titles)}"
        query_id = self._memory.save_query(origin, sql, reading, source.meaning)
        if isinstance(self._memory.outcome(query_id), DraftQuery):
            try:
                stored = reshape(self._results, plan.result, plan.steps, f"q{query_id}")
            except UserError as error:
                self._memory.fail_query(query_id, str(error))
                raise
            elapsed_ms = round((monotonic() - started) * 1000)
            self._memory.finish_query(query_id, stored, elapsed_ms, f"{stored.row_count} rows")
        return query_id

    def _over_the_last(self, turn: Turn) -> Plan | None:
        request = turn.request
        last = self._memory.queries(request.thread, 1, before_turn=request.turn_id)
        query = next(iter(self._context.audience.shown(last, request.roles)), None)
        if query is None or self._left_open_since(query, request):
            return None
        if may_be_steps(request.text) and self._again.is_gone(last[0]):
            query = self._again.kept(turn, last[0])
        return self.over(query, request.text)

    def _left_open_since(self, query: AnsweredQuery, request: Request) -> bool:
        """Whether a later question got no answer: the message may lean on that one."""
        said = self._memory.transcripts.newest(request.thread, LATELY)
        turns = list(dict.fromkeys(message.turn_id for message in said))
        later = turns[turns.index(query.turn_id) + 1 :] if query.turn_id in turns else turns
        others = (turn for turn in later if turn != request.turn_id)
        records = (record for turn in others for record in self._memory.turn_queries(turn))
        return any(isinstance(record, Declined | AskedBack) for record in records)

    def _dialect(self, query: AnsweredQuery) -> str:
        database = self._context.seen_source(query.source)
        return database.dialect.name if database else ""

    def _plan(self, text: str, query: AnsweredQuery, result: str) -> Plan | None:
        stored = self._results.describe(result)
        names = tuple(titles(stored.columns))
        facts = ResultShape(
            titles=names,
            row_count=stored.row_count,
            whole=not stored.truncated and CUT.search(query.sql) is None,
            numbers=numeric(self._results, result),
            holding=partial(holding, self._results, result),
            order=order_of(query.sql, names, self._dialect(query)),
            nameless=nameless(self._results, result),
        )
        steps = read_steps(text, facts)
        whole_of_one = stored.row_count < 2 and any(isinstance(step, Share) for step in steps or ())
        return None if steps is None or whole_of_one else Plan(query, result, names, steps)


def _refuse_masked(sql: str, database: Database) -> None:
    """Raise Masked for steps over masked cells."""
    try:
        if database.is_restricted:
            database.check(sql)
    except Masked:
        raise
    except SqlRefused:  # the steps run on the kept rows; their SQL is only shown
        return
