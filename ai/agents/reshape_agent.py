"""Answers follow-ups on kept rows: sort, filter, cut, rename, share, pivot. No model, no query.

The outcome is stored like any result, with SQL of what was done.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from ai.agents.actions import actions
from ai.agents.cards import AgentCard, Services
from ai.agents.port import ReplyEvent, StatusEvent, TableEvent, TextEvent, Turn
from ai.agents.querying.exporting import Exported, ExportSources, title_of
from ai.agents.querying.receipts import small_print
from ai.agents.querying.rerunning import Rerunning
from ai.agents.querying.reshaping import ANALYST, GONE, Reshaping
from ai.agents.tools import ThreadTools
from ai.agents.wishes.exports import ExportWish
from ai.agents.wishes.polite import POLITE
from ai.agents.wishes.reshape import sounds_like_steps
from ai.agents.wishes.steps_told import told
from ai.analysts.port import Intent
from ai.answers.formats import heading_words
from ai.answers.kept import kept
from ai.answers.phrase import literal
from ai.answers.view import SHOWN_ROWS, View, view_of
from ai.errors import NoResult
from ai.types import AnsweredQuery

BEHIND_SHOWN = re.compile(
    rf"^{POLITE}(?:(?:show|list|see|give|get|let me see|what are)(?: me| us)? )?(?:all )?(?:of )?(?:the )?"
    rf"(?:underlying |raw |individual |single )?"
    r"(?:rows?|records?|lines|entries)(?: that are)? (?:behind|underneath|under|beneath)(?: (?:that|this"
    r"|it|those|them|the) ?"
    r"(?:numbers?|figures?|totals?|answers?|results?)?)?\W*$"
    rf"|^{POLITE}(?:show|list|see|give)(?: me| us)? the (?:underlying|raw|individual) (?:rows|records|data"
    rf"|entries)\W*$",
    re.IGNORECASE,
)
SHARE = " share %"
IDENTIFIER = re.compile(r"[a-z0-9_]+")  # other names of a pivot's columns are values: they stay as they are


class ReshapeAgent:
    def __init__(self, services: Services) -> None:
        self._memory = services.memory
        self._context = services.context
        self._reshaping = _reshaping(services)
        self._again = Rerunning(services.memory, services.context)
        self._exports = services.exports
        self._sources = ExportSources(services.memory, services.context, services.analyst)

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        if BEHIND_SHOWN.match(turn.request.text):
            yield from self._behind(turn)
            return
        plan = self._reshaping.plan(turn)
        if plan is None:
            raise NoResult(GONE)
        self._context.audience.note(plan.query, turn.request)
        if not plan.steps:
            yield from self._shown(
                turn, plan.query, f"The result of “{literal(title_of(self._context, turn, plan.query))}”:", plan.query
            )
            return
        yield StatusEvent("Working on the kept rows…")
        query_id = turn.step("reshape", lambda: self._reshaping.applied(turn, plan))
        query = self._memory.query(query_id)
        is_reshaped = plan.query.analyst == ANALYST  # its columns may have been renamed
        source, view = literal(title_of(self._context, turn, plan.query)), self._view(turn, plan.query)
        headings = tuple(map(heading_words, plan.titles)) if is_reshaped else view.headings
        said = literal(kept(view, self._memory.result(query), plan.steps))
        said = said or f"**{counted_rows(query)}** of “{source}”, {literal(told(plan.steps, headings))}."
        yield from self._shown(turn, query, said, plan.query)

    def _behind(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Show the rows that the last figure counts or adds up."""
        request = turn.request
        tools = ThreadTools(self._memory, request.thread, self._exports, self._context.audience, request, turn.stop)
        last = self._context.past(turn)[0]
        found = yield from self._sources.find(turn, tools, ExportWish("csv", behind=True))
        if not isinstance(found, Exported):
            yield found
            return
        said = f"**{counted_rows(found.query)}** behind “{literal(title_of(self._context, turn, last))}”."
        self._context.audience.note(found.query, turn.request)
        yield from self._shown(turn, found.query, said, found.query)

    def _shown(self, turn: Turn, query: AnsweredQuery, text: str, worked_on: AnsweredQuery) -> Iterator[ReplyEvent]:
        table, view = self._memory.result(query), self._view(turn, query)
        yield TextEvent(" ".join(filter(None, [text, self._again.note(turn, worked_on)])))
        heads = zip(table.columns, view.headings, strict=True)
        tables = self._context.question(turn).catalog.tables
        known = {column.name for each in tables for column in each.columns}
        headings = tuple(
            words if column.name in known or IDENTIFIER.fullmatch(column.name.removesuffix(SHARE)) else column.name
            for column, words in heads
        )
        yield TableEvent(table, headings, view.cells(SHOWN_ROWS))
        yield from small_print(self._memory, query, table, self._context.basis(turn, query))
        yield replace(actions(query, table), refines=0)  # the steps over the rows are no part of the meaning

    def _view(self, turn: Turn, query: AnsweredQuery) -> View:
        return view_of(self._context.names(turn, query), self._memory.result(query))


def counted_rows(query: AnsweredQuery) -> str:
    return f"{query.row_count:,} row{'' if query.row_count == 1 else 's'}"


def _reshaping(services: Services) -> Reshaping:
    return Reshaping(services.memory, services.context)


def _is_about_the_rows(services: Services, turn: Turn) -> bool:
    is_behind = BEHIND_SHOWN.match(turn.request.text) and services.context.past(turn)
    return bool(is_behind) or _reshaping(services).plan(turn) is not None


CARD = AgentCard(
    intent=Intent("reshape"),
    rank=100,
    quick=sounds_like_steps,
    claims=_is_about_the_rows,  # no line for a model: what is no step over the kept rows is a question for the database
    examples=("sort it by name", "only the first 3", "top 3 of these", "as a table"),
    gives="the last result sorted, filtered, cut or renamed, without a new query",
    build=ReshapeAgent,
)
