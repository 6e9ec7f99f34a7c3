"""Days as people name them are days of their own calendar."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from ai.agents.memory_agent import recall_of
from ai.errors import UserError
from ai.language.dates import period_in, period_of
from tests.cases import cases

NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 1, 7, 1, 30, tzinfo=UTC)  # the evening of Tuesday the 6th there


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("days.jsonl")))
def test_a_period_is_read(case: dict[str, Any]) -> None:
    if case["period"] is None:
        with pytest.raises(UserError, match="not a date"):
            period_of(case["said"], NOW, NEW_YORK)
        return
    found = period_of(case["said"], NOW, NEW_YORK)
    expected = [datetime.fromisoformat(day).replace(tzinfo=NEW_YORK) for day in case["period"]]
    assert [found.since, found.until] == expected


@pytest.mark.parametrize(
    ("question", "topic", "words"),
    [
        ("What did we decide about pricing last week?", "pricing", "last week"),
        ("what did we discuss yesterday?", "", "yesterday"),
        ("did we talk about the Pro plan in may?", "Pro plan", "in may"),
        ("what may we have said about 5 apps", "5 apps", None),
        ("What did you tell me on tuesday about Q3?", "Q3", "on tuesday"),
    ],
)
def test_a_question_has_a_topic_and_a_period(question: str, topic: str, words: str | None) -> None:
    recall = recall_of(question, NOW, NEW_YORK)
    assert (recall.topic, recall.period and recall.period.words) == (topic, words)


def test_a_message_without_a_date_has_no_period() -> None:
    assert period_in("we may march on", NOW, NEW_YORK) is None


def test_the_month_of_a_figure_may_be_that_of_the_question() -> None:
    found = recall_of("how many did you say for September?", NOW, NEW_YORK)
    assert (found.about, found.topic) == ("September", "")
