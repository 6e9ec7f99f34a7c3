"""Standing bars, for periods and for bins."""

from dataclasses import dataclass

from ai.charts.kinds.bars import WORD, BarSeries
from ai.charts.kinds.lines import FOOT
from ai.charts.measure import width
from ai.charts.plot import Plot
from ai.charts.theme import INK, LABEL, MARGIN, QUIET, ChartSheet, ChartWords, Spec, legend, named_axis, zero_rule
from ai.charts.time_axis import time_ticks


def column_spec(plot: Plot, words: ChartWords) -> Spec:
    """Draw standing bars: values on top where there is room, else an axis beside them."""
    plot = plot.filled()
    bars = BarSeries(plot)
    on_top = not bars.has_axis
    names, extra = bars.names()
    left = MARGIN + (0 if on_top else max(width(text, LABEL) for text in bars.written) + 14)
    below = LABEL + 12 if on_top and bars.domain[0] < 0 else 0
    foot = LABEL * (2.4 if plot.is_dated else 1.2) + FOOT + below
    sheet = ChartSheet.of(words, left=left, right=MARGIN, bottom=MARGIN + foot, extra=extra + (26 if on_top else 0))
    at, labels = time_ticks(_Bands(plot, sheet.width), LABEL)
    room = sheet.width / len(plot.places) - 16
    named = [_so_far(plot, int(place), label, room) for place, label in zip(at, labels, strict=True)]
    axis = named_axis(
        [int(a) for a in at],
        named,
        labelAngle=0,
        labelColor=INK if on_top else QUIET,
        labelPadding=FOOT + below,
        **_edges(plot),
    )
    x = bars.place(sheet.width, axis=axis)
    y = bars.value(
        axis=None if on_top else named_axis(bars.steps, bars.written, grid=True), stack="zero" if bars.stacked else None
    )
    offset = bars.offset("xOffset")
    layers = bars.drawn(x, y, offset)
    layers += [_tops(bars, x, y, offset)] if on_top else bars.inside(sheet) if bars.stacked else []
    if bars.domain[0] <= 0:
        layers.append(zero_rule("y"))
    return sheet.spec([*layers, *(legend(sheet, names, bars.shades) if names else [])]) | {
        "data": {"values": bars.rows}
    }


def _tops(bars: BarSeries, x: Spec, y: Spec, offset: Spec) -> Spec:
    up = {"expr": "datum.v < 0 ? 20 : -20"} if bars.domain[0] < 0 else -20
    mark = {"type": "text", "dy": up, "align": "center", "baseline": "middle", "fontSize": LABEL, "color": INK}
    return {"mark": mark, "encoding": {"x": x, "y": y, "text": WORD, **offset}}


def _edges(plot: Plot) -> Spec:
    """Put the names of bins of our own where they begin."""
    return {"bandPosition": 0} if plot.design.kind == "histogram" and plot.design.x is None else {}


def _so_far(plot: Plot, at: int, label: list[str], room: float) -> list[str]:
    """Say below a period that it is not whole; its year stays where there is room."""
    place, whole = plot.places[at], " ".join(label)
    if not place.is_open:
        return label
    return [whole if width(whole, LABEL) < room else label[0], "in part" if place.is_part else "so far"]


@dataclass(frozen=True, slots=True)
class _Bands:
    """The middles of standing bars, for the names below them."""

    plot: Plot
    across: float

    @property
    def room(self) -> float:
        return MARGIN - 6

    @property
    def at(self) -> list[float]:
        return [float(number) for number in range(len(self.plot.places))]

    def px(self, at: float) -> float:
        return (at + 0.5) * self.across / len(self.plot.places)
