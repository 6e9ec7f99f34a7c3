"""What the sweep goes by: how often a turn has killed, which turns are old."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Semaphore

import pytest
import sqlalchemy as sa

from ai.types import Step
from bot.engine.crashes import Crashes
from bot.engine.sweep import prune
from tests.unit.bot.engine.conftest import Run, thread, turn_id
from tests.wait import until


@pytest.fixture
def crashes(tmp_path: Path) -> Crashes:
    return Crashes(sa.make_url(f"sqlite:///{tmp_path}/engine.sqlite"))


def test_crashes_at_the_same_step_add_up(crashes: Crashes) -> None:
    assert [crashes.count("T1:C1:1.1", steps=2) for _ in range(3)] == [1, 2, 3]


def test_getting_further_starts_the_count_anew(crashes: Crashes) -> None:
    assert [crashes.count("T1:C1:1.1", steps) for steps in (2, 2, 3, 3)] == [1, 2, 1, 2]


def test_turns_are_counted_apart_and_forgotten(crashes: Crashes) -> None:
    assert [crashes.count(turn, 0) for turn in ("a", "b", "a")] == [1, 1, 2]
    crashes.forget(["a"])
    assert [crashes.count(turn, 0) for turn in ("a", "b")] == [1, 2]


def test_old_turns_are_pruned_and_young_ones_kept(run: Run, crashes: Crashes) -> None:
    def turn(question: str, step: Step) -> str:
        step("begin", begun.release)
        return "answered"

    now, begun = datetime.now(UTC), Semaphore(0)
    with run(turn) as engine:
        for _ in range(2):
            engine.enqueue(turn_id(thread(1)), thread(1))
            until(lambda: engine.unfinished() == 0)
            assert begun.acquire(blocking=False)
            assert prune(now - timedelta(days=7), crashes) == 0
            assert prune(now + timedelta(days=1), crashes) == 1
