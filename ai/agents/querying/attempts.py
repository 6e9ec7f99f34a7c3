"""Attempts at a question: write SQL, run it, let results vote, judge the outcome.

Steps record numbers and states only: words and rows stay where forgetting reaches them.
"""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Literal

from ai.agents.port import Turn
from ai.agents.querying.doubts import doubt
from ai.agents.question_context import QuestionContext
from ai.analysts.port import AskBack, CannotAnswer, Draft, Expected, Proposal
from ai.errors import ConnectionLost, Masked, QueryEnded, QueryFailed, RowsAway, SourceUnavailable, SqlRefused, Stopped
from ai.memory_store import MemoryStore, QueryOrigin
from ai.results.likeness import alike
from ai.results.store import ResultStore
from ai.results.table import ResultTable
from ai.sql.catalog import Catalog
from ai.sql.cautions import Asked
from ai.sql.facts import unproven
from ai.sql.guard import Checked
from ai.types import AnsweredQuery, AskedBack, Declined, DraftQuery, FailedQuery, PastQuery, WrittenQuery

log = logging.getLogger(__name__)
REPLACED = "Another query of the same turn answers the question."
FROM_DATABASE = "The database says: "  # words of a database are for repair, not for people
ENDED = "It did not finish: "  # the rest is said as it is
LOST = "The connection to the database broke off; ask again in a minute, and tell an owner if it stays so."
AWAY = "The database cannot be reached now; ask again in a few minutes, and tell an owner if it stays so."
AttemptState = Literal["draft", "ok", "doubtful", "failed", "ended", "asked", "declined"]
"""`doubtful`: it ran, but the result lacks the expected shape. `ended`: it did not finish, which no other SQL mends.
`asked`, `declined`: there is no SQL."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A record by number. `expects` is "" unless a model wrote the SQL."""

    query_id: int
    state: AttemptState
    expects: Expected = ""

    @property
    def ran(self) -> bool:
        return self.state in ("ok", "doubtful")


