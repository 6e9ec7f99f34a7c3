"""Explains an answer or pasted SQL in words made from the query. Owners may run their own SQL."""

from collections.abc import Iterator

from ai.agents.actions import actions
from ai.agents.cards import AgentCard, Services
from ai.agents.port import ReplyEvent, SqlEvent, StatusEvent, TableEvent, TextEvent, Turn
from ai.agents.querying.attempts import Attempts, failure
from ai.agents.querying.receipts import small_print
from ai.agents.tools import ThreadTools
from ai.agents.wishes.why import explained_query, pasted_sql, wants_explained
from ai.analysts.port import Draft, Intent
from ai.answers.phrase import literal
from ai.answers.view import SHOWN_ROWS, view_of
from ai.errors import NoResult, SqlRefused
from ai.types import AnsweredQuery, FailedQuery

BY = "pasted SQL"
NOTHING = "There is no answer in this thread yet; ask a data question first, then say “explain this answer”."
FOR_OWNERS = (
    "I explain it but do not run it: only owners of the bot may run SQL of their own. "
    "Ask the question in words, and I write and run the SQL for it."
)
COMMENT = "It has a comment with --, and a message reaches me on one line: take the comments out and send it again."
REFUSED = "I would not run this SQL: {}"


class ExplainAgent:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._memory = services.memory
        self._context = services.context
        self._attempts = Attempts(services.memory, services.memory.parts.results, services.context, BY)

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        sql = pasted_sql(turn.request.text)
        yield from self._answer(turn) if sql is None else self._pasted(turn, sql)

    def _answer(self, turn: Turn) -> Iterator[ReplyEvent]:
        audience = self._context.audience
        tools = ThreadTools(self._memory, turn.request.thread, self._services.exports, audience, turn.request)
        query = tools.sql_alone(tools.get_sql_history_tool(explained_query(turn.request.text) or None)).query
        if query is None:
            raise NoResult(NOTHING)
        audience.note(query, turn.request, rows=query.row_count is not None)
        basis = self._context.basis(turn, query)
        day = query.created_at
        lines = [f"How “{literal(query.question)}” was answered:", *self._lines(basis.reading, basis.tables)]
        if basis.definitions:
            lines.append(f"- **With your definitions** of {literal(', '.join(basis.definitions))}")
        if query.row_count is not None:
            cut = ", cut at that number" if query.truncated else ""
            rows = f"{query.row_count:,} row{'s' * (query.row_count != 1)}{cut}"
            lines.append(f"- **Result**: {rows}, as of {day:%B} {day.day}, {day:%Y at %H:%M} UTC")
        yield TextEvent("\n".join(lines))
        yield SqlEvent(query.sql, query.question)

    def _pasted(self, turn: Turn, sql: str) -> Iterator[ReplyEvent]:
        """Explain pasted SQL; run it for an owner."""
        if "--" in sql:
            yield TextEvent(COMMENT)
            return
        try:
            tables = self._context.source(turn).check(sql).tables
        except SqlRefused as refusal:
            yield TextEvent(REFUSED.format(literal(str(refusal))))
            return
        yield TextEvent("\n".join(["This SQL reads:", *self._lines(self._context.reading_of(turn, sql), tables)]))
        if self._services.is_owner(turn.request.user):
            yield from self._run(turn, sql)
        else:
            yield TextEvent(FOR_OWNERS)

    def _run(self, turn: Turn, sql: str) -> Iterator[ReplyEvent]:
        yield StatusEvent("Running the query…")
        draft = self._attempts.write(turn, "pasted_sql", lambda: Draft(sql, "", None, by=BY))
        ran = self._attempts.run(turn, "run_pasted", draft)
        match self._memory.outcome(ran.query_id):
            case AnsweredQuery() as query:
                table = self._memory.result(query)
                view = view_of(self._context.names(turn, query), table)
                yield TextEvent(f"It gives {table.row_count:,} row{'s' * (table.row_count != 1)}.")
                yield TableEvent(table, view.headings, view.cells(SHOWN_ROWS))
                yield from small_print(self._memory, query, table, self._context.basis(turn, query))
                yield actions(query, table)
            case FailedQuery(problem=problem):
                yield TextEvent(literal(failure(problem)))

    @staticmethod
    def _lines(reading: str, tables: tuple[str, ...]) -> list[str]:
        return [f"- **What**: {literal(reading)}", f"- **From**: {literal(', '.join(tables)) or 'no table'}"]


CARD = AgentCard(
    intent=Intent("explain"),
    rank=28,
    reads=wants_explained,
    examples=("explain this answer", "how did you get this number?", "explain: SELECT COUNT(*) FROM apps"),
    gives="what was read, from which tables; SQL you paste is explained, and run for owners",
    told="to have an answer or SQL explained in words",
    build=ExplainAgent,
)
