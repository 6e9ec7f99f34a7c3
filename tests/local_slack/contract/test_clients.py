"""The unmodified clients of slack-sdk, running against the local Slack over the wire."""

import asyncio
from importlib import import_module
from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.http_retry.builtin_handlers import ConnectionErrorRetryHandler, RateLimitErrorRetryHandler
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from local_slack.testing import ANA, GENERAL, MENTION, SlackServer
from tests.local_slack.contract.wire import let_go


@pytest.mark.parametrize("module", ["slack_sdk.socket_mode.builtin", "slack_sdk.socket_mode.websocket_client"])
def test_socket_mode_clients(slack: SlackServer, module: str) -> None:
    web_client = WebClient(token=slack.bot_token, base_url=slack.api_url)
    client = import_module(module).SocketModeClient(app_token=slack.app_token, web_client=web_client)
    seen: list[SocketModeRequest] = []

    def listener(client: Any, request: SocketModeRequest) -> None:
        seen.append(request)
        client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))

    client.socket_mode_request_listeners.append(listener)
    client.connect()
    try:
        slack.wait_for_connections(1)
        ts = slack.say(ANA, GENERAL, f"{MENTION} hello")
        slack.wait_until_quiet()
    finally:
        let_go(client.close)
    assert [(request.payload["event"]["type"], request.payload["event"]["ts"]) for request in seen] == both_events(ts)


@pytest.mark.parametrize("module", ["slack_sdk.socket_mode.aiohttp", "slack_sdk.socket_mode.websockets"])
def test_asynchronous_socket_mode_clients(slack: SlackServer, module: str) -> None:
    seen: list[SocketModeRequest] = []

    async def listener(client: Any, request: SocketModeRequest) -> None:
        seen.append(request)
        await client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))

    async def listen() -> str:
        web_client = import_module("slack_sdk.web.async_client").AsyncWebClient(slack.bot_token, slack.api_url)
        client = import_module(module).SocketModeClient(app_token=slack.app_token, web_client=web_client)
        client.socket_mode_request_listeners.append(listener)
        await client.connect()
        try:
            await asyncio.to_thread(slack.wait_for_connections, 1)
            ts = await asyncio.to_thread(slack.say, ANA, GENERAL, f"{MENTION} hello")
            await asyncio.to_thread(slack.wait_until_quiet)
            return ts
        finally:
            await client.close()

    ts = asyncio.run(listen())
    assert [(request.payload["event"]["type"], request.payload["event"]["ts"]) for request in seen] == both_events(ts)


def test_the_asynchronous_web_client(slack: SlackServer) -> None:
    async def converse() -> None:
        client = import_module("slack_sdk.web.async_client").AsyncWebClient(slack.bot_token, slack.api_url)
        ts = (await client.chat_postMessage(channel=GENERAL, text="49"))["ts"]
        await client.reactions_add(channel=GENERAL, timestamp=ts, name="eyes")
        await client.files_upload_v2(filename="a.csv", content="a", channel=GENERAL, thread_ts=ts)
        assert (await client.users_info(user=ANA))["user"]["id"] == ANA
        assert len((await client.conversations_replies(channel=GENERAL, ts=ts))["messages"]) == 2

    asyncio.run(converse())


def test_a_message_is_posted_twice_when_the_client_repeats_what_it_got_no_answer_to(slack: SlackServer) -> None:
    slack.fault("chat.postMessage", "drop_after")
    client = WebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=[ConnectionErrorRetryHandler()])
    client.chat_postMessage(channel=GENERAL, text="hello")
    assert [message["text"] for message in slack.messages(GENERAL)] == ["hello", "hello"]
    assert [call["outcome"] for call in slack.calls()] == ["drop_after", "ok"]


def test_the_client_waits_as_long_as_it_is_told(slack: SlackServer) -> None:
    slack.fault("chat.postMessage", "ratelimited", retry_after=0)
    client = WebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=[RateLimitErrorRetryHandler()])
    client.chat_postMessage(channel=GENERAL, text="hello")
    assert [call["outcome"] for call in slack.calls()] == ["ratelimited", "ok"]
    assert len(slack.messages(GENERAL)) == 1


def both_events(ts: str) -> list[tuple[str, str]]:
    """What one mention in a channel makes."""
    return [("message", ts), ("app_mention", ts)]
