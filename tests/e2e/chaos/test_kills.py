"""Bots die without a word, with questions in every stage of their way: each is answered once, in its place."""

import signal
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from local_slack.testing import slack_server
from tests.e2e.chaos.crowd import Crowd, Verdict
from tests.e2e.chaos.fleet import fleet
from tests.postgres import Postgres
from tests.processes import family
from tests.wait import until

pytestmark = pytest.mark.timeout(300)  # for machines that have much else to do

TAKEOVER_SECONDS = 5.0
SAFETY = 4  # machines that tests run on may be that much slower than they are when they have nothing else to do
SEED = 20_261_122
FAMILY = 4  # the parent, the receiver and two workers


@dataclass(frozen=True)
class Load:
    """How much is asked: `kills` times so many `threads`; then so many `messages` in each thread, of `bots`."""

    kills: int = 1
    threads: int = 12
    messages: int = 1
    bots: int = 2


def short_and_long(short: Load, long: Load) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "load",
        [
            pytest.param(short, id="short", marks=pytest.mark.slow),
            pytest.param(long, id="long", marks=[pytest.mark.chaos, pytest.mark.timeout(900)]),
        ],
    )


@short_and_long(Load(kills=2), Load(kills=6, threads=50))
def test_every_question_is_answered_once_however_often_the_bot_is_killed(
    load: Load, tmp_path: Path, state_url: str | None
) -> None:
    """Each event comes twice, and posts are slow, so that a kill hits them between Slack and the bot."""
    chance = Random(SEED)
    with slack_server() as slack, fleet(slack, tmp_path, url=state_url) as bots:
        slack.duplicate_deliveries()
        crowd = Crowd(slack)
        for _ in range(load.kills):
            slack.fault("chat.postMessage", "slow", times=load.threads, seconds=0.2)
            done = crowd.answered()
            crowd.begin(load.threads)
            crowd.wait(done + chance.randrange(load.threads))
            bots.kill()
            bots.restart()
        crowd.wait(timeout=180)
        assert crowd.verdict() == Verdict()


@short_and_long(Load(bots=2, threads=8, messages=2), Load(bots=4, threads=50, messages=4))
def test_what_a_dead_replica_was_at_another_one_finishes(load: Load, tmp_path: Path, server: Postgres) -> None:
    with slack_server() as slack, fleet(slack, tmp_path, load.bots, server.new_database()) as bots:
        crowd = Crowd(slack)
        threads = crowd.begin(load.threads)
        slack.wait_until_quiet()
        for _ in range(load.messages - 1):
            crowd.go_on(threads)
            slack.wait_until_quiet()
        crowd.wait(load.threads // 2)
        bots.kill()
        crowd.wait(timeout=180)
        assert crowd.verdict() == Verdict()


@pytest.mark.slow
def test_another_replica_takes_over_within_seconds(tmp_path: Path, server: Postgres) -> None:
    """A bot waits to hear of its post and dies, for good; the other one finds out that it arrived."""
    with slack_server() as slack, fleet(slack, tmp_path, 1, server.new_database()) as bots:
        crowd = Crowd(slack)
        slack.fault("chat.postMessage", "slow", seconds=60)
        (thread,) = crowd.begin(1)
        slack.wait_for_reply(crowd.channel, thread)
        bots.add()
        bots.kill()
        dead = monotonic()
        crowd.wait()
        assert monotonic() - dead < TAKEOVER_SECONDS * SAFETY
        assert crowd.verdict() == Verdict()


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
@pytest.mark.parametrize("dying", ["receiver", "worker 1", "worker"])
def test_a_process_that_dies_or_hangs_is_started_anew_and_its_work_handed_on(
    dying: str, how: signal.Signals, tmp_path: Path, state_url: str | None
) -> None:
    """The receiver dies with events on their way, a worker with turns under way; the others go on."""
    with slack_server() as slack, fleet(slack, tmp_path, url=state_url, PROCESSES="2") as bots:
        crowd = Crowd(slack)
        slack.fault("chat.postMessage", "slow", times=8, seconds=0.3)
        threads = crowd.begin(8)
        crowd.wait(2)
        died = bots.bots[0].signal(how, dying)
        crowd.go_on(threads)
        crowd.wait(timeout=180)
        assert crowd.verdict() == Verdict()
        assert died
        until(lambda: not set(died) & set(family(bots.bots[0].pid)), what="the dead to be gone")
        assert len(family(bots.bots[0].pid)) == FAMILY


@short_and_long(Load(bots=2, threads=10, messages=4), Load(bots=4, threads=50, messages=10))
def test_the_questions_of_a_thread_are_answered_in_order(load: Load, tmp_path: Path, server: Postgres) -> None:
    with slack_server() as slack, fleet(slack, tmp_path, load.bots, server.new_database()) as _:
        slack.duplicate_deliveries()
        crowd = Crowd(slack)
        threads = crowd.begin(load.threads)
        slack.wait_until_quiet()
        for _ in range(load.messages - 1):
            crowd.go_on(threads)
            slack.wait_until_quiet()  # people write one after the other
        crowd.wait(timeout=300)
        assert crowd.verdict() == Verdict()
