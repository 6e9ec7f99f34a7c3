"""The whole flow with a request URL instead of Socket Mode: no app-level token, every request signed."""

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from local_slack.testing import SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, is_status
from tests.wait import until


class HttpBot(BotProcess):
    """A bot that Slack reaches at its own address."""

    def __init__(self, slack: SlackServer, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{probe.getsockname()[1]}"
        port = self.url.rpartition(":")[2]
        secret = {"SLACK_APP_TOKEN": "", "SLACK_SIGNING_SECRET": "local-signing-secret"}
        super().__init__(slack, folder, HTTP_PORT=port, **secret)

    def _connections(self) -> int:
        try:
            with urlopen(f"{self.url}/healthz", timeout=5):
                return 1
        except (URLError, ConnectionError, TimeoutError):
            return 0


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[HttpBot]:
    with slack_server() as slack, HttpBot(slack, tmp_path) as started:
        slack.control("request_url", {"url": f"{started.url}/slack/events"})
        yield started


def test_a_conversation_over_http(bot: HttpBot) -> None:
    slack = bot.slack
    slack.duplicate_deliveries()
    thread = Conversation(slack)
    assert "49" in thread.ask("how many apps do we have?")["text"]
    assert "21" in thread.ask("what about iOS?")["text"]
    offered = thread.ask("show me the SQL for the zebras")
    thread.press(offered, "how many apps do we have?")
    slack.wait_until_quiet()
    assert len(thread.replies()) == 4
    assert slack.state()["connections"] == 0
    with pytest.raises(URLError):
        urlopen(f"{bot.url}/slack/events", b"{}", timeout=5)


def test_what_was_asked_while_the_bot_was_down_is_answered_once(bot: HttpBot) -> None:
    thread = Conversation(bot.slack)
    thread.ask("how many apps do we have?")
    bot.kill()
    thread.say("what about iOS?")
    bot.start()
    assert "21" in until(lambda: thread.answers()[1:], 60, "the answer to what was asked meanwhile")[0]["text"]
    bot.slack.wait_until_quiet(60)
    assert [is_status(reply) for reply in thread.replies()] == [False, False]
