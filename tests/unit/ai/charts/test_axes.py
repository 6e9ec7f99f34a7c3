"""Which periods are named along the foot of a chart: by their length and number, lines of `axes.jsonl`."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ai.charts.times import following
from tests.cases import cases
from tests.charts import drawn, view

WRITTEN = {"day": "%Y-%m-%d", "week": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}
SQL = "SELECT {0} AS {1}, SUM(n) AS rides FROM t GROUP BY {1} ORDER BY {1}"
CUT = {
    "day": "DATE(at)",
    "week": "DATE(at, 'weekday 0', '-6 days')",
    "month": "strftime('%Y-%m', at)",
    "year": "strftime('%Y', at)",
}


def named(case: dict[str, Any]) -> list[list[str]]:
    """Return the names along the axis of the chart of so many periods."""
    grain, day = case["grain"], date.fromisoformat(case["first"])
    rows = []
    for number in range(case["count"]):
        rows.append((f"{day:{WRITTEN[grain]}}", 100 + number % 9))
        day = following(day, grain)
    chart = drawn(view(SQL.format(CUT[grain], grain), [grain, "rides"], rows))
    (names,) = _expressions(chart.spec)
    found: list[list[str]] = json.loads(names.partition("[indexof(")[0])
    return found


def _expressions(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        here = part.get("x", {}).get("axis") if isinstance(part.get("x"), dict) else None
        if here and "indexof" in str(here.get("labelExpr")):
            yield here["labelExpr"]
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from _expressions(each)


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("axes.jsonl")))
def test_periods_are_named_as_they_have_room(case: dict[str, Any]) -> None:
    assert named(case) == case["named"]
