"""Which messages ask for a cause, and what is left of them to name a figure."""

from pathlib import Path
from typing import Any

import pytest

from ai.agents.wishes.why import asks_why, named_words
from tests.cases import cases

HERE = Path(__file__).parent


@pytest.mark.parametrize("case", cases(HERE / "why_wording.jsonl"))
def test_a_question_after_a_cause_is_known(case: dict[str, Any]) -> None:
    assert asks_why(case["text"]) is case["why"]


def test_names_of_the_data_stay() -> None:
    known = {("bad", "reviews"), ("high",)}
    assert named_words("why are bad reviews up", known.__contains__) == "bad reviews"
    assert named_words("why are high tickets down", known.__contains__) == "high tickets"
    assert named_words("why are sales so high", known.__contains__) == "sales"
