"""Date phrases, seen from Sunday, 22 November 2026."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ai.language.date_phrases import date_phrase
from ai.nl2sql.words import split
from tests.cases import cases

TODAY = date(2026, 11, 22)


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("date_phrases.jsonl")))
def test_date_phrases(case: dict[str, Any]) -> None:
    words = split(case["said"])
    found = date_phrase(words, TODAY, case.get("fiscal", 0))
    if case["start"] == "none":
        assert found is None
        return
    assert found is not None
    assert found.length == len(words)
    start, end = (date.fromisoformat(case[side]) if case[side] else None for side in ("start", "end"))
    assert (found.span.start, found.span.end) == (start, end)


def test_the_last_day_of_a_month_has_a_month_before() -> None:
    found = date_phrase(split("last month"), date(2026, 3, 31))
    assert found is not None
    assert (found.span.start, found.span.end) == (date(2026, 2, 1), date(2026, 3, 1))
