"""Which chart fits a result, and whether it may come by itself: a line of `choices.jsonl` is a question and result."""

from pathlib import Path
from typing import Any

import pytest

from ai.charts import chart_of, chosen, is_sure
from tests.cases import cases
from tests.charts import drawn, view_of_case


@pytest.mark.parametrize("line", cases(Path(__file__).with_name("choices.jsonl")))
def test_the_chart_that_fits(line: dict[str, Any]) -> None:
    shown = view_of_case(line)
    design = chosen(shown)
    assert (design.kind, is_sure(shown, design)) == (line["kind"], line["sure"])
    assert (design.reason, design.shares) == (line.get("reason", ""), line.get("shares", False))
    if line["kind"] == "none":
        assert chart_of(shown, design) == design.reason
        return
    chart = drawn(shown)
    assert chart.words.title
    if "places" in line:
        assert [place.label for place in chart.plot.places] == line["places"]
