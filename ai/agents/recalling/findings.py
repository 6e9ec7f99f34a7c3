"""Tells what was asked of the data and found: lists of queries, earlier tables, single figures. Runs no SQL."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from ai.agents.port import QuestionEvent, ReplyEvent, SqlEvent, TableEvent, TextEvent, Turn
from ai.agents.querying.receipts import small_print
from ai.agents.question_context import QuestionContext
from ai.answers.phrase import literal
from ai.answers.view import SHOWN_ROWS, viewed
from ai.language.dates import Period
from ai.language.words import telling_stems
from ai.memory.search import Match, match
from ai.memory_store import MemoryStore
from ai.results.table import ResultTable, Row
from ai.types import AnsweredQuery, Deed

LISTED = 20
COMPARED = 200  # newest queries of a thread
NONE_YET = "Nothing was asked of the data in this thread yet."
NO_TABLE = "No table was shown in this thread yet, or its rows are no longer kept; ask the question again."
WHICH = "Which question do you mean?"


@dataclass(frozen=True, slots=True)
class Findings:
    memory: MemoryStore
    context: QuestionContext

    def listed(self, turn: Turn, period: Period | None, *, own: bool) -> Iterator[ReplyEvent]:
        """List the questions answered in the thread, or those of the asker, with what was found."""
        found = self._past(turn, period)
        if own:
            found = [query for query in found if self._asked_by(query) == turn.request.user]
        if not found:
            yield TextEvent(NONE_YET if period is None else f"Nothing was asked {literal(period.words)}.")
            return
        self._note(found[-LISTED:], turn)
        lines = [f"- {line(query, turn)}" for query in found[-LISTED:]]
        more = f"\nThere are {len(found) - LISTED} earlier ones." if len(found) > LISTED else ""
        yield TextEvent("\n".join([f"Asked {'by you ' * own}in this thread:", *lines]) + more)

    def told(self, turn: Turn, most: int) -> list[str]:
        """Return the newest questions with their findings, oldest first."""
        newest = self._past(turn, None)[-most:]
        self._note(newest, turn)
        return [line(query, turn) for query in newest]

    def _note(self, queries: Sequence[AnsweredQuery], turn: Turn) -> None:
        for query in queries:
            self.context.audience.note(query, turn.request, rows=query.row_count is not None)

    def query(self, turn: Turn, described: str, period: Period | None) -> Iterator[ReplyEvent]:
        """Show the SQL of a described query."""
        found = self._past(turn, period)[::-1]
        chosen = match(described or None, found)
        if chosen.query is None:
            yield _which(chosen, "show me the SQL for {}", "sql_retrieval")
            return
        self.context.audience.check_sql(chosen.query, turn.request.roles)
        self.context.audience.note(chosen.query, turn.request)
        yield TextEvent(f"{line(chosen.query, turn)}:")
        yield SqlEvent(chosen.query.sql, chosen.query.question)

    def rows(self, turn: Turn, described: str, period: Period | None) -> Iterator[ReplyEvent]:
        """Show an earlier table again, the last one unless described."""
        tables = [query for query in self._past(turn, period)[::-1] if query.result and (query.row_count or 0) > 1]
        chosen = match(described or None, tables)
        if chosen.query is None:
            yield _which(chosen, "show me the list of {} again", "memory") if chosen.candidates else TextEvent(NO_TABLE)
            return
        query = chosen.query
        self.context.audience.check_rows(query, turn.request.roles)
        self.context.audience.note(query, turn.request)
        table, question = self.memory.result(query), self.context.question(turn)
        view = viewed(query.sql, table, question.catalog, question.semantics, question.today, query.question)
        yield TextEvent(f"This answered {line(query, turn)}:")
        yield TableEvent(table, view.headings, view.cells(SHOWN_ROWS))
        yield from small_print(self.memory, query, table, self.context.basis(turn, query))

    def figure(self, turn: Turn, topic: str, whole: str, period: Period | None) -> Iterator[ReplyEvent]:
        """Say an earlier figure again; a period is part of the `whole` topic, else the time of the answer."""
        found = (self._figure(turn, whole, None) if whole else None) or self._figure(turn, topic, period)
        about = f" for “{literal(whole or topic)}”" if whole or topic else ""
        yield found or TextEvent(f"I have said no figure{about} in this thread, or its rows are no longer kept.")

    def _figure(self, turn: Turn, topic: str, period: Period | None) -> TextEvent | None:
        for query in self._past(turn, period)[::-1]:
            if query.result is None or self.context.audience.sight(query, turn.request.roles) != "all":
                continue
            table = self.memory.result(query)
            row = _row_of(table, topic, query.question)
            if row is not None:
                self.context.audience.note(query, turn.request)
                return TextEvent(f"I said {_told(table, row)} in answer to {line(query, turn, found=False)}.")
        return None

    def turns(self, turn: Turn) -> frozenset[str]:
        """Return the turns that were answered."""
        return frozenset(query.turn_id for query in self._past(turn, None))

    def _past(self, turn: Turn, period: Period | None) -> list[AnsweredQuery]:
        request = turn.request
        known = self.memory.queries(request.thread, COMPARED, before_turn=request.turn_id)
        shown = self.context.audience.shown(known, request.roles)
        inside = (each for each in shown if period is None or _is_within(each, period))
        return list(inside)[::-1]

    def _asked_by(self, query: AnsweredQuery) -> str:
        question = self.memory.question(query.turn_id)
        return question.author if question else ""


def line(query: AnsweredQuery, turn: Turn, *, found: bool = True) -> str:
    """Return a question, its day and its finding as one line."""
    at = query.created_at.astimezone(ZoneInfo(turn.request.timezone))
    rows = query.row_count
    size = f"{rows:,} row{'s' * (rows != 1)}" if rows is not None else ""
    said = literal(query.headline) or size
    return f"“{literal(query.question)}” ({at:%B} {at.day}{f': {said}' if said and found else ''})"


def _row_of(table: ResultTable, topic: str, question: str) -> Row | None:
    """Return the row that has the topic as a cell, or the only row of a question about it."""
    wanted = topic.casefold()
    for row in table.rows if topic else ():
        if any(isinstance(cell, str) and cell.casefold() == wanted for cell in row):
            return row
    asked = not topic or set(telling_stems(topic)) <= set(telling_stems(question))
    return table.rows[0] if asked and len(table.rows) == 1 else None


def _told(table: ResultTable, row: Row) -> str:
    """Return the figures of a row with the names of their columns."""
    figures = [
        (column.name, cell)
        for column, cell in zip(table.columns, row, strict=True)
        if isinstance(cell, int | float) and not isinstance(cell, bool)
    ]
    if len(figures) == 1:
        return f"**{literal(_figure(figures[0][1]))}**"
    told = figures or [(column.name, cell) for column, cell in zip(table.columns, row, strict=True)]
    return ", ".join(f"{literal(name.replace('_', ' '))} **{literal(_figure(cell))}**" for name, cell in told)


def _figure(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)


def _which(chosen: Match, ask: str, to: str) -> ReplyEvent:
    questions: Sequence[str] = tuple(query.question for query in chosen.candidates)
    if not questions:
        return TextEvent(NONE_YET)
    return QuestionEvent(WHICH, tuple(questions), tuple(ask.format(question) for question in questions), deed=Deed(to))


def _is_within(query: AnsweredQuery, period: Period) -> bool:
    return period.since <= query.created_at < period.until
