"""The sheet every chart is drawn on: its size, type, colours, and the marks all kinds use."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from ai.charts.measure import width, wrapped

Spec = dict[str, Any]
WIDTH, HEIGHT, MARGIN = 1200, 675, 40
FONT = "Liberation Sans"
TITLE, SUBTITLE, LABEL = 42, 28, 27
LINE = 1.2  # of the size of its type
INK, QUIET, GRID, PAPER, REST = "#1d1c1d", "#565a60", "#dfe1e4", "#ffffff", "#8b8f95"
COLOURS = ("#0b5ea8", "#c2500a", "#00795c", "#a33f85", "#7a6a00", "#3a3f98", "#1a7f95", "#b0303a", "#5d7d1a", "#6b4a2f",
           "#7c5cc4", "#444b55")  # fmt: skip
OWN_COLOUR = {"color": {"field": "c", "type": "nominal", "scale": None, "legend": None}}  # a row names it
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


@dataclass(frozen=True, slots=True)
class ChartWords:
    """The words above a chart, and those read out instead of it."""

    title: str
    subtitle: str
    alt: str = ""


@dataclass(frozen=True, slots=True)
class ChartSheet:
    """The room of the plot within the picture; texts stand above it."""

    words: ChartWords
    left: float = MARGIN
    right: float = MARGIN
    bottom: float = MARGIN
    extra: float = 0  # above the plot, for a legend

    @classmethod
    def of(cls, words: ChartWords, *, left: float, right: float, bottom: float, extra: float = 0) -> "ChartSheet":
        """Make a sheet of whole pixels."""
        return cls(words, ceil(left), ceil(right), ceil(bottom), ceil(extra))

    @property
    def lines(self) -> tuple[list[str], list[str]]:
        room = WIDTH - 2 * MARGIN
        return wrapped(self.words.title, room, TITLE, 2, bold=True), wrapped(self.words.subtitle, room, SUBTITLE, 2)

    @property
    def top(self) -> float:
        title, subtitle = self.lines
        return round(MARGIN + (len(title) * TITLE + len(subtitle) * SUBTITLE) * LINE + 30 + self.extra)

    @property
    def width(self) -> float:
        return round(WIDTH - self.left - self.right)

    @property
    def height(self) -> float:
        return round(HEIGHT - self.top - self.bottom)

    def titles(self) -> list[Spec]:
        """Return the marks of title and subtitle, from the top of the picture on."""
        title, subtitle = self.lines
        x, y = MARGIN - self.left, MARGIN - self.top + TITLE * 0.4
        large, small = list[Spec](), list[Spec]()
        for line in title:
            large.append({"px": x, "py": y, "t": line, "c": INK})
            y += TITLE * LINE
        y += 2
        for line in subtitle:
            small.append({"px": x, "py": y, "t": line, "c": QUIET})
            y += SUBTITLE * LINE
        marks = [pixel_texts(large, fontSize=TITLE, fontWeight="bold"), pixel_texts(small, fontSize=SUBTITLE)]
        return [mark | {"name": name} for mark, name in zip(marks, ("title", "subtitle"), strict=True)]

    def spec(self, layers: Sequence[Spec]) -> Spec:
        """Return the Vega-Lite chart of these layers."""
        return {
            "$schema": SCHEMA,
            "description": self.words.alt,
            "width": self.width,
            "height": self.height,
            "padding": {
                "left": self.left,
                "right": WIDTH - self.left - self.width,
                "top": self.top,
                "bottom": HEIGHT - self.top - self.height,
            },
            "autosize": {"type": "none"},
            "background": PAPER,
            "config": CONFIG,
            "layer": [*layers, *self.titles()],
        }


CONFIG: Spec = {
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": LABEL, "labelColor": QUIET, "domain": False, "ticks": False, "title": None, "grid": False,
        "labelOverlap": False, "labelBound": False, "labelFlush": False, "labelLimit": 0, "labelPadding": 10,
        "gridColor": GRID, "gridWidth": 2,
    },
    "text": {"fontSize": LABEL, "color": INK},
}  # fmt: skip


def named_axis(values: Sequence[Any], labels: Sequence[str | Sequence[str]], **more: Any) -> Spec:
    """Return an axis with our own words at these values."""
    at = f"indexof({json.dumps(list(values))}, datum.value)"
    return {"values": list(values), "labelExpr": f"{json.dumps(list(labels))}[{at}]", **more}


def colours(rests: Sequence[bool]) -> list[str]:
    """Return a colour for each series, grey for those that stand for the rest."""
    return [REST if rest else COLOURS[at % len(COLOURS)] for at, rest in enumerate(rests)]


def pixels(rows: Sequence[Mapping[str, Any]], mark: Spec, *, px2: bool = False) -> Spec:
    """Draw marks at pixels `px`, `py` (to `px2`), in the colour `c` if the rows have one."""
    place = {"type": "quantitative", "scale": None, "axis": None}
    ends = {"x2": {"field": "px2"}} if px2 else {}
    shade = OWN_COLOUR if rows and "c" in rows[0] else {}
    encoding = {"x": {"field": "px", **place}, "y": {"field": "py", **place}, **ends, **shade}
    return {"data": {"values": [dict(row) for row in rows]}, "mark": mark, "encoding": encoding}


def pixel_texts(texts: Sequence[Mapping[str, Any]], **mark: Any) -> Spec:
    """Write texts `t`, lists of lines or single ones, at pixels `px`, `py` in the colour `c`."""
    found = pixels(texts, {"type": "text", "align": "left", "baseline": "middle", "fontSize": LABEL, **mark})
    found["encoding"]["text"] = {"field": "t", "type": "nominal"}
    return found


def zero_rule(channel: str) -> Spec:
    """Draw the line at zero of the axis `x` or `y`."""
    return {"mark": {"type": "rule", "color": QUIET, "strokeWidth": 2}, "encoding": {channel: {"datum": 0}}}


def legend(sheet: ChartSheet, names: Sequence[str], shades: Sequence[str]) -> list[Spec]:
    """Return the marks that name the colours, in rows above the plot."""
    rows = legend_rows(names)
    squares, texts = list[Spec](), list[Spec]()
    for number, row in enumerate(rows):
        y = -sheet.extra + 18 + number * LABEL * 1.45
        x = MARGIN - sheet.left
        for at in row:
            squares.append({"px": x + 12, "py": y, "c": shades[at]})
            texts.append({"px": x + 32, "py": y, "t": names[at], "c": INK})
            x += 32 + width(names[at], LABEL) + 34
    return [pixels(squares, {"type": "square", "size": 520, "filled": True, "opacity": 1}), pixel_texts(texts)]


def legend_rows(names: Sequence[str]) -> list[list[int]]:
    rows: list[list[int]] = [[]]
    used = 0.0
    for at, name in enumerate(names):
        size = 32 + width(name, LABEL) + 34
        if rows[-1] and used + size > WIDTH - 2 * MARGIN:
            rows.append([])
            used = 0.0
        rows[-1].append(at)
        used += size
    return rows


def legend_room(names: Sequence[str]) -> float:
    return len(legend_rows(names)) * LABEL * 1.45 + 14