class Attempts:
    """Makes attempts in the name of `reader`; the results of `candidates` queries vote."""

    def __init__(
        self, memory: MemoryStore, results: ResultStore, context: QuestionContext, reader: str, candidates: int = 1
    ) -> None:
        self._memory = memory
        self._results = results
        self._context = context
        self._reader = reader
        self._candidates = candidates

    def first(self, turn: Turn, propose: Callable[[], Proposal]) -> Attempt:
        """Write the first query; with candidates, the one with the commonest result."""
        first = self.write(turn, "write_sql", propose)
        if self._candidates == 1 or not first.expects:
            return first
        others = (self.write(turn, f"write_sql:{number}", propose) for number in range(1, self._candidates))
        tried = [self.run(turn, f"candidate:{number}", attempt) for number, attempt in enumerate([first, *others])]
        chosen = tried[turn.step("vote", lambda: self._vote(tried))]
        self.replace(tried, chosen)
        return chosen

    def write(self, turn: Turn, step: str, propose: Callable[[], Proposal]) -> Attempt:
        query_id, state, expects = turn.step(step, lambda: self._keep(turn, step, propose()))
        return Attempt(query_id, state, expects)

    def write_any(self, turn: Turn, step: str, propose: Callable[[], Proposal | None]) -> Attempt | None:
        """Write a query and run it, None without a proposal."""

        def kept() -> tuple[int, AttemptState, Expected] | None:
            proposal = propose()
            return self._keep(turn, step, proposal) if proposal else None

        known = turn.step(step, kept)
        attempt = Attempt(*known) if known else None
        return self.run(turn, f"run_{step}", attempt) if attempt else None

    def run(self, turn: Turn, step: str, attempt: Attempt) -> Attempt:
        """Run an attempt with SQL; another one stays as it is."""
        if attempt.state != "draft":
            return attempt
        state = turn.step(step, partial(self._run, turn, attempt))
        return Attempt(attempt.query_id, state, attempt.expects)

    def replace(self, tried: Sequence[Attempt], chosen: Attempt) -> None:
        for attempt in tried:
            if attempt is not chosen and attempt.ran:
                self._memory.fail_query(attempt.query_id, REPLACED)

    def phrase(self, turn: Turn, words: Callable[[], str]) -> str:
        """Keep a model's words, as they cost a call."""
        request, answers = turn.request, self._memory.answers
        turn.step("phrase", lambda: answers.keep_phrasing(request.thread, request.turn_id, words()))
        return answers.phrasing(request.turn_id)

    def sql(self, query_id: int) -> str:
        query = self._memory.outcome(query_id)
        return query.sql if isinstance(query, WrittenQuery) else ""

    def by(self, attempt: Attempt) -> str:
        """Return the name of the reader of an attempt."""
        return self._memory.outcome(attempt.query_id).analyst

    def is_own(self, attempt: Attempt) -> bool:
        """Whether the analyst itself made an attempt, not a reader in its place."""
        return self.by(attempt) == self._reader

    def result(self, attempt: Attempt) -> ResultTable | None:
        """Return what an attempt gave, None for one that was replaced."""
        query = self._answered(attempt)
        return self._memory.result(query) if query else None

    def agrees(self, turn: Turn, attempt: Attempt, sql: str) -> bool:
        """Whether an attempt has this SQL, as the guard writes it."""
        return self._checked(turn, sql)[0] == self.sql(attempt.query_id)

    def differs(self, attempt: Attempt, other: Attempt) -> bool:
        """Whether two attempts answer differently; one replaced before a crash does not."""
        one, two = self.result(attempt), self.result(other)
        if one is None or two is None:
            return False
        return one.row_count != two.row_count or not alike(one.rows, two.rows)

    def draft(self, attempt: Attempt) -> Draft:
        query = self._memory.outcome(attempt.query_id)
        if not isinstance(query, WrittenQuery):
            raise TypeError(f"q{query.id} has no SQL to write again.")
        return Draft(query.sql, query.reading, query.meaning)

    def problem(self, turn: Turn, attempt: Attempt) -> str:
        match self._memory.outcome(attempt.query_id):
            case FailedQuery(problem=problem):
                return problem
            case AnsweredQuery() as query:
                return self._doubt(turn, query, attempt.expects)
        return ""

    def running(self, turn: Turn, attempt: Attempt) -> str:
        """Say what runs: on how many rows where the asker may know, and if it is dearer than usual."""
        database, sql = self._context.source(turn), self.sql(attempt.query_id)
        rows = _rows(database.check(sql), database.catalog())
        return f"Running the query{rows}… {database.advice(sql)}".strip()

    def _vote(self, tried: Sequence[Attempt]) -> int:
        """Return the first place with the commonest result, among results as expected if there are any."""
        for state in ("ok", "doubtful"):
            ran = {place: self._answered(each) for place, each in enumerate(tried) if each.state == state}
            found = {place: self._fingerprint(query) for place, query in ran.items() if query}
            if found:
                votes = Counter(found.values())
                return max(found, key=lambda place: (votes[found[place]], -place))
        return 0

    def _answered(self, attempt: Attempt) -> AnsweredQuery | None:
        """Return its query, None for a replaced one: a crash loses the latest steps, but not their effects."""
        query = self._memory.outcome(attempt.query_id)
        return query if isinstance(query, AnsweredQuery) else None

    def _fingerprint(self, query: AnsweredQuery) -> str:
        """Equal for the same rows in any order."""
        table = self._memory.result(query)
        return f"{table.row_count} {sorted(map(repr, table.rows))}"

    def _keep(self, turn: Turn, part: str, proposal: Proposal) -> tuple[int, AttemptState, Expected]:
        """Keep a proposal; one kept before the process died stands, and its state counts."""
        expects = proposal.expects if isinstance(proposal, Draft) else ""
        query_id = self._saved(turn, part, proposal)
        return query_id, self._state(turn, self._memory.outcome(query_id), expects), expects

    def _saved(self, turn: Turn, part: str, proposal: Proposal) -> int:
        """Save SQL as checked, without the asker's rights, or as refused."""
        request, by = turn.request, proposal.by or self._reader
        origin = QueryOrigin(request.thread, request.turn_id, part, request.source, request.text, by)
        match proposal:
            case AskBack(text, options):
                return self._memory.save_question_back(origin, text, options)
            case CannotAnswer(reason, suggestions):
                return self._memory.save_refusal(origin, reason, suggestions)
            case Draft(sql, reading, meaning):
                sql, refusal = self._checked(turn, sql)
                query_id = self._memory.save_query(origin, sql, reading, meaning)
                if refusal and self.sql(query_id) == sql:
                    self._memory.fail_query(query_id, refusal)
                return query_id

    def _checked(self, turn: Turn, sql: str) -> tuple[str, str]:
        """Return the guard's SQL and "", or the given SQL and the guard's reason."""
        source = self._context.source(turn)
        try:
            plain = source.check(sql).plain
        except SqlRefused as refusal:
            return sql, _problem(refusal)
        return plain, unproven(plain, source.dialect.name)

    def _run(self, turn: Turn, attempt: Attempt) -> AttemptState:
        query = self._memory.outcome(attempt.query_id)
        if isinstance(query, DraftQuery):  # else it ran, and the process died before that was recorded
            self._execute(turn, query)
            query = self._memory.outcome(attempt.query_id)
        return self._state(turn, query, attempt.expects)

    def _state(self, turn: Turn, query: PastQuery | DraftQuery, expects: Expected) -> AttemptState:
        match query:
            case DraftQuery():
                return "draft"
            case AnsweredQuery():
                return "doubtful" if self._doubt(turn, query, expects) else "ok"
            case FailedQuery(problem=problem):
                return "ended" if problem.startswith(ENDED) else "failed"
            case AskedBack():
                return "asked"
            case Declined():
                return "declined"

    def _execute(self, turn: Turn, query: DraftQuery) -> None:
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
        except RowsAway:
            raise  # the query is well; it runs again once its rows can be kept
        except (QueryEnded, QueryFailed, SourceUnavailable, SqlRefused) as error:
            self._memory.fail_query(query.id, _problem(error))
            return
        elapsed_ms = round((monotonic() - started) * 1000)
        self._memory.finish_query(query.id, stored, elapsed_ms, headline(self._results.head(stored.handle, 1)))

    def _doubt(self, turn: Turn, query: AnsweredQuery, expects: Expected) -> str:
        if not expects:
            return ""
        table, catalog = self._memory.result(query), self._context.source(turn).catalog()
        names, month = self._context.names(turn, query), self._context.question(turn).semantics.fiscal_month
        asked = Asked(turn.request.text, names.today, month)
        return doubt(expects, query.sql, table, catalog, names.today, asked, names.facts)


