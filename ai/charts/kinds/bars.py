"""Bars: lying for names, the largest first; `columns` has those that stand. Beside each other or stacked."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ai.charts.measure import width, wrapped
from ai.charts.plot import Plot, said
from ai.charts.theme import (
    INK,
    LABEL,
    MARGIN,
    OWN_COLOUR,
    PAPER,
    REST,
    WIDTH,
    ChartSheet,
    ChartWords,
    Spec,
    colours,
    legend,
    legend_room,
    named_axis,
    zero_rule,
)
from ai.charts.ticks import axis_labels, axis_steps, log_steps

NAME_ROOM, INSIDE = 400, 22
LYING, STANDING = 84.0, 150.0  # the thickness of a bar, at most
PALE = 0.4
WORD = {"field": "t", "type": "nominal"}


@dataclass(frozen=True)
class BarSeries:
    """The bars of a plot as rows of data, and how they are scaled and coloured."""

    plot: Plot

    @property
    def stacked(self) -> bool:
        return self.plot.design.kind == "stacked_bar"

    @property
    def several(self) -> bool:
        return len(self.plot.lines) > 1

    @property
    def beside(self) -> int:
        """Count the bars beside each other at one place."""
        return len(self.plot.lines) if self.several and not self.stacked else 1

    @cached_property
    def rows(self) -> list[Spec]:
        """A row for each value; `v` is its share of the place where shares are drawn."""
        rows = list[Spec]()
        for number, line in enumerate(self.plot.lines):
            for at, value in enumerate(line.values):
                if value is None:
                    continue
                total = self.totals[at]
                size = value / total if self.plot.design.shares and total else value
                text = f"{100 * size:.0f}%" if self.plot.design.shares else line.said(at)
                rows.append({"at": at, "s": number, "v": size, "t": text})
        return rows

    @cached_property
    def totals(self) -> list[float]:
        lines = self.plot.lines
        return [sum(line.values[at] or 0 for line in lines) for at in range(len(self.plot.places))]

    def total_rows(self) -> list[Spec]:
        by = self.plot.lines[0].by
        return [{"at": at, "v": total, "t": said(by, total)} for at, total in enumerate(self.totals) if total]

    @cached_property
    def steps(self) -> list[float]:
        if self.plot.design.shares:
            return [0, 0.25, 0.5, 0.75, 1]
        values = [float(row["v"]) for row in self.rows]
        if self.is_log:
            return log_steps(values)
        return axis_steps(values + (self.totals if self.stacked else []), self.plot.lines[0].by, from_zero=True)

    @property
    def is_log(self) -> bool:
        return self.plot.design.log and not self.stacked and min(row["v"] for row in self.rows) > 0

    @property
    def written(self) -> list[str]:
        shares = self.plot.design.shares
        return [f"{100 * s:.0f}%" for s in self.steps] if shares else axis_labels(self.steps, self.plot.lines[0].by)

    @property
    def shades(self) -> list[str]:
        return colours([line.is_rest for line in self.plot.lines])

    def value(self, field: str = "v", **more: object) -> Spec:
        kind = {"type": "log"} if self.is_log else {}
        scale = {"domain": self.domain, "nice": False, **kind}
        return {"field": field, "type": "quantitative", "scale": scale, **more}

    @cached_property
    def domain(self) -> list[float]:
        """The ends of the scale: round where it is named, else those of the values."""
        if self.has_axis or self.is_log:
            return [self.steps[0], self.steps[-1]]
        values = self.totals if self.stacked else [float(row["v"]) for row in self.rows]
        low, high = min(0.0, *values), max(0.0, *values)
        return [low, high] if high > low else [0.0, 1.0]

    @cached_property
    def has_axis(self) -> bool:
        """Whether values are named along an axis, for want of room beside their bars."""
        if self.plot.design.shares or not self.plot.is_standing:
            return self.plot.design.shares
        band = (WIDTH - 2 * MARGIN) / len(self.plot.places)
        widest = max(width(row["t"], LABEL) for row in self.rows)
        step = band * 0.92 if self.beside == 1 else min(band * 0.7, self.thick * 0.92) / self.beside
        return self.stacked or widest >= step

    @property
    def thick(self) -> float:
        """The most that the bars of one place take."""
        return (STANDING if self.plot.is_standing else LYING) * (1 if self.beside == 1 else 0.6 * self.beside)

    def place(self, room: float, **more: object) -> Spec:
        """Return the encoding of places over so many pixels; bars have a most thickness."""
        count = len(self.plot.places)
        inner = 0.04 if self.plot.design.kind == "histogram" else max(0.24, 1 - self.thick * count / room)
        scale = {"domain": list(range(count)), "paddingInner": round(inner, 3), "paddingOuter": 0.08}
        return {"field": "at", "type": "ordinal", "sort": None, "scale": scale, **more}

    def looks(self) -> Spec:
        """Colour by series; grey stands for the rest, a pale bar for a period that is not over."""
        rests = [at for at, place in enumerate(self.plot.places) if place.is_rest]
        opened = [at for at, place in enumerate(self.plot.places) if place.is_open]
        single = {"condition": {"test": f"indexof({rests}, datum.at) >= 0", "value": REST}, "value": self.shades[0]}
        scale = {"domain": list(range(len(self.plot.lines))), "range": self.shades}
        series = {"field": "s", "type": "nominal", "legend": None, "scale": scale}
        pale = {"condition": {"test": f"indexof({opened}, datum.at) >= 0", "value": PALE}, "value": 1}
        looks = {"color": series if self.several else single, **({"opacity": pale} if opened else {})}
        return looks | ({"order": {"field": "s"}} if self.stacked else {})

    def drawn(self, x: Spec, y: Spec, offset: Spec) -> list[Spec]:
        """Return the bars, white below pale ones."""
        opened = [row for row in self.rows if self.plot.places[row["at"]].is_open]
        places = {"x": x, "y": y, **offset}
        below: Spec = {"data": {"values": opened}, "mark": {"type": "bar", "color": PAPER}, "encoding": places}
        order = {"order": {"field": "s"}, "detail": {"field": "s", "type": "nominal"}} if self.stacked else {}
        below["encoding"] = places | order
        bars: Spec = {"mark": {"type": "bar"}, "encoding": {**places, **self.looks()}}
        return [below, bars] if opened else [bars]

    def offset(self, channel: str) -> Spec:
        inner = {"field": "s", "type": "nominal", "scale": {"paddingInner": 0.08}}
        return {channel: inner} if self.beside > 1 else {}

    def names(self) -> tuple[list[str], float]:
        """Return the names of the series for a legend, and its room."""
        names = [line.name for line in self.plot.lines] if self.several else []
        return names, legend_room(names) if names else 0

    def inside(self, sheet: ChartSheet) -> list[Spec]:
        """Write stacked parts into their bars, where there is room."""
        is_standing = self.plot.is_standing
        room, length = (sheet.width, sheet.height) if is_standing else (sheet.height, sheet.width)
        texts = self._inside(room, length)
        mark = {"type": "text", "align": "center", "baseline": "middle", "fontSize": INSIDE}
        middle, at = self.value("m"), {"field": "at", "type": "ordinal", "sort": None}
        places = {"x": at, "y": middle} if is_standing else {"x": middle, "y": at}
        encoding = {**places, "text": WORD, **OWN_COLOUR}
        return [{"data": {"values": texts}, "mark": mark, "encoding": encoding}] if texts else []

    def _inside(self, room: float, length: float) -> list[Spec]:
        """Return the texts of parts that have room for them: `room` for a bar's width, `length` for its scale."""
        thick = min(self.thick, room / len(self.plot.places) * 0.76)
        per_unit = length / (self.domain[1] - self.domain[0])
        texts, reached = list[Spec](), [0.0] * len(self.plot.places)
        for row in self.rows:
            at, size = row["at"], row["v"]
            sides = (abs(size) * per_unit - 14, thick - 6)
            if self._fits(row["t"], sides):
                shade = INK if self.plot.places[at].is_open else PAPER
                texts.append({"at": at, "m": reached[at] + size / 2, "t": row["t"], "c": shade})
            reached[at] += size
        return texts

    def apart(self, rows: Sequence[Spec], room: float, size: float) -> list[Spec]:
        """Return the values that have room behind thin bars beside each other, none over the next one."""
        step = min(self.thick, room / len(self.plot.places) * 0.76) / self.beside
        kept: dict[int, list[Spec]] = {}
        for row in rows:
            same = kept.setdefault(row["at"], [])
            if not same or (row.get("s", 0) - same[-1].get("s", 0)) * step >= size * 1.15:
                same.append(row)
        return [row for same in kept.values() for row in same]

    def _fits(self, text: str, sides: tuple[float, float]) -> bool:
        long, thick = sides if not self.plot.is_standing else sides[::-1]
        return long > width(text, INSIDE) and thick > INSIDE * 1.1


