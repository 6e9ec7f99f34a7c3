"""Charts are drawn as they were: `specs.jsonl` holds whole ones, and `python -m tests.chart_specs` writes it anew."""

import json
from typing import Any

import pytest

from tests.chart_specs import SPECS, drawn, told

KEPT = {line["case"]: line for line in map(json.loads, SPECS.read_text("utf-8").splitlines())}
DRAWN = dict(drawn())


@pytest.mark.parametrize("name", DRAWN)
def test_a_chart_is_drawn_as_it_was(name: str) -> None:
    now: dict[str, Any] = {"case": name, **told(DRAWN[name])}
    assert now == KEPT[name]


def test_no_chart_is_kept_that_nothing_draws() -> None:
    assert [*KEPT] == [*DRAWN]
