"""An unmodified Bolt app in Socket Mode, all the way from a person's message to the bot's reply."""

from collections.abc import Iterator
from typing import Any

import pytest
from slack_bolt import App, Say
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

from local_slack.testing import ANA, BEN, DM_OF, GENERAL, MENTION, PRODUCT, SlackServer, slack_server
from tests.local_slack.contract.wire import let_go


@pytest.fixture(scope="module")
def slack_with_bot() -> Iterator[SlackServer]:
    """A local Slack with a Bolt app that repeats mentions and direct messages in their thread."""
    with slack_server() as slack:
        app = App(client=WebClient(token=slack.bot_token, base_url=slack.api_url))
        app.event("app_mention")(_echo)
        app.event("message")(_echo_direct_messages)
        handler = SocketModeHandler(app, slack.app_token)
        handler.connect()  # type: ignore[no-untyped-call]
        slack.wait_for_connections(1)
        yield slack
        let_go(handler.close)


@pytest.fixture
def slack(slack_with_bot: SlackServer) -> SlackServer:
    slack_with_bot.reset()
    return slack_with_bot


def test_a_mention_is_answered_in_its_thread(slack: SlackServer) -> None:
    ts = slack.say(ANA, GENERAL, f"{MENTION} how many apps?")
    reply = slack.wait_for_reply(GENERAL, ts)
    slack.wait_until_quiet()
    assert reply["text"] == f"You said: {MENTION} how many apps?"
    assert reply["parent_user_id"] == ANA
    assert len(slack.replies(GENERAL, ts)) == 1


def test_a_direct_message_is_answered(slack: SlackServer) -> None:
    ts = slack.say(BEN, DM_OF[BEN], "how many apps?")
    assert slack.wait_for_reply(DM_OF[BEN], ts)["text"] == "You said: how many apps?"
    slack.wait_until_quiet()
    assert {delivery["type"] for delivery in slack.deliveries()} == {"message"}


def test_equal_thread_timestamps_of_two_channels_stay_apart(slack: SlackServer) -> None:
    ts = slack.say(ANA, GENERAL, f"{MENTION} one", ts="1730000000.000100")
    slack.say(BEN, PRODUCT, f"{MENTION} two", ts=ts)
    texts = [slack.wait_for_reply(channel, ts)["text"] for channel in (GENERAL, PRODUCT)]
    assert texts == [f"You said: {MENTION} one", f"You said: {MENTION} two"]


def test_nothing_is_lost_when_slack_asks_for_a_new_connection(slack: SlackServer) -> None:
    asked = []
    for number in range(20):
        if number in {5, 12}:
            slack.disconnect()
            slack.wait_for_connections(1)
        asked.append(slack.say(ANA, GENERAL, f"{MENTION} {number}"))
    assert all(slack.wait_for_reply(GENERAL, ts) for ts in asked)
    slack.wait_until_quiet()
    assert slack.state()["given_up"] == 0


def _echo(event: dict[str, Any], say: Say) -> None:
    say(text=f"You said: {event['text']}", thread_ts=event.get("thread_ts") or event["ts"])


def _echo_direct_messages(event: dict[str, Any], say: Say) -> None:
    if event["channel_type"] == "im":
        _echo(event, say)
