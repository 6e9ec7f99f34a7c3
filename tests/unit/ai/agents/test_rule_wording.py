"""Corrections are told from questions, line by line."""

from pathlib import Path

import pytest

from ai.agents.wishes.rules import rule_wish
from tests.cases import cases

HERE = Path(__file__).parent


@pytest.mark.parametrize("case", cases(HERE / "rule_wording.jsonl"))
def test_a_message(case: dict[str, str]) -> None:
    wish = rule_wish(case["text"])
    if not case["verb"]:
        assert wish is None
        return
    assert wish is not None
    found = (wish.verb, wish.number, wish.sentence, wish.term, wish.means)
    assert found == (case["verb"], case.get("number"), *(case.get(name, "") for name in ("sentence", "term", "means")))
