"""Draws results and answers, and changes charts without a query if the rows allow."""

from collections.abc import Iterator
from dataclasses import replace

from ai.agents.actions import actions
from ai.agents.cards import AgentCard, Services
from ai.agents.port import ChartEvent, QuestionEvent, ReplyEvent, TableEvent, TextEvent, Turn
from ai.agents.querying.cautions import cautions
from ai.agents.querying.charting import Charting
from ai.agents.querying.exporting import OLDER, Exported, ExportSources
from ai.agents.querying.receipts import small_print
from ai.agents.querying.rerunning import Rerunning
from ai.agents.tools import ThreadTools
from ai.agents.wishes.charts import ChartWish, chart_wish
from ai.agents.wishes.exports import ExportWish
from ai.analysts.port import Intent
from ai.answers.phrase import literal, phrase
from ai.answers.view import SHOWN_ROWS, View
from ai.charts import ChartDesign, ChartEdits, changed, chosen, fits
from ai.errors import NoResult
from ai.types import AnsweredQuery

PLAIN = ChartWish(ChartEdits())
LATELY = 40  # messages among which the wish for the last chart is looked for


class ChartAgent:
    def __init__(self, services: Services) -> None:
        self._memory = services.memory
        self._context = services.context
        self._exports = services.exports
        self._charting = Charting(services.memory, services.context)
        self._sources = ExportSources(services.memory, services.context, services.analyst)
        self._again = Rerunning(services.memory, services.context)

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
        base = self._base(turn, found.query, wish)
        found = replace(found, query=self._again.kept(turn, found.query))
        view = self._charting.view(turn, found.query)
        if fits(view, base or chosen(view), wish.edits):
            yield from self._drawn(turn, found, view, wish.edits, base)
            return
        asked = yield from self._sources.find(turn, self._tools(turn), ExportWish("csv", turn.request.text, "question"))
        if isinstance(asked, Exported):
            kind = ChartEdits(kind=wish.edits.kind or (base.kind if base else None), stacked=wish.edits.stacked)
            yield from self._drawn(turn, asked, self._charting.view(turn, asked.query), kind)
        else:
            yield asked

    def _base(self, turn: Turn, query: AnsweredQuery, wish: ChartWish) -> ChartDesign | None:
        """Return the design of the last chart if it is of this query and its change is meant."""
        last = self._charting.last(turn.request.thread) if wish.subject == "chart" else None
        is_same = last and query.sql == self._memory.query(last.query_id).sql
        return last.design if last and is_same else None

    def _drawn(
        self, turn: Turn, found: Exported, view: View, edits: ChartEdits, base: ChartDesign | None = None
    ) -> Iterator[ReplyEvent]:
        query = found.query
        self._context.audience.note(query, turn.request)
        design = changed(view, base or chosen(view), edits)
        again = " ".join(filter(None, [self._again.note(turn, query), OLDER if found.is_older else ""]))
        drawn = self._charting.drawn(turn, query, view, design)
        if isinstance(drawn, ChartEvent):
            title = phrase(view) if found.is_new else f"{literal(drawn.chart.words.title)}."
            yield TextEvent(" ".join(filter(None, [title, literal(design.reason), again])))
            yield drawn
        else:
            said = f"{literal(drawn)} Here are the rows." if view.rows else literal(drawn)
            yield TextEvent(" ".join(filter(None, [said, again])))
            if view.rows:
                yield TableEvent(view.result, view.headings, view.cells(SHOWN_ROWS))
        if found.is_new:
            yield from self._proved(turn, found)

    def _proved(self, turn: Turn, found: Exported) -> Iterator[ReplyEvent]:
        """Say where a new answer comes from, as with any answer."""
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


def _was_asked_for(services: Services, turn: Turn, turn_id: str) -> bool:
    """Return whether a chart was wished for, or came unasked with an answer such as that to “per month”."""
    said = services.memory.transcripts.newest(turn.request.thread, LATELY)
    wishes = [chart_wish(message.content) for message in said if message.turn_id == turn_id and message.role == "user"]
    asked_data = any(isinstance(query, AnsweredQuery) for query in services.memory.turn_queries(turn_id))
    return any(wish.outright or not asked_data for wish in wishes if wish)


def _changes_a_chart(services: Services, turn: Turn) -> bool:
    """Tell whether a message changes the last chart asked for in a way that its rows allow."""
    wish = chart_wish(turn.request.text)
    if wish is None or wish.outright:
        return False
    charting = Charting(services.memory, services.context)
    last = charting.last(turn.request.thread)
    if last and not _was_asked_for(services, turn, last.turn_id):
        return False
    past = services.context.audience.shown(services.context.past(turn)[:1], turn.request.roles)
    if last is None or not past or past[0].id != last.query_id:
        return False
    try:
        kept = Rerunning(services.memory, services.context).kept(turn, past[0])
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
