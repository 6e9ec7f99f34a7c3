"""What Slack is given is kept whole: lines of `rendered.jsonl`; `tests/rendered.py` makes it anew."""

from typing import Any

import pytest

from tests.cases import cases
from tests.rendered import CASES, RENDERED, made

KEPT = cases(RENDERED)


@pytest.mark.parametrize("case", KEPT)
def test_what_is_shown_stays(case: dict[str, Any]) -> None:
    assert made(case["case"]) == case["shows"]


def test_everything_that_is_made_is_kept() -> None:
    assert len(KEPT) == len(CASES)
