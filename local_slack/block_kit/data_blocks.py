"""The blocks of data: table, data_table, data_visualization."""

import math
from collections.abc import Iterator
from typing import Any

from local_slack.block_kit.rich_text import RICH_TEXT
from local_slack.block_kit.rules import (
    Problem,
    Rule,
    by_type,
    fields,
    flag,
    list_of,
    number,
    one_of,
    text,
)
from local_slack.limits import Limits

_RAW: dict[str, Rule] = {
    "raw_text": fields({"type": one_of("raw_text"), "text": text()}, {"emoji": flag}),
    "raw_number": fields({"type": one_of("raw_number"), "value": number(), "text": text()}),
}
_HEADER = by_type(_RAW, "type of cell")
_CELL = by_type({**_RAW, "rich_text": RICH_TEXT}, "type of cell")
_COLUMN = fields({}, {"align": one_of("left", "center", "right"), "is_wrapped": flag})


def _rectangular(block: Any, _limits: Limits) -> Iterator[Problem]:
    rows = block["rows"]
    for index, row in enumerate(rows):
        if len(row) != len(rows[0]):
            yield f"has {len(row)} cells where the first row has {len(rows[0])}", f"/rows/{index}"


def _plain_header(block: Any, limits: Limits) -> Iterator[Problem]:
    for index, cell in enumerate(block["rows"][0]):
        for problem, pointer in _HEADER(cell, limits):
            yield problem, f"/rows/0/{index}{pointer}"


def _row_header(block: Any, _limits: Limits) -> Iterator[Problem]:
    if (block.get("row_header_column_index") or 0) >= len(block["rows"][0]):
        yield "names a column that the table does not have", "/row_header_column_index"


TABLE = (
    {"rows": list_of(list_of(_CELL, 1, "table.columns"), 1, "table.rows")},
    {"column_settings": list_of(_COLUMN, 0, "table.columns")},
    _rectangular,
)
DATA_TABLE = (
    {"rows": list_of(list_of(_CELL, 1, "data_table.columns"), 2, "data_table.rows"), "caption": text()},
    {
        "page_size": number(1, "data_table.page_size", is_whole=True),
        "row_header_column_index": number(0, is_whole=True),
    },
    _rectangular,
    _plain_header,
    _row_header,
)

_LABEL = text("chart.label")


def _finite(value: Any, limits: Limits) -> Iterator[Problem]:
    yield from number()(value, limits)
    if isinstance(value, float) and not math.isfinite(value):
        yield "must be a finite number", ""


def _above_zero(value: Any, limits: Limits) -> Iterator[Problem]:
    yield from _finite(value, limits)
    if isinstance(value, int | float) and value <= 0:
        yield "must be greater than 0", ""


def _every_category_once(chart: Any, _limits: Limits) -> Iterator[Problem]:
    categories = chart["axis_config"]["categories"]
    for index, series in enumerate(chart["series"]):
        labels = [point["label"] for point in series["data"]]
        if sorted(labels) != sorted(categories):
            yield "must have one value for each category", f"/series/{index}/data"


def _distinct_names(chart: Any, _limits: Limits) -> Iterator[Problem]:
    names = [series["name"] for series in chart["series"]]
    if len(set(names)) < len(names):
        yield "two series have the same name", "/series"


_SERIES = fields({"name": _LABEL, "data": list_of(fields({"label": _LABEL, "value": _finite}), 1, "chart.categories")})
_AXES = fields(
    {"categories": list_of(_LABEL, 1, "chart.categories")},
    {"x_label": text("chart.axis_title"), "y_label": text("chart.axis_title")},
)
_WITH_AXES = {
    kind: fields(
        {"type": one_of(kind), "series": list_of(_SERIES, 1, "chart.series"), "axis_config": _AXES},
        None,
        _every_category_once,
        _distinct_names,
    )
    for kind in ("line", "bar", "area")
}
_PIE = fields(
    {"type": one_of("pie"), "segments": list_of(fields({"label": _LABEL, "value": _above_zero}), 1, "chart.segments")}
)
DATA_VISUALIZATION: tuple[dict[str, Rule], dict[str, Rule]] = (
    {"title": text("chart.title"), "chart": by_type({**_WITH_AXES, "pie": _PIE}, "type of chart")},
    {},
)
