"""The machine fails under the bots, in one way or in several at once: each question is answered once, in its place."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from local_slack.testing import SlackServer
from tests.e2e.chaos.crowd import Crowd, Verdict
from tests.e2e.chaos.faults import Machine, machine_in
from tests.e2e.chaos.fleet import Fleet, fleet
from tests.e2e.chaos.test_losses import CHAOS, SLOW, forgetful_slack, most_lines, pause, seconds
from tests.wait import until

pytestmark = pytest.mark.timeout(300)  # for machines that have much else to do

HOUR = 3600.0
SEED = 20_261_124


@dataclass
class Scene:
    """A Slack, bots, their machine, and people who ask."""

    slack: SlackServer
    bots: Fleet
    machine: Machine
    crowd: Crowd
    chance: Random


@contextmanager
def scene(folder: Path, url: str | None, size: int = 1) -> Iterator[Scene]:
    machine = machine_in(folder)
    with forgetful_slack() as slack, fleet(slack, folder, size, url, **machine.settings) as bots:
        yield Scene(slack, bots, machine, Crowd(slack), Random(SEED))


def ask_during(at: Scene, trouble: Callable[[], None], threads: int = 6) -> None:
    """Ask before the trouble, in it and after it, in threads old and new."""
    known = at.crowd.begin(threads)
    at.crowd.wait(timeout=120)
    at.crowd.go_on(known)
    trouble()
    at.crowd.go_on(known)
    at.crowd.wait(timeout=600)
    assert at.crowd.verdict() == Verdict(), at.crowd.outcomes()


@seconds(10.0, 60.0)
def test_a_slow_disk_delays_answers_and_loses_none(tmp_path: Path, away: float) -> None:
    with scene(tmp_path, None) as at:

        def trouble() -> None:
            with at.machine.slow_disk(0.5):
                at.crowd.begin(4)
                pause(away)

        ask_during(at, trouble)


@seconds(8.0, 120.0)
def test_what_is_asked_while_the_disk_is_read_only_is_answered(tmp_path: Path, away: float) -> None:
    with scene(tmp_path, None) as at:

        def trouble() -> None:
            before = at.bots.complaints()
            with at.machine.read_only_disk():
                at.crowd.begin(4)
                pause(away)
            assert at.bots.complaints() - before <= most_lines(away), at.bots.log

        ask_during(at, trouble)


@pytest.mark.slow
@pytest.mark.parametrize("jump", [HOUR, -HOUR, 30 * 24 * HOUR], ids=["hour ahead", "hour behind", "month ahead"])
def test_a_clock_that_jumps_changes_nothing(tmp_path: Path, state_url: str | None, jump: float) -> None:
    with scene(tmp_path, state_url, 2) as at:

        def trouble() -> None:
            with at.machine.clock_ahead(jump):
                at.crowd.wait(timeout=120)
                at.crowd.begin(4)
                pause(3)

        ask_during(at, trouble)


@pytest.mark.slow
def test_three_faults_at_once(tmp_path: Path, state_url: str | None) -> None:
    """A bot dies while the disk is slow, the clock an hour ahead and Slack refuses half of what it is asked."""
    with scene(tmp_path, state_url, 2) as at:

        def trouble() -> None:
            with at.machine.slow_disk(0.3):
                at.crowd.begin(4)
                pause(1)
                at.bots.kill()
                at.slack.fault("*", "server_error", times=10)
                with at.machine.clock_ahead(HOUR):
                    at.crowd.begin(2)
                    pause(1)
            at.bots.restart()

        ask_during(at, trouble)


@contextmanager
def killed(at: Scene) -> Iterator[None]:
    at.bots.kill(0)
    yield
    at.bots.launch_again(0)


def hanging(at: Scene) -> AbstractContextManager[None]:
    return at.bots.frozen(1)


def slow(at: Scene) -> AbstractContextManager[None]:
    return at.machine.slow_disk(0.2)


def read_only(at: Scene) -> AbstractContextManager[None]:
    return at.machine.read_only_disk()


def jumping(at: Scene) -> AbstractContextManager[None]:
    return at.machine.clock_ahead(at.chance.choice([-HOUR, -60, 60, HOUR]))


@contextmanager
def doubling(at: Scene) -> Iterator[None]:
    at.slack.duplicate_deliveries()
    yield
    at.slack.duplicate_deliveries(False)


@contextmanager
def disconnected(at: Scene) -> Iterator[None]:
    at.slack.disconnect()
    yield


@contextmanager
def refusing(at: Scene) -> Iterator[None]:
    at.slack.fault("*", at.chance.choice(["unavailable", "server_error"]), times=10)
    yield


@contextmanager
def unheard(at: Scene) -> Iterator[None]:
    at.slack.fault("chat.postMessage", "drop_after", times=5)
    yield


FAULTS = (killed, hanging, slow, read_only, jumping, doubling, disconnected, refusing, unheard)


@pytest.mark.parametrize(
    ("mentions", "faults"),
    [pytest.param(60, 4, id="short", marks=SLOW), pytest.param(1000, 20, id="long", marks=CHAOS)],
)
def test_random_faults_lose_double_and_reorder_nothing(
    tmp_path: Path, state_url: str | None, mentions: int, faults: int
) -> None:
    """A round begins threads and goes on in those of the round before; at any instant of it one to three faults begin."""
    with scene(tmp_path, state_url, 2) as at:
        known = at.crowd.begin(mentions // faults // 2)
        for number in range(faults):
            at.crowd.wait(timeout=200)  # a reply that overtakes the first mention of its thread is talk among people
            chosen = at.chance.sample(FAULTS, 3 if number % 4 == 3 else 1)
            print(number, [fault.__name__ for fault in chosen])  # noqa: T201 - for a look at a failing run
            begun = at.crowd.begin(len(known))
            pause(at.chance.uniform(0, 1))
            with ExitStack() as held:
                for fault in sorted(chosen, key=lambda one: one is not killed):  # while its line is its only one
                    held.enter_context(fault(at))
                at.crowd.go_on(known)
                pause(at.chance.uniform(0.5, 5))
            until(at.bots.is_connected, 90, "the bots to connect")
            known = begun
        at.crowd.wait(timeout=200)
        assert at.crowd.verdict() == Verdict()
