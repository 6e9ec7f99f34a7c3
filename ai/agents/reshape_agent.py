"""Answers follow-ups on kept rows: sort, filter, cut, rename, share, pivot. No model, no query.

The outcome is stored like any result, with SQL of what was done.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from ai.agents.actions import actions
from ai.agents.cards import AgentCard, Services
from ai.agents.port import ReplyEvent, StatusEvent, TableEvent, TextEvent, Turn
from ai.agents.querying.receipts import small_print
from ai.agents.querying.rerunning import Rerunning
from ai.agents.querying.reshaping import ANALYST, Reshaping
from ai.agents.wishes.reshape import sounds_like_steps, told
from ai.analysts.port import Intent
from ai.answers.formats import heading_words
from ai.answers.phrase import literal
from ai.answers.view import SHOWN_ROWS, View, view_of
from ai.errors import NoResult
from ai.types import AnsweredQuery

IDENTIFIER = re.compile(r"[a-z0-9_]+")  # other names of a pivot's columns are values: they stay as they are
GONE = "There is no kept result to work on; ask a data question first."


class ReshapeAgent:
    def __init__(self, services: Services) -> None:
        self._memory = services.memory
        self._context = services.context
        self._reshaping = _reshaping(services)
        self._again = Rerunning(services.memory, services.context)

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        plan = self._reshaping.plan(turn)
        if plan is None:
            raise NoResult(GONE)
        self._context.audience.note(plan.query, turn.request)
        if not plan.steps:
            yield from self._shown(turn, plan.query, f"The result of “{literal(plan.query.question)}”:", plan.query)
            return
        yield StatusEvent("Working on the kept rows…")
        query_id = turn.step("reshape", lambda: self._reshaping.applied(turn, plan))
        query = self._memory.query(query_id)
        rows = f"{query.row_count:,} row{'' if query.row_count == 1 else 's'}"
        is_reshaped = plan.query.analyst == ANALYST  # its columns may have been renamed
        source, view = literal(plan.query.question), self._view(turn, plan.query)
        headings = tuple(map(heading_words, plan.titles)) if is_reshaped else view.headings
        said = f"**{rows}** of “{source}”, {literal(told(plan.steps, headings))}."
        yield from self._shown(turn, query, said, plan.query)

    def _shown(self, turn: Turn, query: AnsweredQuery, text: str, worked_on: AnsweredQuery) -> Iterator[ReplyEvent]:
        table, view = self._memory.result(query), self._view(turn, query)
        yield TextEvent(" ".join(filter(None, [text, self._again.note(turn, worked_on)])))
        heads = zip(table.columns, view.headings, strict=True)
        headings = tuple(words if IDENTIFIER.fullmatch(column.name) else column.name for column, words in heads)
        yield TableEvent(table, headings, view.cells(SHOWN_ROWS))
        yield from small_print(self._memory, query, table, self._context.basis(turn, query))
        yield replace(actions(query, table), refines=0)  # the steps over the rows are no part of the meaning

    def _view(self, turn: Turn, query: AnsweredQuery) -> View:
        return view_of(self._context.names(turn, query), self._memory.result(query))


def _reshaping(services: Services) -> Reshaping:
    return Reshaping(services.memory, services.context)


def _is_about_the_rows(services: Services, turn: Turn) -> bool:
    return _reshaping(services).plan(turn) is not None


CARD = AgentCard(
    intent=Intent("reshape"),
    rank=100,
    quick=sounds_like_steps,
    claims=_is_about_the_rows,  # no line for a model: what is no step over the kept rows is a question for the database
    examples=("sort it by name", "only the first 3", "top 3 of these", "as a table"),
    gives="the last result sorted, filtered, cut or renamed, without a new query",
    build=ReshapeAgent,
)
