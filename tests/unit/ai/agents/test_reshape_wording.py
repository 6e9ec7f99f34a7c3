"""What is a wish about the rows that are there, and what is a question for the database."""

from pathlib import Path
from typing import Any

import pytest

from ai.agents.wishes.reshape import read_steps
from ai.agents.wishes.step_rules import ResultShape
from ai.results.steps import Sort
from tests.cases import cases

TITLES = ("platform", "country", "installs", "totalRevenue")
TEXTS = {"ios": (0,), "android": (0,), "germany": (1,)}


@pytest.mark.parametrize("line", cases(Path(__file__).with_name("reshape_wording.jsonl")))
def test_wishes_about_rows(line: dict[str, Any]) -> None:
    facts = ResultShape(
        titles=tuple(line.get("titles", TITLES)),
        row_count=50,
        whole=line.get("whole", True),
        numbers=tuple(line.get("numbers", (2, 3))),
        holding=lambda text: TEXTS.get(text.lower(), ()),
        order=Sort(*line["order"]) if "order" in line else None,
    )
    steps = read_steps(line["text"], facts)
    assert (None if steps is None else ", ".join(map(repr, steps))) == line["steps"]
