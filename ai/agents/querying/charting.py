"""Charts of the results of a thread: the design is kept with its turn, so that changes need no query."""

from dataclasses import dataclass, replace

from ai.agents.port import ChartEvent, TableEvent, Turn
from ai.agents.question_context import QuestionContext
from ai.answers.view import SHOWN_ROWS, View, view_of
from ai.charts import ChartDesign, ChartEdits, ResultChart, changed, chart_of, chosen, is_sure
from ai.charts.choose import CHARTED_ROWS
from ai.charts.design import CHART_TOOL
from ai.errors import NoResult
from ai.language.remarks import GOES_ON
from ai.memory.workspaces import Trace, TracedCall
from ai.memory_store import MemoryStore
from ai.types import AnsweredQuery, Json, Place, Request, ThreadKey

LATELY = 100  # traces of a thread among which its last chart is looked for
SMALLEST = 2  # rows of a chart that goes on
NO_ROWS = "That answer has no rows to draw; ask a data question first."
GONE = "The rows of that result are no longer kept; ask the question again, then plot it."


@dataclass(frozen=True, slots=True)
class KeptChart:
    """A chart of an earlier turn: its query and design. It `was_asked_for`, or came with its answer."""

    query_id: int
    design: ChartDesign
    turn_id: str = ""
    was_asked_for: bool = True


class Charting:
    def __init__(self, memory: MemoryStore, context: QuestionContext) -> None:
        self._memory = memory
        self._context = context

    def view(self, turn: Turn, query: AnsweredQuery) -> View:
        """Return the rows to draw beside the facts of their query. Raises NoResult or NotAllowed."""
        self._context.audience.check_rows(query, turn.request.roles)
        handle = query.result
        if handle is None:
            raise NoResult(GONE)
        rows = turn.once(f"rows of {handle}", lambda: self._memory.parts.results.head(handle, CHARTED_ROWS))
        return view_of(self._context.names(turn.saying(query.question), query), rows)

    def by_itself(self, turn: Turn, query: AnsweredQuery, shown: View) -> ChartEvent | None:
        """Return the chart of an answer, None unless one surely fits; `shown` has its first rows."""
        view = shown if len(shown.rows) == shown.result.row_count else self.view(turn, query)
        design = chosen(view)
        made = self.drawn(turn, query, view, design, unasked=True) if is_sure(view, design) else None
        return made if isinstance(made, ChartEvent) else None

    def shown_last(self, turn: Turn) -> KeptChart | None:
        """Return the last chart, None where a later question was answered."""
        last, past = self.last(turn.request.thread), self._context.past(turn)
        if last is None or (past and past[0].id == last.query_id):
            return last
        said = self._memory.transcripts.newest(turn.request.thread, LATELY)
        turns = list(dict.fromkeys(line.turn_id for line in said))
        known = [turns.index(one) for one in (past[0].turn_id, last.turn_id) if one in turns] if past else []
        return last if len(known) == 2 and known[0] < known[1] else None

    def going_on(self, turn: Turn, query: AnsweredQuery) -> ChartEvent | None:
        """Return the chart of an answer that goes on from a chart asked for right before, of its kind if it fits."""
        request = turn.request
        last = self.last(request.thread)
        said = self._memory.transcripts.newest(request.thread, LATELY)
        before = next((line.turn_id for line in reversed(said) if line.turn_id != request.turn_id), "")
        if last is None or not last.was_asked_for or last.turn_id != before or not GOES_ON.match(request.text):
            return None
        view = self.view(turn, query)
        design = changed(view, chosen(view), ChartEdits(kind=last.design.kind))
        if design.kind in ("none", "number") or len(view.rows) < SMALLEST:
            return None
        made = self.drawn(turn, query, view, replace(design, reason=""))
        return made if isinstance(made, ChartEvent) else None

    def drawn(
        self, turn: Turn, query: AnsweredQuery, view: View, design: ChartDesign, *, unasked: bool = False
    ) -> ChartEvent | str:
        """Return a chart and keep its design, or the reason why there is none."""
        chart = chart_of(view, design)
        if isinstance(chart, str):
            return chart
        turn.step(f"chart:{query.id}", lambda: self._keep(turn.request, query.id, chart, unasked=unasked))
        return ChartEvent(chart, query.id, TableEvent(view.result, view.headings, view.cells(SHOWN_ROWS)))

    def again(self, turn: Turn, turn_id: str) -> ResultChart:
        """Return the chart of an earlier turn, the fitting one if none was shown. Raises NoResult or NotAllowed."""
        kept = self._first(tuple(reversed(self._memory.traces.of_turn(turn.request.thread, turn_id))))
        records = [record for record in self._memory.turn_queries(turn_id) if isinstance(record, AnsweredQuery)]
        if kept is None and not records:
            raise NoResult(NO_ROWS)
        query = self._memory.query(kept.query_id) if kept else records[-1]
        view = self.view(turn, query)
        chart = chart_of(view, kept.design if kept else chosen(view))
        if isinstance(chart, str):
            raise NoResult(chart)
        return chart

    def last(self, thread: ThreadKey) -> KeptChart | None:
        return self._first(self._memory.traces.newest(thread, LATELY))

    def _first(self, traces: tuple[Trace, ...]) -> KeptChart | None:
        call = next((trace.call for trace in traces if trace.call.tool == CHART_TOOL), None)
        if call is None or not isinstance(design := call.params["design"], dict):
            return None
        return KeptChart(
            int(str(call.params["query"])), ChartDesign.of(design), call.turn_id, not call.params.get("unasked")
        )

    def _keep(self, request: Request, query_id: int, chart: ResultChart, *, unasked: bool) -> int:
        params: dict[str, Json] = {"query": query_id, "design": chart.design.as_json(), "unasked": unasked}
        call = TracedCall(CHART_TOOL, params, request.thread, Place.of(request), request.turn_id)
        self._memory.traces.run(call, lambda: None, lambda _: {"kind": chart.design.kind})
        return query_id
