"""Which values are named along an axis of figures, and how they are written there: lines of `ticks.jsonl`."""

from pathlib import Path
from typing import Any

import pytest

from ai.answers.formats import Format
from ai.charts.ticks import axis_labels, axis_steps, log_steps
from tests.cases import cases


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("ticks.jsonl")))
def test_round_values_are_named_shortly(case: dict[str, Any]) -> None:
    values, by = case["values"], Format(**case["format"])
    even = {"from_zero": case.get("from_zero", False), "most": case.get("most", 5)}
    steps = log_steps(values) if case.get("is_log") else axis_steps(values, by, **even)
    assert axis_labels(steps, by) == case["named"]
    assert steps[0] <= min(values)
    assert max(values) <= steps[-1]
