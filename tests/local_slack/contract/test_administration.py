"""The life of a workspace and an install: archive, rename, deactivate, remove, revoke, uninstall, install again."""

from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from local_slack.testing import ANA, BEN, BOT, DM_OF, GENERAL, SALES, SlackServer
from tests.local_slack.contract.wire import wire_to

Json = dict[str, Any]


def events(slack: SlackServer, count: int, act: str, **facts: object) -> list[Json]:
    """The events that one control makes."""
    with wire_to(slack) as wire:
        slack.control(act, facts)
        found: list[Json] = [wire.envelope()["payload"]["event"] for _ in range(count)]
        slack.wait_until_quiet()
    return found


def refusal(client: WebClient, method: str, **arguments: object) -> str:
    with pytest.raises(SlackApiError) as refused:
        client.api_call(method, json=arguments)
    return str(refused.value.response["error"])


def test_nothing_is_said_in_an_archived_channel(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=["channel_archive", "channel_unarchive"])
    root = slack.say(ANA, GENERAL, "apps?")
    ts = client.chat_postMessage(channel=GENERAL, thread_ts=root, text="Reading the question…")["ts"]
    [event] = events(slack, 1, "archive", channel=GENERAL, user=ANA)
    assert (event["type"], event["channel"], event["user"]) == ("channel_archive", GENERAL, ANA)
    assert client.conversations_info(channel=GENERAL)["channel"]["is_archived"]
    assert refusal(client, "chat.postMessage", channel=GENERAL, thread_ts=root, text="49") == "is_archived"
    assert refusal(client, "chat.postEphemeral", channel=GENERAL, user=ANA, text="49") == "is_archived"
    assert refusal(client, "chat.update", channel=GENERAL, ts=ts, text="49") == "is_inactive"
    assert client.conversations_replies(channel=GENERAL, ts=root)["ok"]
    [event] = events(slack, 1, "archive", channel=GENERAL, undo=True)
    assert event["type"] == "channel_unarchive"
    assert client.chat_update(channel=GENERAL, ts=ts, text="49")["ok"]


def test_a_channel_is_renamed(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=["channel_rename"])
    [event] = events(slack, 1, "rename", channel=SALES, name="revenue")
    assert (event["type"], event["channel"]["id"], event["channel"]["name"]) == ("channel_rename", SALES, "revenue")
    assert client.chat_postMessage(channel="#revenue", text="hello")["channel"] == SALES


def test_a_person_is_deactivated(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=["user_change"])
    [event] = events(slack, 1, "deactivate", user=BEN)
    assert (event["user"]["id"], event["user"]["deleted"]) == (BEN, True)
    assert client.users_info(user=BEN)["user"]["deleted"]
    assert BEN not in client.conversations_members(channel=GENERAL)["members"]
    assert refusal(client, "conversations.open", users=BEN) == "user_disabled"
    assert refusal(client, "chat.postMessage", channel=BEN, text="hello") == "channel_not_found"
    assert refusal(client, "chat.postEphemeral", channel=GENERAL, user=BEN, text="hello") == "user_not_in_channel"


def test_the_bot_is_removed_from_a_channel(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=["member_left_channel", "channel_left"])
    ts = client.chat_postMessage(channel=SALES, text="Reading the question…")["ts"]
    left, told = events(slack, 2, "leave", user=BOT, channel=SALES)
    assert (left["type"], left["user"]) == ("member_left_channel", BOT)
    assert (told["type"], told["channel"]) == ("channel_left", SALES)
    for method in ("chat.postMessage", "chat.update", "conversations.replies"):
        assert refusal(client, method, channel=SALES, ts=ts, text="49") == "not_in_channel"
    assert client.conversations_info(channel=SALES)["channel"]["is_member"] is False


def test_an_uninstalled_app_is_told_so_and_nothing_more(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=["message.im", "tokens_revoked", "app_uninstalled"])
    with wire_to(slack) as wire:
        slack.control("revoke", {"uninstall": True})
        found = [wire.envelope()["payload"]["event"] for _ in range(2)]
        slack.say(ANA, DM_OF[ANA], "anybody there?")
        slack.wait_until_quiet()
    assert found == [
        {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [BOT]}, "event_ts": found[0]["event_ts"]},
        {"type": "app_uninstalled", "event_ts": found[1]["event_ts"]},
    ]
    assert slack.state()["counts"]["deliveries"] == 2
    assert refusal(client, "auth.test") == "account_inactive"


def test_events_of_an_install_come_only_to_subscribers(slack: SlackServer) -> None:
    slack.app(event_types=["message.im"])
    slack.control("revoke", {"uninstall": True})
    assert slack.state()["counts"]["deliveries"] == 0


def test_a_revoked_token_is_replaced_by_installing_again(slack: SlackServer, client: WebClient) -> None:
    slack.control("revoke", {})
    assert refusal(client, "chat.postMessage", channel=GENERAL, text="49") == "token_revoked"
    token = slack.control("install", {})["token"]
    again = WebClient(token=token, base_url=slack.api_url)
    assert again.chat_postMessage(channel=GENERAL, text="49")["ok"]


def test_too_many_events_are_told(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        slack.control("rate_limited", {})
        told = wire.envelope()["payload"]
        slack.wait_until_quiet()
    assert (told["type"], told["team_id"], told["minute_rate_limited"] % 60) == ("app_rate_limited", "T0LOCAL", 0)
