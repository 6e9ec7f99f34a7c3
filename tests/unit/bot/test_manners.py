"""What a message in a thread shows of whom it is for, and the verdict."""

from pathlib import Path
from typing import Any

import pytest

from bot.listeners.manners import Line, wants_answer
from bot.listeners.manners.features import features
from tests.cases import cases

MINUTES = 2.0


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("manners.jsonl")))
def test_a_line_in_a_thread(case: dict[str, Any]) -> None:
    thread, said = [Line(*line) for line in case["thread"]], Line(*case["says"])
    found = features(thread, said, MINUTES)
    assert [name for name in case.get("has", ()) if not found[name]] == []
    assert [name for name in case.get("lacks", ()) if found[name]] == []
    if "is_for_us" in case:
        assert wants_answer(thread, said, MINUTES) == case["is_for_us"]
