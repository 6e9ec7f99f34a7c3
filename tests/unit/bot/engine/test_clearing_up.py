"""What the sweep goes by: how often a turn has killed, which turns are old."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Semaphore
from time import time
from uuid import uuid4

import pytest

from ai.stopping import Stop
from ai.types import Step
from bot.engine.crashes import Crashes, Record
from bot.engine.database import QueueDatabase, understood
from bot.engine.sweep import prune
from tests.unit.bot.engine.conftest import Run, thread, turn_id
from tests.wait import until


@pytest.fixture
def crashes(tmp_path: Path) -> Iterator[Crashes]:
    with closing(QueueDatabase(understood(f"sqlite:///{tmp_path}/engine.sqlite"))) as database:
        yield Crashes(database)


def blames(crashes: Crashes, steps: Iterable[int], *, alone: bool) -> list[int]:
    """The blame after each loss of one turn, every time with another engine."""
    return [crashes.note("a", f"bot-{uuid4()}", done, alone=alone).blame for done in steps]


def test_a_turn_that_is_lost_alone_is_blamed_each_time(crashes: Crashes) -> None:
    assert blames(crashes, [2, 2, 2], alone=True) == [1, 2, 3]


def test_a_turn_that_is_lost_among_others_is_blamed_once_it_is_suspect(crashes: Crashes) -> None:
    assert blames(crashes, [2, 2, 2, 2, 2], alone=False) == [0, 0, 1, 2, 3]


def test_getting_further_starts_anew(crashes: Crashes) -> None:
    assert blames(crashes, [2, 2, 3, 3], alone=True) == [1, 2, 1, 2]


def test_the_same_loss_is_noted_once(crashes: Crashes) -> None:
    assert [crashes.note("a", "bot-1", 2, alone=True) for _ in range(3)] == [Record(1, 1)] * 3


def test_turns_are_noted_apart_and_forgotten(crashes: Crashes) -> None:
    for engine in ("bot-1", "bot-2"):
        crashes.note("a", engine, 0, alone=False)
    crashes.note("b", "bot-2", 0, alone=False)
    assert crashes.suspects() == ["a"]
    crashes.forget(["a"])
    assert crashes.suspects() == []
    assert crashes.note("b", "bot-3", 0, alone=False) == Record(2, 0)


def test_old_turns_are_pruned_and_young_ones_kept(run: Run, crashes: Crashes) -> None:
    def turn(question: str, step: Step, stop: Stop) -> str:
        step("begin", begun.release)
        return "answered"

    begun = Semaphore(0)
    with run(turn) as engine:
        for _ in range(2):
            engine.enqueue(turn_id(thread(1)), thread(1))
            until(lambda: not engine.store.unfinished())
            assert begun.acquire(blocking=False)
            assert prune(engine.store, crashes, time() - 60) == []
            assert len(prune(engine.store, crashes, time() + 60)) == 1


def test_one_engine_does_at_launch_what_is_due_every_hour(run: Run) -> None:
    def turn(question: str, step: Step, stop: Stop) -> str:
        return "answered"

    done = Semaphore(0)
    with run(turn, hourly=done.release):
        assert until(lambda: done.acquire(blocking=False))
        assert not done.acquire(blocking=False)


def test_who_is_guilty_is_no_suspect() -> None:
    assert [Record(losses, blame).suspect for losses, blame in ((1, 0), (2, 2), (3, 3))] == [False, True, False]
