"""What a turn does about one query, each a step that is done once: write it down, run it, and note what came of it.

A step records the number of the query's row, its state and the shape that was expected, so a resumed turn goes the same
way. Words and rows stand only in the memory and the result store, where forgetting reaches them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Literal

from ai.agents.port import Turn
from ai.agents.querying.doubts import doubt
from ai.agents.question_context import QuestionContext
from ai.analysts.port import AskBack, CannotAnswer, Draft, Expected, Proposal
from ai.errors import QueryFailed, QueryTimeout, SqlRefused, Stopped
from ai.memory_store import MemoryStore
from ai.results.store import ResultStore
from ai.results.table import ResultTable
from ai.types import Json, PastQuery, QueryStatus

REPLACED = "Another query of the same turn answers the question."
State = QueryStatus | Literal["doubtful"]  # a doubtful query ran, but its result is not what was expected


@dataclass(frozen=True, slots=True)
class Attempt:
    """A query of a turn. `expects` is "" for one that no model wrote."""

    query_id: int
    state: State
    expects: Expected = ""

    @property
    def ran(self) -> bool:
        """Whether its rows are kept."""
        return self.state in ("ok", "doubtful")


class QuerySteps:
    """The steps. `reader` is who writes the queries, by the name that is kept with them."""

    def __init__(self, memory: MemoryStore, results: ResultStore, context: QuestionContext, reader: str) -> None:
        self._memory = memory
        self._results = results
        self._context = context
        self._reader = reader

    def write(self, turn: Turn, step: str, propose: Callable[[], Proposal]) -> Attempt:
        """Have a query proposed and write it down."""
        query_id, state, expects = turn.step(step, lambda: self._kept(turn, step, propose()))
        return Attempt(query_id, state, expects)

    def run(self, turn: Turn, step: str, attempt: Attempt) -> Attempt:
        """Run a query that was written down and keep its rows."""
        state = turn.step(step, partial(self._ran, turn, attempt))
        return Attempt(attempt.query_id, state, attempt.expects)

    def told(self, turn: Turn, words: Callable[[], str]) -> str:
        """Words that cost a call: they are kept beside the query, and said the same when the turn goes on."""
        said = turn.step("phrase", lambda: self._save(turn, "phrase", "", words(), None, "told", ""))
        return self._memory.query(said).reading

    def problem(self, turn: Turn, attempt: Attempt) -> str:
        """What is wrong with a query that failed, or with the result of a doubtful one."""
        query = self._memory.query(attempt.query_id)
        return self._doubt(turn, query, attempt.expects) if attempt.state == "doubtful" else query.problem

    def fingerprint(self, attempt: Attempt) -> str:
        """The same for two results that hold the same rows in any order, whatever their columns are called."""
        table = self._memory.result(self._memory.query(attempt.query_id))
        return f"{table.row_count} {sorted(map(repr, table.rows))}"

    def advice(self, turn: Turn, attempt: Attempt) -> str:
        """A sentence when the query is dearer than is usual for its source, else nothing."""
        database = self._context.source(turn)
        return database.advice(self._memory.query(attempt.query_id).sql) if database.advises else ""

    def set_aside(self, attempt: Attempt, reason: str) -> None:
        """Another query of the turn is the answer."""
        self._memory.fail_query(attempt.query_id, reason)

    def _kept(self, turn: Turn, part: str, proposal: Proposal) -> tuple[int, State, Expected]:
        """Write a proposal down. The SQL that is kept is the SQL that would run, less the asker's rights, or was refused."""
        match proposal:
            case Draft(sql, reading, meaning):
                sql, refusal = self._checked(turn, sql)
                query_id = self._save(turn, part, sql, reading, meaning, "draft", proposal.by)
                if refusal:
                    self._memory.fail_query(query_id, refusal)
                return query_id, "failed" if refusal else "draft", proposal.expects
            case AskBack(text, options):
                return self._save(turn, part, "", text, list(options), "asked", proposal.by), "asked", ""
            case CannotAnswer(reason, suggestions):
                return self._save(turn, part, "", reason, list(suggestions), "declined", proposal.by), "declined", ""

    def _checked(self, turn: Turn, sql: str) -> tuple[str, str]:
        """The SQL as the guard regenerates it and "", or as it came and why it was refused."""
        try:
            return self._context.source(turn).check(sql).plain, ""
        except SqlRefused as refusal:
            return sql, str(refusal)

    def _save(self, turn: Turn, part: str, sql: str, reading: str, meaning: Json, status: QueryStatus, by: str) -> int:
        request = turn.request
        return self._memory.save_proposal(
            request.thread,
            request.turn_id,
            part,
            source=request.source,
            question=request.text,
            sql=sql,
            reading=reading,
            meaning=meaning,
            analyst=by or self._reader,
            status=status,
        )

    def _ran(self, turn: Turn, attempt: Attempt) -> State:
        """Run a query and keep its rows; what goes wrong is written to its row, for the repair and for the person."""
        query = self._memory.query(attempt.query_id)
        if query.status == "draft":  # else it ran, and the process died before that was recorded
            self._execute(turn, query)
            query = self._memory.query(attempt.query_id)
        return "doubtful" if query.status == "ok" and self._doubt(turn, query, attempt.expects) else query.status

    def _execute(self, turn: Turn, query: PastQuery) -> None:
        database = self._context.source(turn)
        started = monotonic()
        try:
            checked = database.check(query.sql)
            with database.run(checked, turn.stop) as stream:
                stored = self._results.under(checked.mark).keep(
                    f"q{query.id}",
                    stream.columns,
                    stream.blocks,
                    max_rows=database.limits.rows,
                    max_bytes=database.limits.bytes,
                )
        except Stopped as stopped:
            self._memory.fail_query(query.id, str(stopped))
            raise
        except (QueryFailed, QueryTimeout, SqlRefused) as error:
            self._memory.fail_query(query.id, error.detail if isinstance(error, QueryFailed) else str(error))
            return
        elapsed_ms = round((monotonic() - started) * 1000)
        self._memory.finish_query(query.id, stored, elapsed_ms, headline(self._results.head(stored.handle, 1)))

    def _doubt(self, turn: Turn, query: PastQuery, expects: Expected) -> str:
        if not expects:
            return ""
        table, catalog = self._memory.result(query), self._context.source(turn).catalog()
        return doubt(expects, query.sql, table, catalog, turn.request.asked_at.date())


def headline(table: ResultTable) -> str:
    """What a summary keeps of a result: the value where there is only one, else the number of rows."""
    if table.row_count == 1 and len(table.columns) == 1:
        return str(table.rows[0][0])
    return f"{table.row_count} rows"
