"""Pies, scatter plots and single figures."""

from math import pi

from ai.charts.measure import cut, width
from ai.charts.plot import Plot, PlotLine
from ai.charts.theme import (
    COLOURS,
    INK,
    LABEL,
    MARGIN,
    OWN_COLOUR,
    PAPER,
    QUIET,
    REST,
    ChartSheet,
    ChartWords,
    Spec,
    named_axis,
    pixel_texts,
    pixels,
)
from ai.charts.ticks import axis_labels, axis_steps, log_steps

SMALL = 22.0


def pie_spec(plot: Plot, words: ChartWords) -> Spec:
    """Draw a ring, and beside it its parts with their shares and values."""
    line = plot.lines[0]
    values = [value or 0 for value in line.values]
    sheet = ChartSheet.of(words, left=MARGIN, right=MARGIN, bottom=MARGIN)
    radius = round(min(sheet.height / 2 - 4, 215))
    shades = [REST if place.is_rest else COLOURS[at] for at, place in enumerate(plot.places)]
    turns = [2 * pi * sum(values[:at]) / sum(values) for at in range(len(values) + 1)]
    rows = [{"a": start, "b": end, "c": shade} for start, end, shade in zip(turns[:-1], turns[1:], shades, strict=True)]
    ring = {"type": "arc", "outerRadius": radius, "innerRadius": radius * 0.55, "stroke": PAPER, "strokeWidth": 4}
    arc = {
        "data": {"values": rows},
        "mark": {**ring, "x": radius + 20, "y": sheet.height / 2},
        "encoding": {
            "theta": {"field": "a", "type": "quantitative", "scale": None},
            "theta2": {"field": "b"},
            **OWN_COLOUR,
        },
    }
    x, row = 2 * radius + 110, min(72.0, sheet.height / len(values))
    room = sheet.width - x - 44 - 120 - max(width(line.said(at), LABEL) for at in range(len(values)))
    ys = [sheet.height / 2 + (at - (len(values) - 1) / 2) * row for at in range(len(values))]
    squares = [{"px": x, "py": y, "c": shade} for y, shade in zip(ys, shades, strict=True)]
    names = [{"px": x + 36, "py": y, "t": cut(place.label, room, LABEL, bold=True), "c": INK}
             for y, place in zip(ys, plot.places, strict=True)]  # fmt: skip
    shares = [{"px": sheet.width, "py": y, "t": f"{line.said(at)} · {100 * values[at] / sum(values):.0f}%", "c": QUIET}
              for at, y in enumerate(ys)]  # fmt: skip
    marks = [pixel_texts(names, fontWeight="bold"), pixel_texts(shares, align="right")]
    return sheet.spec([arc, pixels(squares, {"type": "square", "size": 620, "filled": True, "opacity": 1}), *marks])


def scatter_spec(plot: Plot, words: ChartWords) -> Spec:
    """Draw a dot for each row; few of them are named."""
    across, up = plot.lines
    dots = [{"x": x, "y": y} for x, y in zip(across.values, up.values, strict=True)]
    is_log = plot.design.log and min(plot.values) > 0
    x_steps, y_steps = (_dot_steps(line, is_log=is_log) for line in plot.lines)
    x_names, y_names = axis_labels(x_steps, across.by), axis_labels(y_steps, up.by)
    left = MARGIN + max(width(name, LABEL) for name in y_names) + 14
    right = MARGIN + width(x_names[-1], LABEL) / 2
    sheet = ChartSheet.of(words, left=left, right=right, bottom=MARGIN + LABEL * 2.8, extra=LABEL * 1.9)
    few = len(dots) <= 30
    size = 260 if few else 140 if len(dots) <= 200 else 60
    mark = {"type": "point", "shape": "circle", "filled": True, "size": size, "opacity": 0.9 if few else 0.6,
            "color": COLOURS[0]}  # fmt: skip
    axes = {
        "x": _dot_axis("x", x_steps, x_names, is_log=is_log),
        "y": _dot_axis("y", y_steps, y_names, is_log=is_log),
    }
    foot = {"px": sheet.width, "py": sheet.height + LABEL * 2.3, "t": f"{cut(across.name, 700, LABEL, bold=True)} →"}
    head = {"px": MARGIN - sheet.left, "py": -LABEL * 1.4, "t": f"↑ {cut(up.name, 700, LABEL, bold=True)}"}
    layers: list[Spec] = [
        {"data": {"values": dots}, "mark": mark, "encoding": axes},
        pixel_texts([{**foot, "c": INK}], align="right", fontWeight="bold"),
        pixel_texts([{**head, "c": INK}], fontWeight="bold"),
    ]
    return sheet.spec([*layers, *([] if is_log else _dot_names(plot, sheet, x_steps, y_steps))])


def _dot_steps(line: PlotLine, *, is_log: bool) -> list[float]:
    values = [value for value in line.values if value is not None]
    return log_steps(values) if is_log else axis_steps(values, line.by, from_zero=False)


def _dot_axis(field: str, steps: list[float], names: list[str], *, is_log: bool) -> Spec:
    kind = {"type": "log"} if is_log else {"zero": False}
    scale = {"domain": [steps[0], steps[-1]], "nice": False, **kind}
    return {
        "field": field,
        "type": "quantitative",
        "scale": scale,
        "axis": named_axis(steps, names, grid=True, labelPadding=14),
    }


def _dot_names(plot: Plot, sheet: ChartSheet, x_steps: list[float], y_steps: list[float]) -> list[Spec]:
    """Name dots where a name touches neither another nor a dot."""
    across, up = plot.lines
    dots = []
    for x, y in zip(across.values, up.values, strict=True):
        right = ((x or 0) - x_steps[0]) / (x_steps[-1] - x_steps[0])
        dots.append((right * sheet.width, (1 - ((y or 0) - y_steps[0]) / (y_steps[-1] - y_steps[0])) * sheet.height))
    taken = [(x - 11, y - 11, x + 11, y + 11) for x, y in dots]
    texts = list[Spec]()
    for at in sorted(range(len(dots)), key=lambda at: dots[at][1] - dots[at][0]) if len(dots) <= 80 else []:
        x, y = dots[at]
        name = cut(plot.places[at].label, 240, SMALL)
        box = (x + 14, y - SMALL * 0.6, x + 18 + width(name, SMALL), y + SMALL * 0.6)
        if name and box[2] < sheet.width + 20 and not any(_touch(box, other) for other in taken):
            taken.append(box)
            texts.append({"px": x + 16, "py": y, "t": name, "c": QUIET})
    return [pixel_texts(texts, fontSize=SMALL)] if texts else []


def _touch(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def number_spec(plot: Plot, words: ChartWords) -> Spec:
    """Write one figure large."""
    sheet, line = ChartSheet.of(words, left=MARGIN, right=MARGIN, bottom=MARGIN), plot.lines[0]
    text = line.said(0)
    size = min(200.0, 180 * (sheet.width - 20) / width(text, 180, bold=True))
    mark = [{"px": 0, "py": sheet.height * 0.45, "t": text, "c": COLOURS[0]}]
    return sheet.spec([pixel_texts(mark, fontSize=round(size), fontWeight="bold")])
