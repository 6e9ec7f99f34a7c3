"""Planted causes are found and told by `datathread predict`, as people would read them.

The seeds from 1,000 on are kept back: nobody looks at single cases of them. A bar holds for each kind of cause.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.cli.predict import Item, answered, opened
from tests.causes.planted import PLANS, TODAY, Planted, build, planted

HELD_BACK, SEEDS = 1_000, 4


def asked(folder: Path, plans: Sequence[Planted], history: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    names = [f"case{number}" for number in range(len(plans))]
    for number, (name, plan) in enumerate(zip(names, plans, strict=True)):
        build(plan, folder / f"{name}.sqlite", number)
    with opened(names, folder, None) as product:
        return [
            answered(product, Item(name, name, plan.question, history), TODAY)
            for name, plan in zip(names, plans, strict=True)
        ]


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


@pytest.mark.parametrize("cause", sorted(PLANS))
def test_planted_causes_are_found(cause: str, tmp_path: Path) -> None:
    plans = [planted(cause, HELD_BACK + seed) for seed in range(SEEDS)]
    found = Counter(is_right(plan, told) for plan, told in zip(plans, asked(tmp_path, plans), strict=True))
    assert found[True] >= SEEDS - 1, found
