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

MOST_COLUMNS = 20
_RAW: dict[str, Rule] = {
    "raw_text": fields({"type": one_of("raw_text"), "text": text()}, {"emoji": flag}),
    "raw_number": fields({"type": one_of("raw_number"), "value": number(), "text": text()}),
}
_HEADER = by_type(_RAW, "type of cell")
_CELL = by_type({**_RAW, "rich_text": RICH_TEXT}, "type of cell")
_ROW = list_of(_CELL, 1, MOST_COLUMNS)
_COLUMN = fields({}, {"align": one_of("left", "center", "right"), "is_wrapped": flag})


def _rectangular(block: Any) -> Iterator[Problem]:
    rows = block["rows"]
    for index, row in enumerate(rows):
        if len(row) != len(rows[0]):
            yield f"has {len(row)} cells where the first row has {len(rows[0])}", f"/rows/{index}"


def _plain_header(block: Any) -> Iterator[Problem]:
    for index, cell in enumerate(block["rows"][0]):
        for problem, pointer in _HEADER(cell):
            yield problem, f"/rows/0/{index}{pointer}"


def _row_header(block: Any) -> Iterator[Problem]:
    if (block.get("row_header_column_index") or 0) >= len(block["rows"][0]):
        yield "names a column that the table does not have", "/row_header_column_index"


TABLE = (
    {"rows": list_of(_ROW, 1, 100)},
    {"column_settings": list_of(_COLUMN, 0, MOST_COLUMNS)},
    _rectangular,
)
DATA_TABLE = (
    {"rows": list_of(_ROW, 2, 101), "caption": text()},
    {"page_size": number(1, 100, is_whole=True), "row_header_column_index": number(0, is_whole=True)},
    _rectangular,
    _plain_header,
    _row_header,
)

_LABEL = text(20)


def _finite(value: Any) -> Iterator[Problem]:
    yield from number()(value)
    if isinstance(value, float) and not math.isfinite(value):
        yield "must be a finite number", ""


def _above_zero(value: Any) -> Iterator[Problem]:
    yield from _finite(value)
    if isinstance(value, int | float) and value <= 0:
        yield "must be greater than 0", ""


def _every_category_once(chart: Any) -> Iterator[Problem]:
    categories = chart["axis_config"]["categories"]
    for index, series in enumerate(chart["series"]):
        labels = [point["label"] for point in series["data"]]
        if sorted(labels) != sorted(categories):
            yield "must have one value for each category", f"/series/{index}/data"


def _distinct_names(chart: Any) -> Iterator[Problem]:
    names = [series["name"] for series in chart["series"]]
    if len(set(names)) < len(names):
        yield "two series have the same name", "/series"


_SERIES = fields({"name": _LABEL, "data": list_of(fields({"label": _LABEL, "value": _finite}), 1, 20)})
_AXES = fields({"categories": list_of(_LABEL, 1, 20)}, {"x_label": text(50), "y_label": text(50)})
_WITH_AXES = {
    kind: fields(
        {"type": one_of(kind), "series": list_of(_SERIES, 1, 6), "axis_config": _AXES},
        None,
        _every_category_once,
        _distinct_names,
    )
    for kind in ("line", "bar", "area")
}
_PIE = fields({"type": one_of("pie"), "segments": list_of(fields({"label": _LABEL, "value": _above_zero}), 1, 6)})
DATA_VISUALIZATION: tuple[dict[str, Rule], dict[str, Rule]] = (
    {"title": text(50), "chart": by_type({**_WITH_AXES, "pie": _PIE}, "type of chart")},
    {},
)
