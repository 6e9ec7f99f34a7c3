"""Planted causes are found and told by `datathread predict`, as people would read them.

The seeds from 1,000 on are kept back: nobody looks at single cases of them. A bar holds for each kind of cause.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.causes.planted import PLANS, Planted, planted
from tests.causes.told import TOLD, asked, explanations

HELD_BACK, SEEDS = 1_000, 4


def is_right(plan: Planted, told: dict[str, Any]) -> bool:
    drivers = told["drivers"]
    if not plan.drivers:
        return bool(drivers == ("data gap" if plan.cause == "data gap" else "none"))
    return isinstance(drivers, list) and (drivers[0]["dimension"], drivers[0]["value"]) in plan.drivers


def test_a_cause_is_named_with_its_figures(tmp_path: Path) -> None:
    plan = planted("segment", 1)
    (told,) = asked(tmp_path, [plan])
    assert told["status"] == "answered"
    assert told["cause"] == "segment"
    assert is_right(plan, told)
    assert plan.drivers[0][1] in told["text"]


def test_explanations_read_as_they_did(tmp_path: Path) -> None:
    """`told.jsonl` has one of each kind, whole; `python -m tests.causes.told` writes it anew."""
    lines = map(json.loads, TOLD.read_text("utf-8").splitlines())
    assert explanations(tmp_path) == {line["case"]: line["text"] for line in lines}


@pytest.mark.parametrize("cause", sorted(PLANS))
def test_planted_causes_are_found(cause: str, tmp_path: Path) -> None:
    plans = [planted(cause, HELD_BACK + seed) for seed in range(SEEDS)]
    found = Counter(is_right(plan, told) for plan, told in zip(plans, asked(tmp_path, plans), strict=True))
    assert found[True] >= SEEDS - 1, found
