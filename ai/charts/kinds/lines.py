"""Lines over time: gaps stay open, an unfinished period is dashed, each line is named at its end."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log10
from typing import Any

from ai.charts.measure import cut, width
from ai.charts.plot import Plot, PlotLine
from ai.charts.theme import (
    GRID,
    INK,
    LABEL,
    MARGIN,
    PAPER,
    QUIET,
    ChartSheet,
    ChartWords,
    Spec,
    colours,
    named_axis,
    pixel_texts,
    pixels,
    zero_rule,
)
from ai.charts.ticks import axis_labels, axis_steps, log_steps
from ai.charts.time_axis import time_ticks

NAME_ROOM, VALUE_ROOM = 320, 150
DOTS, FEW_DOTS = 34, 16
APART = LABEL * 1.2
INSET = 0.018  # of the width, before the first point and behind the last one
PANEL_ROOM = 14
FOOT = 16  # between the plot and the names below it


def line_spec(plot: Plot, words: ChartWords) -> Spec:
    """Draw all lines on one axis."""
    plot = plot.filled()
    steps = value_steps(plot, plot.lines)
    written = axis_labels(steps, plot.lines[0].by)
    names = [_end_name(plot, line) for line in plot.lines]
    left = MARGIN + max(width(text, LABEL) for text in written) + 14
    right = MARGIN + max(width(name, LABEL, bold=True) for name in names) + 12
    sheet = ChartSheet.of(words, left=left, right=right, bottom=MARGIN + LABEL * 2.4 + FOOT)
    frame = LineFrame(plot, steps, sheet.width, sheet.height)
    return sheet.spec([*frame.axes(written), *frame.lines(plot.lines), *_end_labels(frame, names)])


def value_steps(plot: Plot, lines: Sequence[PlotLine], most: int = 5) -> list[float]:
    values = [value for line in lines for value in line.values if value is not None]
    if plot.design.log:
        return log_steps([value for value in values if value > 0])
    return axis_steps(values, lines[0].by, from_zero=False, most=most)


@dataclass(frozen=True, slots=True)
class LineFrame:
    """The room of lines, in pixels. At an `origin` it draws in pixels itself, for one of several on a sheet."""

    plot: Plot
    steps: Sequence[float]
    across: float
    down: float
    origin: tuple[float, float] | None = None
    size: float = LABEL
    shades: list[str] = field(default_factory=list)
    names_places: bool = True

    @property
    def at(self) -> list[float]:
        """The positions of the places."""
        if self.plot.is_dated:
            return [float(place.day.toordinal()) for place in self.plot.places if place.day]
        return [float(number) for number in range(len(self.plot.places))]

    @property
    def room(self) -> float:
        return MARGIN - 6 if self.origin is None else PANEL_ROOM

    @property
    def ends(self) -> tuple[float, float]:
        first, last = self.at[0], self.at[-1]
        room = (last - first) * INSET if last > first else 1.0
        return first - room, last + room

    def px(self, at: float) -> float:
        first, last = self.ends
        return (at - first) / (last - first) * self.across

    def py(self, value: float) -> float:
        low, high = self.steps[0], self.steps[-1]
        if self.plot.design.log:
            low, high, value = log10(low), log10(high), log10(max(value, low))
        return self.down * (1 - (value - low) / (high - low))

    def shows(self, value: float | None) -> bool:
        return value is not None and (not self.plot.design.log or value > 0)

    def axes(self, written: Sequence[str]) -> list[Spec]:
        """Return the axes; `written` names the steps of the values."""
        values, labels = time_ticks(self, self.size)
        if self.origin is not None:
            return self._drawn_axes(written, values, labels)
        x = {**self._x, "axis": named_axis(values, labels, labelPadding=FOOT)}
        y = {**self._y, "axis": named_axis(self.steps, written, grid=True)}
        found: list[Spec] = [{"data": {"values": []}, "mark": "point", "encoding": {"x": x, "y": y}}]
        if self.steps[0] < 0 < self.steps[-1]:
            found.append(zero_rule("y"))
        return found

    def _drawn_axes(self, written: Sequence[str], values: Sequence[float], labels: Sequence[list[str]]) -> list[Spec]:
        ox, oy = self.origin or (0, 0)
        grid = [{"px": ox, "py": oy + self.py(step), "px2": ox + self.across} for step in self.steps]
        texts = [{"px": ox - 10, "py": oy + self.py(step), "t": text, "c": QUIET}
                 for step, text in zip(self.steps, written or [""] * len(self.steps), strict=True)]  # fmt: skip
        feet = [{"px": ox + self.px(value), "py": oy + self.down + FOOT - 4, "t": label, "c": QUIET}
                for value, label in zip(values, labels, strict=True) if self.names_places]  # fmt: skip
        rule = pixels(grid, {"type": "rule", "color": GRID, "strokeWidth": 2}, px2=True)
        values_named = pixel_texts([text for text in texts if text["t"]], align="right", fontSize=self.size)
        return [rule, values_named, pixel_texts(feet, align="center", baseline="top", fontSize=self.size)]

    @property
    def _x(self) -> Spec:
        if self.origin is not None:
            return {"field": "x", "type": "quantitative", "scale": None, "axis": None}
        return {
            "field": "x",
            "type": "quantitative",
            "scale": {"domain": list(self.ends), "nice": False, "zero": False},
        }

    @property
    def _y(self) -> Spec:
        if self.origin is not None:
            return {"field": "y", "type": "quantitative", "scale": None, "axis": None}
        kind = {"type": "log"} if self.plot.design.log else {"zero": False}
        domain = [self.steps[0], self.steps[-1]]
        return {"field": "y", "type": "quantitative", "scale": {"domain": domain, "nice": False, **kind}}

    def _point(self, place: int, value: float) -> dict[str, Any]:
        if self.origin is None:
            return {"x": self.at[place], "y": value}
        return {"x": self.origin[0] + self.px(self.at[place]), "y": self.origin[1] + self.py(value)}

    def lines(self, lines: Sequence[PlotLine]) -> list[Spec]:
        """Draw lines, the first one on top."""
        shades = self.shades or colours([line.is_rest for line in self.plot.lines])
        found = list[Spec]()
        for line, shade in reversed(list(zip(lines, shades, strict=True))):
            found += self._line(line, shade)
        return found

    def _line(self, line: PlotLine, shade: str) -> list[Spec]:
        """Draw one line: dashed where places between have no value, and to a period that is not over."""
        known = [(at, value) for at, value in enumerate(line.values) if value is not None and self.shows(value)]
        solid, dashed = list[Spec](), list[Spec]()
        piece = 0
        for (before, one), (after, other) in pairwise(known):
            ends = [self._point(before, one), self._point(after, other)]
            is_broken = after > before + 1 or self.plot.places[after].is_open
            piece += is_broken
            (dashed if is_broken else solid).extend({**end, "p": piece} for end in ends)
        layers = [self._stroke(solid, shade)] if solid else []
        layers += [self._stroke(dashed, shade, strokeDash=[3, 11])] if dashed else []
        return [*layers, *self._dots(known, shade)]

    def _stroke(self, points: list[Spec], shade: str, **mark: object) -> Spec:
        thick = 5 if self.origin is None else 4
        line = {"type": "line", "strokeWidth": thick, "strokeJoin": "round", "strokeCap": "round", "color": shade}
        detail = {"detail": {"field": "p", "type": "nominal"}}
        return {
            "data": {"values": points},
            "mark": {**line, **mark},
            "encoding": {"x": self._x, "y": self._y, **detail},
        }

    def _dots(self, known: Sequence[tuple[int, float]], shade: str) -> list[Spec]:
        """Dot the values of a short line, single values, and the one that is not final."""
        places, count = self.plot.places, len(self.at)
        is_small = self.across / max(count, 1) < 40
        alone = {at for at, _ in known if not {at - 1, at + 1} & {other for other, _ in known}}
        found = []
        for is_open in (False, True):
            dots = [(at, value) for at, value in known if places[at].is_open == is_open]
            if not is_open and (count > DOTS or is_small):
                dots = [(at, value) for at, value in dots if at in alone]
            if dots:
                large = 200 if count <= FEW_DOTS and not is_small else 80
                mark = {"type": "point", "shape": "circle", "filled": True, "fill": PAPER if is_open else shade,
                        "stroke": shade, "opacity": 1, "size": large, "strokeWidth": 4}  # fmt: skip
                values = [self._point(at, value) for at, value in dots]
                found.append({"data": {"values": values}, "mark": mark, "encoding": {"x": self._x, "y": self._y}})
        return found


def _end_name(plot: Plot, line: PlotLine) -> str:
    """Return the last value, after the name if there are several lines."""
    last = next((at for at in range(len(plot.places) - 1, -1, -1) if line.values[at] is not None), None)
    value = "" if last is None else line.said(last)
    if len(plot.lines) == 1:
        return f"{value} so far" if last is not None and plot.places[last].is_open else value
    room = max(NAME_ROOM - width(f" {value}", LABEL, bold=True), VALUE_ROOM)
    return f"{cut(line.name, room, LABEL, bold=True)} {value}"


def _end_labels(frame: LineFrame, names: Sequence[str]) -> list[Spec]:
    """Name each line at its end, pushed apart where ends are close; a single line's peaks are named too."""
    ends = []
    shades = colours([line.is_rest for line in frame.plot.lines])
    for line, name, shade in zip(frame.plot.lines, names, shades, strict=True):
        known = [value for value in line.values if value is not None and frame.shows(value)]
        if known:
            ends.append((frame.py(known[-1]), name, shade))
    placed = spread([y for y, _, _ in ends], APART, frame.down)
    texts = [{"px": frame.across + 8, "py": y, "t": t, "c": c} for y, (_, t, c) in zip(placed, ends, strict=True)]
    return [pixel_texts(texts, fontWeight="bold"), *_peaks(frame)]


