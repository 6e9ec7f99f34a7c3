"""Standing bars, for periods and for bins."""

from dataclasses import dataclass

from ai.charts.bars import INSIDE, OWN_COLOUR, WORD, BarSeries
from ai.charts.lines import FOOT
from ai.charts.measure import width
from ai.charts.plot import Plot
from ai.charts.theme import INK, LABEL, MARGIN, QUIET, Sheet, Spec, Words, legend, named_axis
from ai.charts.time_axis import time_ticks


def column_spec(plot: Plot, words: Words) -> Spec:
    """Draw standing bars: values on top where there is room, else an axis beside them."""
    plot = plot.filled()
    bars = BarSeries(plot)
    on_top = not bars.has_axis
    names, extra = bars.names()
    left = MARGIN + (0 if on_top else max(width(text, LABEL) for text in bars.written) + 14)
    foot = LABEL * (2.4 if plot.is_dated else 1.2) + FOOT
    sheet = Sheet.of(words, left=left, right=MARGIN, bottom=MARGIN + foot, extra=extra + (26 if on_top else 0))
    at, labels = time_ticks(_Bands(plot, sheet.width), LABEL)
    named = [_so_far(plot, int(place), label) for place, label in zip(at, labels, strict=True)]
    axis = named_axis(
        [int(a) for a in at],
        named,
        labelAngle=0,
        labelColor=INK if on_top else QUIET,
        labelPadding=FOOT,
        **_edges(plot),
    )
    x = bars.place(sheet.width, axis=axis)
    y = bars.value(
        axis=None if on_top else named_axis(bars.steps, bars.written, grid=True), stack="zero" if bars.stacked else None
    )
    offset = bars.offset("xOffset")
    layers = bars.drawn(x, y, offset)
    layers += [_tops(bars, x, y, offset)] if on_top else _inside(bars, sheet) if bars.stacked else []
    if bars.domain[0] <= 0:
        layers.append({"mark": {"type": "rule", "color": QUIET, "strokeWidth": 2}, "encoding": {"y": {"datum": 0}}})
    return sheet.spec([*layers, *(legend(sheet, names, bars.shades) if names else [])]) | {
        "data": {"values": bars.rows}
    }


def _tops(bars: BarSeries, x: Spec, y: Spec, offset: Spec) -> Spec:
    up = {"expr": "datum.v < 0 ? 20 : -20"} if bars.domain[0] < 0 else -20
    mark = {"type": "text", "dy": up, "align": "center", "baseline": "middle", "fontSize": LABEL, "color": INK}
    return {"mark": mark, "encoding": {"x": x, "y": y, "text": WORD, **offset}}


def _inside(bars: BarSeries, sheet: Sheet) -> list[Spec]:
    texts = bars.inside(sheet.width, sheet.height)
    mark = {"type": "text", "align": "center", "baseline": "middle", "fontSize": INSIDE}
    x = {"field": "at", "type": "ordinal", "sort": None}
    encoding = {"x": x, "y": bars.value("m"), "text": WORD, **OWN_COLOUR}
    return [{"data": {"values": texts}, "mark": mark, "encoding": encoding}] if texts else []


def _edges(plot: Plot) -> Spec:
    """Put the names of bins of our own where they begin."""
    return {"bandPosition": 0} if plot.design.kind == "histogram" and plot.design.x is None else {}


def _so_far(plot: Plot, at: int, label: list[str]) -> list[str]:
    return [label[0], "so far"] if plot.places[at].is_open else label


@dataclass(frozen=True, slots=True)
class _Bands:
    """The middles of standing bars, for the names below them."""

    plot: Plot
    across: float

    @property
    def at(self) -> list[float]:
        return [float(number) for number in range(len(self.plot.places))]

    def px(self, at: float) -> float:
        return (at + 0.5) * self.across / len(self.plot.places)
