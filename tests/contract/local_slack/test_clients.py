"""The unmodified clients of slack-sdk, running against the local Slack over the wire."""

import importlib.util

import pytest
from slack_sdk import WebClient
from slack_sdk.http_retry.builtin_handlers import ConnectionErrorRetryHandler, RateLimitErrorRetryHandler
from slack_sdk.socket_mode import SocketModeClient
from slack_sdk.socket_mode.client import BaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from tests.slack_server import ANA, GENERAL, MENTION, SlackServer
from tests.wait import until


def test_the_builtin_socket_mode_client(slack: SlackServer) -> None:
    seen: list[SocketModeRequest] = []

    def listener(client: BaseSocketModeClient, request: SocketModeRequest) -> None:
        seen.append(request)
        client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))

    web_client = WebClient(token=slack.bot_token, base_url=slack.api_url)
    client = SocketModeClient(app_token=slack.app_token, web_client=web_client)
    client.socket_mode_request_listeners.append(listener)
    client.connect()
    try:
        ts = slack.say(ANA, GENERAL, f"{MENTION} hello")
        until(lambda: len(seen) == 2)
        slack.wait_until_quiet()
    finally:
        client.close()
    assert [request.payload["event"]["type"] for request in seen] == ["message", "app_mention"]
    assert {request.payload["event"]["ts"] for request in seen} == {ts}


@pytest.mark.parametrize(
    ("module", "needs"),
    [
        ("slack_sdk.web.async_client", "aiohttp"),
        ("slack_sdk.socket_mode.aiohttp", "aiohttp"),
        ("slack_sdk.socket_mode.websockets", "aiohttp"),
        ("slack_sdk.socket_mode.websocket_client", "websocket"),
    ],
)
def test_clients_that_need_a_package_of_their_own(module: str, needs: str) -> None:
    if importlib.util.find_spec(needs) is None:
        pytest.skip(f"{module} needs {needs}, which is not installed")
    pytest.fail(f"{needs} is installed now: {module} must be run against the local Slack here")


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
