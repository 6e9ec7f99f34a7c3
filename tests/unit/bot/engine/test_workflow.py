"""How a run of a turn ends: with its outcome, or put off to run again with what it has recorded."""

import errno
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

import pytest

from ai.stopping import Stop
from ai.types import Step
from bot.engine.store import TurnRun
from bot.engine.workflow import AGAIN, CLAIM, Abandoned, Postponed, Running, Steps, stored, work

FULL = OSError(errno.ENOSPC, "no room")


@dataclass
class Heard:
    ended: list[str] = field(default_factory=list)
    put: list[float] = field(default_factory=list)
    recorded: list[list[str]] = field(default_factory=list)

    def record(self, running: Running, *, now: bool) -> None:
        self.recorded.append(list(running.steps))

    def end(self, running: Running, outcome: str) -> None:
        self.ended.append(outcome)

    def put_off(self, running: Running, seconds: float) -> None:
        self.put.append(seconds)

    def give_way(self, running: Running) -> None: ...


@pytest.fixture
def running() -> Running:
    return Running(TurnRun("T:C:1.1", 2), ("T", "C", "U"), {}, monotonic())


def fails(error: BaseException) -> Callable[[str, Step, Stop], str]:
    def turn(turn_id: str, step: Step, stop: Stop) -> str:
        raise error

    return turn


@pytest.mark.parametrize(
    ("error", "ended", "put"),
    [
        (ValueError("mistake"), ["crashed"], []),
        (FULL, [], [2.0]),
        (Postponed(), [], [2.0]),
        (Abandoned(), [], [0]),
    ],
)
def test_an_error_that_a_turn_lets_through(
    running: Running, error: BaseException, ended: list[str], put: list[float]
) -> None:
    heard = Heard()
    work(running, fails(error), heard)
    assert (heard.ended, heard.put) == (ended, put)


def test_what_closing_raises_is_no_outcome(running: Running) -> None:
    heard, running.is_over = Heard(), True
    work(running, fails(ValueError("interrupted")), heard)
    assert (heard.ended, heard.put) == ([], [0])


def test_a_step_is_recorded_whatever_it_gives_but_for_an_outage(running: Running) -> None:
    heard = Heard()
    step = Steps(running, heard)
    assert step("one", lambda: 1) == 1
    with pytest.raises(ValueError, match="two"):
        step("two", lambda: int("two"))
    with pytest.raises(Postponed):
        step("three", lambda: _raise(FULL))
    assert heard.recorded == [["one"], ["one", "two"]]
    again = Steps(running, heard)
    assert again("one", lambda: 7) == 1
    assert again("one", lambda: 7) == 7
    assert list(running.steps) == ["one", "two", "one#2"]


def test_no_step_begins_or_is_recorded_once_a_run_is_over(running: Running) -> None:
    heard = Heard()
    step = Steps(running, heard)

    def ends() -> int:
        running.is_over = True
        raise ValueError("interrupted")

    with pytest.raises(Abandoned):
        step("one", ends)
    with pytest.raises(Abandoned):
        step("two", lambda: 2)
    assert heard.recorded == []


def test_that_a_run_is_another_is_not_written_down() -> None:
    assert stored({CLAIM: AGAIN, "one": "1"}) == {"one": "1"}
    assert stored({CLAIM: '{"value": "x"}'}) == {CLAIM: '{"value": "x"}'}


def _raise(error: Exception) -> int:
    raise error
