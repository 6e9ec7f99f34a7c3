"""The reader on public question sets: it must not become worse. Needs the shared data; skips by name without it.

What is asked back counts as not answered, so the precision of answers is the bar to hold.
"""

import pytest

from benchmarks.text_to_sql import COMPARER, QUESTIONS, measure


@pytest.mark.parametrize(
    ("name", "half", "exact", "precision"),
    [
        ("chinook_own", "all", 0.55, 0.92),
        ("chinook_threads", "all", 0.64, 0.95),
        ("spider_dev", "open", 0.50, 0.88),  # of the other half nobody asks before a release
    ],
)
def test_accuracy_floor(name: str, half: str, exact: float, precision: float) -> None:
    if not (QUESTIONS / f"{name}.jsonl").exists() or not COMPARER.exists():
        pytest.skip(f"the question set {name} is not on this machine")
    score = measure(name, half)
    assert score.outcomes
    assert score.share("exact") >= exact
    assert score.share("right", answered=True) >= precision  # a further column beside those asked is no fault


@pytest.mark.parametrize(("name", "exact"), [("chinook_own", 0.78), ("chinook_threads", 0.76)])
def test_accuracy_floor_with_a_glossary(name: str, exact: float) -> None:
    if not (QUESTIONS / f"{name}.jsonl").exists() or not COMPARER.exists():
        pytest.skip(f"the question set {name} is not on this machine")
    score = measure(name, "all", glossary=True)
    assert score.outcomes
    assert score.share("exact") >= exact


def test_what_the_data_cannot_answer_is_refused() -> None:
    if not (QUESTIONS / "defog_idk.jsonl").exists():
        pytest.skip("the question set defog_idk is not on this machine")
    score = measure("defog_idk", "all")
    assert score.outcomes
    assert sum(each.sql is not None for each in score.outcomes) <= 0.05 * len(score.outcomes)
