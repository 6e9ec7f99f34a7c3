"""Shows the SQL behind an earlier answer. Reads only."""

from collections.abc import Iterator

from ai.agents.port import QuestionEvent, ReplyEvent, SqlEvent, TextEvent, Turn
from ai.agents.question_context import QuestionContext, SeedCalls
from ai.agents.tools import Exports, ThreadTools
from ai.agents.wishes.wording import sql_described
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.memory_store import MemoryStore

NARROWED = "Your rights narrow it when it runs: it reads only the rows, and shows only the values, that you may see."


class SqlRetrievalAgent(SeedCalls):
    """Finds the query that is meant, last one by default; asks back rather than show a wrong one."""

    intents: tuple[Intent, ...] = ("sql_retrieval",)
    retrieve = SeedCalls.whole

    def __init__(self, memory: MemoryStore, context: QuestionContext, exports: Exports) -> None:
        super().__init__(context)
        self._memory = memory
        self._exports = exports

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Show the SQL that the message of a turn is about."""
        tools = ThreadTools(self._memory, turn.request.thread, self._exports, self._context.audience, turn.request)
        match = tools.get_sql_history_tool(sql_described(turn.request.text))
        if match.query is None:
            questions = tuple(query.question for query in match.candidates)
            asks = tuple(f"show me the SQL for {question}" for question in questions)
            yield QuestionEvent("Which question's SQL do you mean?", questions, asks)
            return
        yield TextEvent(f"This SQL answered “{literal(match.query.question)}”:")
        yield SqlEvent(match.query.sql, match.query.question)
        if self._context.audience.narrows(match.query, turn.request.roles):
            yield TextEvent(NARROWED)
