"""The Socket Mode connection against the local Slack: each opening, and each frame that cannot be read, leaves a gap."""

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from slack_bolt import App

from bot.contact import Greeting, bolt_app, posting_client
from bot.contact.connections import SocketConnection
from bot.contact.ledger import Arrivals
from bot.listeners import Body
from config import load
from local_slack.testing import ANA, BOT, GENERAL, MENTION, SlackServer, slack_server
from tests.fakes import KeptQueue
from tests.intakes import intake_of
from tests.memories import opened
from tests.wait import until


@pytest.fixture
def slack() -> Iterator[SlackServer]:
    with slack_server() as server:
        yield server


@pytest.fixture
def bolt(slack: SlackServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    settings = load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    with opened(tmp_path_factory.mktemp("memory")) as memory:
        greeting = Greeting("Local", "datathread", slack.url, "T0LOCAL", BOT, "B0BOT")
        yield bolt_app(posting_client(settings), intake_of(memory, KeptQueue()), greeting, lambda _: None)


def test_openings_and_unread_frames_leave_gaps_and_a_broken_line_is_renewed(slack: SlackServer, bolt: App) -> None:
    gaps: list[float] = []
    arrivals = Arrivals()
    bodies: list[Body] = []

    def accept(body: Body, acknowledge: Callable[[], None]) -> None:
        bodies.append(body)
        acknowledge()

    with closing(SocketConnection(bolt, slack.app_token, 30, arrivals, gaps.append, accept)) as line:
        until(lambda: len(gaps) == 1, what="the first opening")
        slack.say(ANA, GENERAL, f"{MENTION} how many apps?")
        slack.wait_until_quiet()
        assert {body["event"]["type"] for body in bodies} == {"app_mention", "message"}
        until(lambda: arrivals.stored_until(5.0) == 5.0, what="nothing to be owed")
        line._client._on_error(ConnectionResetError())  # the SDK sees to that itself
        assert not line.is_broken()
        for _ in range(2):
            line._client._on_error(RecursionError())
        assert line.is_broken()
        assert len(gaps) == 2
        line.renew()
        until(lambda: len(gaps) == 3, what="the next opening")
        assert not line.is_broken()


def test_closing_waits_for_no_frame(slack: SlackServer, bolt: App) -> None:
    gaps: list[float] = []
    line = SocketConnection(bolt, slack.app_token, 3_000, Arrivals(), gaps.append, lambda _, acknowledge: acknowledge())
    until(lambda: gaps, what="the opening")
    session = line._client.current_session
    assert session is not None
    assert session.sock is not None
    session.sock.settimeout(3_000)  # the read under way ends within the SDK's few seconds, the next one does not
    slack.say(ANA, GENERAL, f"{MENTION} how many apps?")
    slack.wait_until_quiet()
    line.close()
    assert not session.is_active()
