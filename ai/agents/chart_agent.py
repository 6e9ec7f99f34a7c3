"""Draws results and answers, and changes charts without a query if the rows allow."""

from collections.abc import Iterator
from dataclasses import replace

from ai.agents.actions import actions
from ai.agents.cards import AgentCard, Services
from ai.agents.port import ChartEvent, QuestionEvent, ReplyEvent, TableEvent, TextEvent, Turn
from ai.agents.querying.charting import Charting
from ai.agents.querying.doubts import cautions
from ai.agents.querying.exporting import OLDER, Exported, ExportSources
from ai.agents.querying.receipts import small_print
from ai.agents.querying.rerunning import Rerunning
from ai.agents.querying.reshaping import ANALYST, Reshaping
from ai.agents.tools import ThreadTools
from ai.agents.wishes.charts import ChartWish, chart_wish
from ai.agents.wishes.exports import ExportWish
from ai.analysts.port import Intent
from ai.answers.phrase import literal, phrase
from ai.answers.view import SHOWN_ROWS, View
from ai.charts import ChartDesign, ChartEdits, as_drawn, changed, chosen, fits, named_rows
from ai.errors import NoResult
from ai.results.steps import Step
from ai.sql.follow_up import source_of
from ai.types import AnsweredQuery

PLAIN = ChartWish(ChartEdits())
NO_ROOM = "The names have no room below standing bars, so the bars lie."


class ChartAgent:
    def __init__(self, services: Services) -> None:
        self._memory = services.memory
        self._context = services.context
        self._exports = services.exports
        self._charting = Charting(services.memory, services.context)
        self._sources = ExportSources(services.memory, services.context, services.analyst)
        self._again = Rerunning(services.memory, services.context)
        self._reshaping = Reshaping(services.memory, services.context)

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        wish = chart_wish(turn.request.text) or PLAIN
        found = yield from self._sources.find(turn, self._tools(turn), _source(wish))
        if isinstance(found, QuestionEvent):
            yield replace(found, asks=tuple(f"plot {asked}" for asked in found.options))
        elif isinstance(found, TextEvent):
            yield found
        elif wish.subject == "question":
            yield from self._drawn(turn, found, self._charting.view(turn, found.query), wish.edits)
        else:
            yield from self._changed(turn, found, wish)

    def _changed(self, turn: Turn, found: Exported, wish: ChartWish) -> Iterator[ReplyEvent]:
        """Change the last chart, or draw the last result; what its rows do not hold is asked as a question."""
        last = self._charting.shown_last(turn) if wish.subject == "chart" else None
        base, edits = last.design if last else None, wish.edits
        query = self._memory.query(last.query_id) if last else found.query
        query = self._whole(turn, query) if edits.all_again else query
        found = replace(found, query=self._again.kept(turn, query))
        view = self._charting.view(turn, found.query)
        if fits(view, base or chosen(view), edits):
            if (step := named_rows(view, edits)) is not None:
                found = replace(found, query=self._reshaped(turn, found.query, step), is_changed=True)
                view, edits = self._charting.view(turn, found.query), replace(edits, without=(), only=())
            yield from self._drawn(turn, found, view, edits, base)
            return
        asked = yield from self._sources.find(turn, self._tools(turn), ExportWish("csv", turn.request.text, "question"))
        if isinstance(asked, Exported):
            kind = ChartEdits(kind=wish.edits.kind or (base.kind if base else None), stacked=wish.edits.stacked)
            yield from self._drawn(turn, asked, self._charting.view(turn, asked.query), kind)
        else:
            yield asked

    def _reshaped(self, turn: Turn, query: AnsweredQuery, step: Step) -> AnsweredQuery:
        """Take rows of names in or out, as a result that files and later questions know."""
        plan = self._reshaping.with_steps(query, (step,))
        return self._memory.query(turn.step("reshape", lambda: self._reshaping.applied(turn, plan)))

    def _whole(self, turn: Turn, query: AnsweredQuery) -> AnsweredQuery:
        """Return the query whose rows were changed step by step into those of a result."""
        past = {each.id: each for each in self._context.past(turn)}
        while query.analyst == ANALYST and (source := past.get(source_of(query.sql))):
            query = source
        return query

    def _drawn(
        self, turn: Turn, found: Exported, view: View, edits: ChartEdits, base: ChartDesign | None = None
    ) -> Iterator[ReplyEvent]:
        query = found.query
        self._context.audience.note(query, turn.request)
        design = changed(view, base or chosen(view), edits)
        again = " ".join(filter(None, [self._again.note(turn, query), OLDER if found.is_older else ""]))
        drawn = self._charting.drawn(turn, query, view, design)
        if isinstance(drawn, ChartEvent):
            reason = NO_ROOM if design.standing and not drawn.chart.plot.is_standing else design.reason
            title = phrase(view) if found.is_new else literal(as_drawn(drawn.chart, changes=base is not None))
            yield TextEvent(" ".join(filter(None, [title, literal(reason), again])))
            yield drawn
        else:
            said = f"{literal(drawn)} Here are the rows." if view.rows else literal(drawn)
            yield TextEvent(" ".join(filter(None, [said, again])))
            if view.rows:
                yield TableEvent(view.result, view.headings, view.cells(SHOWN_ROWS))
        if found.is_new or found.is_changed:
            yield from self._proved(turn, found)

    def _proved(self, turn: Turn, found: Exported) -> Iterator[ReplyEvent]:
        query = found.query
        table, asked = self._memory.result(query), turn.saying(query.question)
        yield from cautions(self._context, asked, query, table)
        yield from small_print(self._memory, query, table, self._context.basis(asked, query))
        yield actions(query, table)
        if found.note:
            yield TextEvent(found.note)

    def _tools(self, turn: Turn) -> ThreadTools:
        request = turn.request
        return ThreadTools(self._memory, request.thread, self._exports, self._context.audience, request, turn.stop)


def _source(wish: ChartWish) -> ExportWish:
    return ExportWish("csv", wish.what, "question" if wish.subject == "question" else "result")


def _said_outright(text: str) -> ChartWish | None:
    wish = chart_wish(text)
    return wish if wish and wish.outright else None


def _changes_a_chart(services: Services, turn: Turn) -> bool:
    """Whether a message changes the last chart asked for in a way that its rows allow."""
    wish = chart_wish(turn.request.text)
    if wish is None or wish.outright:
        return False
    charting = Charting(services.memory, services.context)
    last = charting.shown_last(turn)
    is_of_bars = wish.edits.turned or wish.edits.standing is not None
    if last is None or not (last.was_asked_for or is_of_bars):
        return False
    (query,) = services.context.audience.shown([services.memory.query(last.query_id)], turn.request.roles) or (None,)
    if query is None:
        return False
    try:
        kept = Rerunning(services.memory, services.context).kept(turn, query)
        return fits(charting.view(turn, kept), last.design, wish.edits)
    except NoResult:
        return False


CARD = AgentCard(
    intent=Intent("chart"),
    rank=80,
    reads=_said_outright,
    claims=_changes_a_chart,
    examples=("plot it", "show me a bar chart of installs by platform", "as a line", "stacked", "log scale"),
    gives="a chart of a result or of the answer to a question, or the last chart drawn in another way",
    told="a chart of a result",
    build=ChartAgent,
)
