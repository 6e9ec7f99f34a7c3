"""Charts as Slack's own block where its limits allow; other charts are pictures."""

from math import isfinite

from ai.charts import ResultChart
from ai.charts.plot import Plot
from ai.charts.words import measure
from bot.render.text import Block, cut, visible

TITLE, LABEL, AXIS = 50, 20, 50  # characters
MOST_PLACES, MOST_SERIES, MOST_SEGMENTS = 20, 6, 6
NATIVE = {"line": "line", "bar": "bar", "grouped_bar": "bar", "pie": "pie"}
UNITS = frozenset({"number", "money", "percent", "unit"})  # others, such as hours and minutes, need our own axis


def chart_block(chart: ResultChart) -> Block | None:
    """Return Slack's chart block, None for a chart beyond its limits."""
    plot = chart.plot
    labels = [visible(f"{place.label} so far" if place.is_open else place.label) for place in plot.places]
    names = [visible(line.name) for line in plot.lines]
    if not _is_within(plot, labels, names):
        return None
    title = chart.words.title if len(chart.words.title) <= TITLE else measure(plot)
    points = [[_value(plot, at, line) for at in range(len(labels))] for line in range(len(names))]
    return {
        "type": "data_visualization",
        "title": cut(visible(title), TITLE),
        "chart": _pie(labels, points[0]) if plot.design.kind == "pie" else _axes(chart, labels, names, points),
    }


def _is_within(plot: Plot, labels: list[str], names: list[str]) -> bool:
    design = plot.design
    own_axes = design.standing is not None or design.log or design.shares
    plain = design.kind in NATIVE and not (own_axes or plot.gaps or plot.left_out)
    words = [*labels, *(names if len(names) > 1 else [])]
    distinct = len(set(labels)) == len(labels) and len(set(names)) == len(names)
    short = distinct and all(0 < len(word) <= LABEL for word in words)
    many = MOST_SEGMENTS if design.kind == "pie" else MOST_PLACES
    known = all(value is not None and isfinite(value) for line in plot.lines for value in line.values)
    units = plot.is_one_unit and plot.lines[0].by.kind in UNITS
    above = design.kind != "pie" or all(value and value > 0 for value in plot.lines[0].values)
    return plain and short and len(labels) <= many and len(names) <= MOST_SERIES and known and units and above


def _value(plot: Plot, place: int, line: int) -> float:
    one = plot.lines[line]
    value = float(f"{(one.values[place] or 0) * one.by.scale:.12g}")
    return int(value) if value.is_integer() else value


def _pie(labels: list[str], values: list[float]) -> Block:
    return {
        "type": "pie",
        "segments": [{"label": label, "value": value} for label, value in zip(labels, values, strict=True)],
    }


def _axes(chart: ResultChart, labels: list[str], names: list[str], points: list[list[float]]) -> Block:
    by = chart.plot.lines[0].by
    unit = "%" if by.kind == "percent" else by.unit
    heading = chart.plot.view.headings[chart.design.y[0]]
    return {
        "type": NATIVE[chart.design.kind],
        "series": [
            {
                "name": cut(name, LABEL),
                "data": [{"label": label, "value": value} for label, value in zip(labels, values, strict=True)],
            }
            for name, values in zip(names, points, strict=True)
        ],
        "axis_config": {
            "categories": labels,
            "y_label": cut(visible(f"{heading} ({unit})" if unit else heading), AXIS),
        },
    }