def _peaks(frame: LineFrame) -> list[Spec]:
    """Name the highest and the lowest value of a single line, away from its ends."""
    if len(frame.plot.lines) > 1:
        return []
    line = frame.plot.lines[0]
    known = [(value, at) for at, value in enumerate(line.values) if value is not None and frame.shows(value)]
    if len(known) < 4:
        return []
    texts = []
    for value, at in {max(known), min(known)}:
        text, is_high = line.said(at), value == max(known)[0]
        half = width(text, LABEL) / 2
        x, y = frame.px(frame.at[at]), frame.py(value) + (-26 if is_high else 28)
        inside = half < x < frame.across - half - 24 and -14 < y < frame.down - 14
        near = any(abs(frame.px(frame.at[other]) - x) < half + 8 and abs(frame.py(v) - y) < 22 for v, other in known)
        if inside and not near and text:
            texts.append({"px": x, "py": y, "t": text, "c": INK})
    return [pixel_texts(texts, align="center")] if texts else []


def spread(wanted: Sequence[float], apart: float, down: float) -> list[float]:
    """Move positions apart, in their order, within the plot and a little beyond it."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    found = [wanted[at] for at in order]
    for at in range(1, len(found)):
        found[at] = max(found[at], found[at - 1] + apart)
    over = max(found[-1] - down - 8, 0) if found else 0
    for at in range(len(found) - 1, -1, -1):  # back into the plot, and halfway to where they were wanted
        limit = (found[at + 1] if at + 1 < len(found) else down + 8 + apart) - apart
        found[at] = min(found[at], limit) if over else found[at]
    placed = [0.0] * len(wanted)
    for at, y in zip(order, found, strict=True):
        placed[at] = round(y, 1)
    return placed
