"""The two periods that a question after a cause compares."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ai.agents.explaining.periods import compared, of_two, said_periods
from ai.analysis.study import Days
from ai.nl2sql.meaning import Field, Meaning, Measure, Period
from tests.cases import cases

TODAY = date(2026, 11, 28)
DAY = Field("metrics", "day")


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("why_periods.jsonl")))
def test_a_cause_is_sought_between_the_periods_said_or_shown(case: dict[str, Any]) -> None:
    found = compared(said_periods(case["text"], TODAY), _shown(case["shown"]), TODAY)
    assert (found.before, found.now) == (_days(case["before"]), _days(case["now"]))


def _days(said: list[str]) -> Days:
    start, end = map(date.fromisoformat, said)
    return Days(start, end)


def _shown(spans: list[list[str]]) -> Meaning | None:
    """Make the meaning of an answer: one period of a figure, or a figure for each of several."""
    periods = [Period(DAY, date.fromisoformat(start), date.fromisoformat(end)) for start, end in spans]
    if len(periods) == 1:
        return Meaning("metrics", measures=(Measure("sum", "metrics", "revenue"),), periods=tuple(periods))
    measures = tuple(Measure("sum", "metrics", "revenue", where=(period,)) for period in periods)
    return Meaning("metrics", measures=measures) if periods else None


OCTOBER, SEPTEMBER, JUNE = (
    [["2026-10-01", "2026-11-01"]], [["2026-09-01", "2026-10-01"]], [["2026-06-01", "2026-07-01"]]
)  # fmt: skip


@pytest.mark.parametrize(
    ("shown", "before", "now"),
    [
        ([SEPTEMBER, OCTOBER], SEPTEMBER, OCTOBER),
        ([OCTOBER, JUNE], JUNE, OCTOBER),
        ([OCTOBER], None, None),
        ([OCTOBER, OCTOBER], None, None),
        ([OCTOBER, []], None, None),
    ],
)
def test_a_difference_is_one_between_the_two_times_shown(
    shown: list[list[list[str]]], before: list[list[str]] | None, now: list[list[str]] | None
) -> None:
    meanings = [meaning for spans in shown if (meaning := _shown(spans))]
    found = of_two(meanings)
    assert (found.before, found.now) == (_days(before[0]), _days(now[0])) if found and before and now else not before


def test_two_figures_have_no_difference_to_explain() -> None:
    one, other = _shown(OCTOBER), Meaning("metrics", measures=(Measure("count", "metrics"),), periods=())
    assert one is not None
    assert of_two([one, other]) is None
