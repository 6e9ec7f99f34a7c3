"""Runs the query of a result without rows again, under the rights of the asker of now.

The outcome is a record of the asking turn, with rows and a receipt of its own; the earlier answer stays as it was. The
second time in a turn runs nothing, so the router and the agent may both ask for it.
"""

from collections.abc import Iterator
from dataclasses import replace

from ai.agents.port import ReplyEvent, TextEvent, Turn, run_now
from ai.agents.querying.attempts import Attempts, failure
from ai.agents.question_context import QuestionContext
from ai.analysts.port import Draft
from ai.errors import NoResult
from ai.memory_store import MemoryStore
from ai.types import AnsweredQuery, FailedQuery

RAN_AGAIN = "Its rows were no longer kept, so the query was run again; they are as of now."
CANNOT = "The rows of “{0}” are no longer kept, and its query could not be run again: {1}"


class Rerunning:
    def __init__(self, memory: MemoryStore, context: QuestionContext) -> None:
        self._memory = memory
        self._context = context
        self._attempts = Attempts(memory, memory.parts.results, context, "")

    def is_gone(self, query: AnsweredQuery) -> bool:
        try:
            return query.result is None or not self._memory.parts.results.describe(query.result)
        except NoResult:
            return True

    def kept(self, turn: Turn, query: AnsweredQuery) -> AnsweredQuery:
        """Return a query with kept rows: this one, or another run of it. Raises NotAllowed, or NoResult saying why."""
        if not self.is_gone(query):
            return query
        request = turn.request
        self._context.audience.check_sql(query, request.roles)
        asked = replace(turn, request=replace(request, text=query.question, source=query.source), step=run_now)
        draft = Draft(query.sql, query.reading, query.meaning, by=query.analyst)
        attempt = self._attempts.write(asked, f"again:{query.id}", lambda: draft)
        attempt = self._attempts.run(asked, "run_again", attempt)
        match self._memory.outcome(attempt.query_id):
            case AnsweredQuery() as again:
                return again
            case FailedQuery(problem=problem):
                raise NoResult(CANNOT.format(query.question, failure(problem)))
            case other:
                raise TypeError(f"q{other.id} was not run.")

    def notes(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Yield the sentence if any query ran again in this turn."""
        records = self._memory.turn_queries(turn.request.turn_id)
        if any(isinstance(record, AnsweredQuery) and self.note(turn, record) for record in records):
            yield TextEvent(RAN_AGAIN)

    def note(self, turn: Turn, query: AnsweredQuery) -> str:
        """Return the sentence for a query run again in this turn, "" for any other."""
        if query.turn_id != turn.request.turn_id:
            return ""
        before = [past for past in self._context.past(turn) if past.sql == query.sql]
        return RAN_AGAIN if before and all(map(self.is_gone, before)) else ""