def bar_spec(plot: Plot, words: ChartWords) -> Spec:
    """Draw lying bars, each named before it and its value behind it."""
    bars = BarSeries(plot)
    size = _size(len(plot.places) * bars.beside)
    lines = 2 if len(plot.places) <= 7 else 1
    labels = [wrapped(place.label, NAME_ROOM, size, lines) for place in plot.places]
    below = max((width(row["t"], size) + 14 for row in bars.rows if row["v"] < 0), default=0.0)
    left = MARGIN + max(width(line, size) for label in labels for line in label) + 16 + below
    ends = bars.total_rows() if bars.stacked and not plot.design.shares else [] if bars.stacked else bars.rows
    right = MARGIN + max((width(str(row["t"]), size) for row in ends), default=0) + 14
    names, extra = bars.names()
    sheet = ChartSheet.of(words, left=left, right=right, bottom=MARGIN - 10, extra=extra)
    places = list(range(len(plot.places)))
    y = bars.place(sheet.height, axis=named_axis(places, labels, labelFontSize=size, labelColor=INK, offset=below))
    x = bars.value(axis=None, stack="zero" if bars.stacked else None)
    offset = bars.offset("yOffset")
    layers = bars.drawn(x, y, offset)
    if bars.stacked:
        layers += bars.inside(sheet)
    layers += [_ends(bars, bars.apart(ends, sheet.height, size), y, size, offset)] if ends else []
    if bars.domain[0] < 0:
        layers.append(zero_rule("x"))
    return sheet.spec([*layers, *(legend(sheet, names, bars.shades) if names else [])]) | {
        "data": {"values": bars.rows}
    }


def _size(bars: int) -> float:
    return LABEL if bars <= 11 else 24 if bars <= 14 else 21 if bars <= 18 else 16


def _ends(bars: BarSeries, rows: Sequence[Spec], y: Spec, size: float, offset: Spec) -> Spec:
    """Write values behind their bars, before those below zero."""
    anchor: Spec = {"align": "left", "dx": 10}
    if bars.domain[0] < 0:
        anchor = {"align": {"expr": "datum.v < 0 ? 'right' : 'left'"}, "dx": {"expr": "datum.v < 0 ? -10 : 10"}}
    mark = {"type": "text", "baseline": "middle", "fontSize": size, "color": INK, **anchor}
    return {
        "data": {"values": list(rows)},
        "mark": mark,
        "encoding": {"x": bars.value(axis=None, stack=None), "y": y, "text": WORD, **offset},
    }
