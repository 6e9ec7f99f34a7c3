"""Whatever crashes, fails or is taken back between two steps: each question is answered once, and nothing else stays."""

import json
from collections.abc import Iterator, Mapping
from itertools import count, islice
from pathlib import Path
from random import randrange

import pytest

from tests.schedules.play import Act, read_schedule
from tests.schedules.walks import Walker, drawn, walker

CASES = [json.loads(line) for line in Path(__file__).with_name("schedules.jsonl").read_text("utf-8").splitlines()]
FEW, MANY, A_WHILE = 100, 6_000, 15_000
AT_EACH_BORDER = ("crash 0", "crash 1", "crash r", "close 0", "delete a1", "edit a1", "stop a", "wire lost")
BORDERS = 150


@pytest.fixture(scope="module")
def walks() -> Iterator[Walker]:
    with walker() as opened:
        yield opened


def hold(walks: Walker, schedule: list[Act], order: int) -> None:
    """Fail with the shortest form of a schedule that breaks a promise."""
    if walks.broken(schedule, order):
        short = walks.shortened(schedule, order)
        shown = json.dumps({"schedule": "; ".join(map(str, short)), "order": order})
        pytest.fail(f"{shown} breaks a promise: {walks.broken(short, order)}")


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_what_went_wrong_once(walks: Walker, case: Mapping[str, str]) -> None:
    hold(walks, read_schedule(case["schedule"]), int(case.get("order", 0)))


@pytest.mark.parametrize("first", range(0, FEW, 20))
def test_drawn_schedules(walks: Walker, first: int) -> None:
    for seed in range(first, first + 20):
        hold(walks, drawn(seed), seed)


@pytest.mark.deep
@pytest.mark.parametrize("first", range(FEW, MANY, 100))
def test_many_drawn_schedules(walks: Walker, first: int) -> None:
    for seed in range(first, first + 100):
        hold(walks, drawn(seed), seed)


@pytest.mark.deep
@pytest.mark.parametrize("mishap", AT_EACH_BORDER)
def test_a_mishap_at_each_border(walks: Walker, mishap: str) -> None:
    for border in range(BORDERS):
        hold(walks, read_schedule(f"ask a; ask b; 5 ask a; {border} {mishap}"), border)


@pytest.mark.fuzz
def test_other_schedules_each_time(walks: Walker) -> None:
    for seed in islice(count(randrange(MANY, 10**9)), A_WHILE):
        hold(walks, drawn(seed), seed)
