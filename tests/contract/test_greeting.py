"""The first call to Slack: trouble over there is waited out, a refused token is not."""

import pytest
from slack_sdk import WebClient

from ai.errors import ConfigError, SourceUnavailable
from bot.contact import Greeting, greeted
from local_slack.testing import BOT, slack_server

SOON = (0.0,) * 4


@pytest.mark.parametrize("kind", ["unavailable", "server_error"])
def test_a_slack_in_trouble_is_asked_again(kind: str) -> None:
    with slack_server() as slack:
        client = WebClient(slack.bot_token, base_url=slack.api_url, retry_handlers=[])
        slack.fault("auth.test", kind, times=3)
        assert greeted(client, SOON) == Greeting("Datathread demo", "datathread", slack.url, "T0LOCAL", BOT, "B0BOT")
        slack.fault("auth.test", kind, times=9)
        with pytest.raises(SourceUnavailable, match="does not answer"):
            greeted(client, SOON)


def test_a_refused_token_is_said_at_once() -> None:
    with slack_server() as slack:
        client = WebClient("xoxb-of-nobody", base_url=slack.api_url)
        with pytest.raises(ConfigError, match=r"refuses SLACK_BOT_TOKEN \(invalid_auth\)"):
            greeted(client, SOON)
        assert len(slack.calls("auth.test")) <= 1
