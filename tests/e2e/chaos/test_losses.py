"""Questions asked while they could not be written down: each is answered once, in its place, without being asked again.

Slack gives up soon here, so that nothing comes by itself once the trouble is over.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic

import pytest

from local_slack.testing import ANA, SlackServer, slack_server
from tests.e2e.chaos.crowd import Crowd, Verdict
from tests.e2e.chaos.fleet import fleet
from tests.postgres import Postgres
from tests.wait import until

pytestmark = pytest.mark.timeout(300)  # for machines that have much else to do

SOON = {"events.retry_2": 1.0, "events.retry_3": 1.0}  # seconds after which Slack tries again: then it gives up
TOLD_SECONDS = 5.0
SAFETY = 3  # machines that tests run on have much else to do
SEED = 20_261_123
SLOW, CHAOS = [pytest.mark.slow], [pytest.mark.chaos, pytest.mark.timeout(1500)]


@contextmanager
def forgetful_slack() -> Iterator[SlackServer]:
    """A Slack that has given an event up four seconds after the bot did not take it."""
    with slack_server("--redeliver-after", "0.5") as slack:
        slack.rules(SOON)
        yield slack


def seconds(short: float, long: float) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "away", [pytest.param(short, id="short", marks=SLOW), pytest.param(long, id="long", marks=CHAOS)]
    )


def pause(away: float) -> None:
    """Let the trouble last."""
    Event().wait(away)


def most_lines(away: float) -> int:
    """Return how much an outage of so many seconds may write."""
    return 20 * ceil(away / 60)


@seconds(10.0, 600.0)
def test_what_is_asked_while_the_database_is_away_is_answered(tmp_path: Path, server: Postgres, away: float) -> None:
    with forgetful_slack() as slack, fleet(slack, tmp_path, 1, server.new_database()) as bots:
        crowd = Crowd(slack)
        crowd.begin(2)
        crowd.wait()
        before = bots.complaints()
        server.stop()
        asked = monotonic()
        crowd.begin(6)
        assert "I could not write your question down" in slack.wait_for_ephemeral(ANA, 6)["text"]
        assert monotonic() - asked < TOLD_SECONDS * SAFETY
        pause(away)
        assert bots.complaints() - before <= most_lines(away), bots.log
        server.start()
        crowd.wait(timeout=120)
        assert crowd.verdict() == Verdict()


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A file system of its own for the data, where this may be made."""
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True)
    if made.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Write until no byte is left; return the file to remove."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while file.write(b"\0" * size) == size:
                    pass
            except OSError:
                continue
    return filler


@pytest.mark.slow
@pytest.mark.parametrize("restarts", [False, True], ids=["stays", "restarts"])
def test_what_is_asked_while_the_disk_is_full_is_answered(tmp_path: Path, restarts: bool) -> None:
    with forgetful_slack() as slack, small_disk(tmp_path / "data", "24m") as disk, fleet(slack, tmp_path) as bots:
        crowd = Crowd(slack)
        crowd.begin(2)
        crowd.wait()
        filler = fill(disk)
        crowd.begin(10)
        slack.wait_until_quiet()
        pause(3)
        if restarts:
            bots.kill()
        filler.unlink()
        if restarts:
            bots.restart()
        crowd.wait(timeout=90)
        assert crowd.verdict() == Verdict()


@seconds(15.0, 50.0)
def test_what_a_frozen_replica_was_told_is_answered(tmp_path: Path, server: Postgres, away: float) -> None:
    """One of two hangs; what Slack tells it again and again is given up meanwhile."""
    with forgetful_slack() as slack, fleet(slack, tmp_path, 2, server.new_database()) as bots:
        crowd = Crowd(slack)
        threads = crowd.begin(8)
        crowd.wait()
        slack.wait_until_quiet()
        until(
            lambda: bots.log.count(": answered") == len(threads), what="the turns to be over: a frozen one keeps them"
        )
        pause(1)
        with bots.frozen(0):
            crowd.go_on(threads)
            crowd.begin(8)
            slack.wait_until_quiet()
            crowd.go_on(threads)
            pause(away)
            crowd.wait(timeout=60)  # the other one finds them
        crowd.wait(timeout=90)
        assert crowd.verdict() == Verdict()


@pytest.mark.parametrize(
    ("kills", "threads"),
    [pytest.param(2, 8, id="short", marks=SLOW), pytest.param(6, 12, id="long", marks=CHAOS)],
)
def test_threads_stay_in_order_however_often_the_bot_is_killed(
    tmp_path: Path, state_url: str | None, kills: int, threads: int
) -> None:
    """People go on in all threads while the bot is away, comes back and looks for what it missed."""
    chance = Random(SEED)
    with forgetful_slack() as slack, fleet(slack, tmp_path, url=state_url) as bots:
        crowd = Crowd(slack)
        known = crowd.begin(threads)
        crowd.wait(timeout=120)
        for _ in range(kills):
            slack.duplicate_deliveries(chance.random() < 0.5)
            crowd.go_on(chance.sample(known, threads // 2))
            pause(chance.random() * 0.5)
            bots.kill()
            crowd.go_on(known)
            bots.launch_again()
            crowd.go_on(known)
            until(bots.is_connected, 60, "the bot to connect")
            crowd.go_on(known)
        crowd.wait(timeout=800)
        assert crowd.verdict() == Verdict()
