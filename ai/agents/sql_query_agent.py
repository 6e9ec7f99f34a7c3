"""Answers a question about the data: write SQL, check it, run it, keep it, say it.

The agent stores its query; the orchestrator stores the conversation. Writing, running and repairing are one step each
and record only the id of the query's row, so a resumed turn pays for none of them twice.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import monotonic

from ai.agents.asking import Asking, SeedCalls
from ai.agents.port import (
    Answer,
    NoteEvent,
    QuestionEvent,
    ReplyEvent,
    StatusEvent,
    TableEvent,
    TextEvent,
    Turn,
)
from ai.analysts.port import Analyst, AskBack, CannotAnswer, Draft, Intent, Proposal, Question
from ai.answers.phrase import literal
from ai.errors import QueryFailed, QueryTimeout, SqlRefused
from ai.memory_store import MemoryStore
from ai.results.store import ResultStore
from ai.results.table import ResultTable
from ai.types import Json, LoggedMessage, PastQuery, QueryStatus, ThreadKey

REPAIRS = 2
Kept = tuple[int, QueryStatus]  # the number of a query's row, and what became of it in the step that wrote it


class SqlQueryAgent(SeedCalls):
    """Question in, checked SQL and its result out."""

    intents: tuple[Intent, ...] = ("sql_query",)

    def __init__(self, memory: MemoryStore, results: ResultStore, analyst: Analyst, asking: Asking) -> None:
        super().__init__(asking)
        self._memory = memory
        self._results = results
        self._analyst = analyst

    def query(
        self, question: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Answer:
        """The whole answer to one question of a thread."""
        return self.whole(question, thread_ts, conversation_history)

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Answer the question of a turn, with at most two repairs of SQL that was refused or failed.

        What is done next follows from what the steps recorded, never from what the rows say by now: a resumed turn must
        go through the same steps.
        """
        question = self._asking.question(turn)
        yield StatusEvent("Reading the question…")
        query_id, status = self._written(turn, "write_sql", lambda: self._analyst.write_sql(question))
        for attempt in range(REPAIRS + 1):
            if status == "draft":
                yield StatusEvent("Running the query…")
                status = turn.step(f"run_sql:{attempt}", partial(self._execute, turn, query_id))
            if status != "failed" or attempt == REPAIRS:
                break
            failed = self._memory.query(query_id)
            query_id, status = self._repaired(turn, question, failed, attempt)
            if self._memory.query(query_id).sql == failed.sql:
                break
        query = self._memory.query(query_id)
        self._asking.audience.check_rows(query, turn.request.roles)  # they may have changed since it ran
        yield from self._told(question, query)

    def _written(self, turn: Turn, step: str, propose: Callable[[], Proposal]) -> Kept:
        return turn.step(step, lambda: self._keep(turn, step, propose()))

    def _repaired(self, turn: Turn, question: Question, failed: PastQuery, attempt: int) -> Kept:
        draft = Draft(failed.sql, failed.reading, failed.meaning)
        return self._written(
            turn, f"repair_sql:{attempt}", lambda: self._analyst.repair_sql(question, draft, failed.problem)
        )

    def _keep(self, turn: Turn, part: str, proposal: Proposal) -> Kept:
        """Write a proposal down. The SQL that is kept is the SQL that would run, or was refused."""
        match proposal:
            case Draft(sql, reading, meaning):
                sql, refusal = self._checked(turn, sql)
                query_id = self._save(turn, part, sql, reading, meaning, "draft")
                if refusal:
                    self._memory.fail_query(query_id, refusal)
                return query_id, "failed" if refusal else "draft"
            case AskBack(text, options):
                return self._save(turn, part, "", text, list(options), "asked"), "asked"
            case CannotAnswer(reason, suggestions):
                return self._save(turn, part, "", reason, list(suggestions), "declined"), "declined"

    def _checked(self, turn: Turn, sql: str) -> tuple[str, str]:
        """The SQL as the guard regenerates it and "", or as it came and why it was refused."""
        try:
            return self._asking.source(turn).check(sql).plain, ""
        except SqlRefused as refusal:
            return sql, str(refusal)

    def _save(self, turn: Turn, part: str, sql: str, reading: str, meaning: Json, status: QueryStatus) -> int:
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
            analyst=self._analyst.name,
            status=status,
        )

    def _execute(self, turn: Turn, query_id: int) -> QueryStatus:
        """Run a query and keep its rows; what goes wrong is written to its row, for the repair and for the person."""
        query = self._memory.query(query_id)
        if query.status != "draft":  # it ran, and the process died before that was recorded
            return query.status
        database = self._asking.source(turn)
        started = monotonic()
        try:
            checked = database.check(query.sql)
            with database.run(checked) as stream:
                stored = self._results.under(checked.mark).write(
                    f"q{query_id}",
                    stream.columns,
                    stream.batches,
                    max_rows=database.limits.rows,
                    max_bytes=database.limits.bytes,
                )
        except (QueryFailed, QueryTimeout, SqlRefused) as error:
            self._memory.fail_query(query_id, error.detail if isinstance(error, QueryFailed) else str(error))
            return "failed"
        elapsed_ms = round((monotonic() - started) * 1000)
        self._memory.finish_query(query_id, stored, elapsed_ms, headline(self._results.head(stored.handle, 1)))
        return "ok"

    def _told(self, question: Question, query: PastQuery) -> Iterator[ReplyEvent]:
        options = tuple(str(option) for option in query.meaning) if isinstance(query.meaning, list) else ()
        match query.status:
            case "ok":
                yield from self._answered(question, query)
            case "asked":
                yield QuestionEvent(query.reading, options)
            case "declined":
                yield TextEvent("\n".join([literal(query.reading), *_suggested(options)]))
            case _:
                yield TextEvent(literal(f"I could not get an answer from the database: {query.problem}"))

    def _answered(self, question: Question, query: PastQuery) -> Iterator[ReplyEvent]:
        table = self._memory.result(query)
        draft = Draft(query.sql, query.reading, query.meaning)
        yield TextEvent("".join(self._analyst.phrase(question, draft, table)))
        if len(table.columns) * table.row_count > 1:
            yield TableEvent(table)
        yield NoteEvent(
            reading=query.reading,
            analyst=query.analyst,
            row_count=table.row_count,
            truncated=table.truncated,
            elapsed_ms=query.elapsed_ms or 0,
            query_id=query.id,
        )


def _suggested(questions: tuple[str, ...]) -> list[str]:
    return ["\nYou could ask:", *(f"- {literal(question)}" for question in questions)] if questions else []


def headline(table: ResultTable) -> str:
    """What a summary keeps of a result: the value where there is only one, else the number of rows."""
    if table.row_count == 1 and len(table.columns) == 1:
        return str(table.rows[0][0])
    return f"{table.row_count} rows"