def failure(problem: str) -> str:
    """Say why there is no answer, without the words of the database."""
    if problem.startswith(FROM_DATABASE):
        return str(QueryFailed(problem))
    if problem.startswith(ENDED):
        return problem.removeprefix(ENDED)
    return f"I could not get an answer from the database: {problem}"


def _problem(error: QueryEnded | QueryFailed | SourceUnavailable | SqlRefused) -> str:
    match error:
        case QueryFailed(detail=detail):
            return f"{FROM_DATABASE}{detail}"
        case QueryEnded() | Masked():
            return f"{ENDED}{error}"
        case SourceUnavailable():
            log.warning("a query did not finish: %s", error)
            return f"{ENDED}{LOST if isinstance(error, ConnectionLost) else AWAY}"
    return str(error)


def headline(table: ResultTable) -> str:
    if table.row_count == 1 and len(table.columns) == 1:
        cell = table.rows[0][0]
        return "" if cell is None else str(cell)
    return f"{table.row_count} row{'s' * (table.row_count != 1)}"


def _rows(checked: Checked, catalog: Catalog) -> str:
    """Return " on 9,049 rows", "" where a table is not counted or rows of it are kept back."""
    tables = [] if checked.mark else [catalog.table(name) for name in checked.tables]
    counts = [table.row_estimate if table else None for table in tables]
    return f" on {sum(map(int, filter(None, counts))):,} rows" if counts and None not in counts else ""
