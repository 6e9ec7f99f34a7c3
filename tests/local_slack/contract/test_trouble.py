"""What is made to go wrong by control, and how it looks to the app: failing calls, disorder on the way, HTTP retries, time."""

import hashlib
import hmac
import json
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.signature import SignatureVerifier
from websockets.exceptions import ConnectionClosed

from local_slack.testing import ANA, BOT, DM_OF, EXTERNAL, GENERAL, GUEST, PARTNERS, SALES, SlackServer, slack_server
from tests.local_slack.contract.inbox import inbox
from tests.local_slack.contract.wire import wire_to
from tests.wait import until

Json = dict[str, Any]

SECRET = "local-signing-secret"


# --- calls


def test_a_call_can_be_dropped_before_it_is_done(slack: SlackServer, client: WebClient) -> None:
    slack.fault("chat.postMessage", "drop_before")
    with pytest.raises(RemoteDisconnected):
        client.chat_postMessage(channel=GENERAL, text="hello")
    assert slack.messages(GENERAL) == []


def test_any_error_can_be_answered_by_any_method(slack: SlackServer, client: WebClient) -> None:
    slack.fault("*", "error", error="invalid_blocks")
    with pytest.raises(SlackApiError, match="invalid_blocks"):
        client.chat_postMessage(channel=GENERAL, text="hello")
    assert client.chat_postMessage(channel=GENERAL, text="hello")["ok"]


def test_an_answer_can_be_slow(slack: SlackServer, client: WebClient) -> None:
    slack.fault("chat.postMessage", "slow", seconds=0.2)
    began = monotonic()
    client.chat_postMessage(channel=GENERAL, text="hello")
    assert monotonic() - began >= 0.2
    assert len(slack.messages(GENERAL)) == 1


def test_slow_answers_can_be_let_go(slack: SlackServer, client: WebClient) -> None:
    slack.fault("chat.postMessage", "slow", seconds=60)
    with ThreadPoolExecutor(1) as pool:
        posted = pool.submit(client.chat_postMessage, channel=GENERAL, text="hello")
        slack.wait_for(lambda: bool(slack.messages(GENERAL)), "the message to be there")
        assert not posted.done()
        slack.let_go()
        assert posted.result(10)["ok"]


# --- deliveries


def test_events_come_late(slack: SlackServer) -> None:
    slack.control("disorder", {"delay": 0.2})
    began = monotonic()
    with wire_to(slack) as wire:
        slack.say(ANA, GENERAL, "hello")
        wire.envelope()
        slack.wait_until_quiet()
    assert monotonic() - began >= 0.2


def test_events_come_backwards(slack: SlackServer) -> None:
    slack.control("disorder", {"reverse": 3})
    with wire_to(slack) as wire:
        said = [slack.say(ANA, GENERAL, str(number)) for number in range(4)]
        got = [payload["event"]["ts"] for payload in wire.payloads(lambda found: len(found) == 4)]
        slack.wait_until_quiet()
    assert got == [said[2], said[1], said[0], said[3]]


def test_a_restart_cuts_connections_and_keeps_what_was_said(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        slack.control("restart", {})
        with pytest.raises(ConnectionClosed):
            wire.frame()
    slack.wait_for_connections(0)
    ts = slack.say(ANA, GENERAL, "still here?")
    with wire_to(slack) as again:
        assert again.envelope()["payload"]["event"]["ts"] == ts
        slack.wait_until_quiet()


def test_what_was_said_survives_the_process(tmp_path: Path) -> None:
    data = tmp_path / "slack.json"
    with slack_server("--data", str(data)) as first:
        client = WebClient(token=first.bot_token, base_url=first.api_url)
        root = first.say(ANA, GENERAL, "apps?")
        answer = client.chat_postMessage(channel=GENERAL, thread_ts=root, text="49", metadata=turn())["ts"]
        client.files_upload_v2(filename="a.csv", content="name", channel=GENERAL, thread_ts=root)
        client.reactions_add(channel=GENERAL, timestamp=root, name="eyes")
        client.chat_startStream(channel=GENERAL, thread_ts=root, recipient_team_id="T", recipient_user_id=ANA)
        before = first.messages(GENERAL)
    with slack_server("--data", str(data)) as second:
        after = second.messages(GENERAL)
        assert second.download(second.files(GENERAL, root)[0]) == b"name"
        assert second.say(ANA, GENERAL, "more", thread_ts=root) > answer
    assert without_addresses(after) == without_addresses(before)
    assert [message.get("streaming_state") for message in after] == [None, None, None, "expired"]


def test_a_file_that_holds_no_workspace_is_a_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "slack.json"
    data.write_text("[]")
    with pytest.raises(AssertionError, match="did not start"), slack_server("--data", str(data)):
        pass
    assert capfd.readouterr().err.startswith(f"{data} holds no workspace (")


def turn() -> Json:
    return {"event_type": "turn", "event_payload": {"id": 7}}


def without_addresses(messages: list[Json]) -> list[Json]:
    """The port is another one, and a stream that was running is no more."""
    text = json.dumps(messages).replace("in_progress", "expired")
    found: list[Json] = json.loads(text, object_hook=lambda one: {k: v for k, v in one.items() if "http" not in str(v)})
    return found


# --- HTTP mode


def test_a_request_is_signed_and_repeated_until_it_is_taken(slack: SlackServer) -> None:
    with inbox() as app:
        slack.control("request_url", {"url": app.url})
        app.statuses = [500]
        ts = slack.say(ANA, GENERAL, "hello")
        slack.wait_until_quiet()
        slack.reset()
    (first, body), (second, again) = app.received
    assert json.loads(body)["event"]["ts"] == ts
    assert body == again
    assert SignatureVerifier(SECRET).is_valid_request(body, first)
    base = f"v0:{first['x-slack-request-timestamp']}:{body}".encode()
    assert first["x-slack-signature"] == "v0=" + hmac.new(SECRET.encode(), base, hashlib.sha256).hexdigest()
    assert "x-slack-retry-num" not in first
    assert (second["x-slack-retry-num"], second["x-slack-retry-reason"]) == ("1", "http_error")


def test_what_a_person_does_is_sent_as_a_form(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=[])
    button = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
    blocks = [{"type": "actions", "block_id": "acts", "elements": [button]}]
    ts = client.chat_postMessage(channel=GENERAL, text="ready", blocks=blocks)["ts"]
    with inbox() as app:
        slack.control("request_url", {"url": app.url})
        action = {"type": "button", "block_id": "acts", "action_id": "go"}
        slack.act("action", ANA, message={"channel": GENERAL, "ts": ts}, action=action)
        slack.reset()
    [(headers, body)] = app.received
    assert headers["content-type"] == "application/x-www-form-urlencoded"
    assert json.loads(parse_qs(body)["payload"][0])["type"] == "block_actions"


@pytest.mark.parametrize("url", ["http://evil.example/", "file:///etc/passwd", "http://127.0.0.1:1/"])
def test_an_address_that_does_not_answer_the_challenge_is_refused(slack: SlackServer, url: str) -> None:
    with pytest.raises(HTTPError) as refused:
        slack.control("request_url", {"url": url})
    refused.value.close()
    assert refused.value.code == 400


# --- time


def test_a_message_is_posted_at_its_time(slack: SlackServer, client: WebClient) -> None:
    at = int(slack.state()["now"]) + 3600
    assert client.chat_scheduleMessage(channel=GENERAL, text="later", post_at=at)["scheduled_message_id"]
    slack.advance(3500)
    assert slack.messages(GENERAL) == []
    slack.advance(200)
    assert [message["text"] for message in slack.messages(GENERAL)] == ["later"]


def test_what_is_due_soon_happens_by_itself(slack: SlackServer, client: WebClient) -> None:
    client.chat_scheduleMessage(channel=GENERAL, text="soon", post_at=int(slack.state()["now"]) + 1)
    assert until(lambda: slack.messages(GENERAL))[0]["text"] == "soon"


@pytest.mark.parametrize(("at", "error"), [(-10, "time_in_past"), (121 * 86_400, "time_too_far")])
def test_a_time_must_lie_ahead_but_not_far(slack: SlackServer, client: WebClient, at: int, error: str) -> None:
    with pytest.raises(SlackApiError, match=error):
        client.chat_scheduleMessage(channel=GENERAL, text="a", post_at=int(slack.state()["now"]) + at)


def test_a_status_goes_after_two_minutes(slack: SlackServer, client: WebClient) -> None:
    ts = slack.say(ANA, GENERAL, "apps?")
    client.assistant_threads_setStatus(channel_id=GENERAL, thread_ts=ts, status="is counting")
    slack.advance(100)
    assert len(slack.state()["statuses"]) == 1
    client.assistant_threads_setStatus(channel_id=GENERAL, thread_ts=ts, status="is still counting")
    slack.advance(100)
    assert len(slack.state()["statuses"]) == 1
    slack.advance(30)
    assert slack.state()["statuses"] == []


# --- people


def test_guests_and_external_people_can_be_told(slack: SlackServer, client: WebClient) -> None:
    guest, external = (client.users_info(user=user)["user"] for user in (GUEST, EXTERNAL))
    assert (guest["is_restricted"], guest["is_stranger"], guest["team_id"]) == (True, False, "T0LOCAL")
    assert (external["is_restricted"], external["is_stranger"], external["team_id"]) == (False, False, "T0ELSEWHERE")
    assert client.conversations_info(channel=PARTNERS)["channel"]["is_ext_shared"]
    with wire_to(slack) as wire:
        slack.say(EXTERNAL, PARTNERS, f"<@{BOT}> apps?")
        payloads = [wire.envelope()["payload"] for _ in range(2)]
        slack.wait_until_quiet()
    assert [(one["event"]["type"], one["event"]["team"], one["is_ext_shared_channel"]) for one in payloads] == [
        ("message", "T0ELSEWHERE", True),
        ("app_mention", "T0ELSEWHERE", True),
    ]


def test_a_member_can_be_made_a_guest(slack: SlackServer, client: WebClient) -> None:
    slack.control("user", {"user": ANA, "kind": "guest"})
    assert client.users_info(user=ANA)["user"]["is_restricted"]
    slack.reset()
    assert not client.users_info(user=ANA)["user"]["is_restricted"]


def test_who_left_hears_nothing_more(slack: SlackServer, client: WebClient) -> None:
    slack.control("leave", {"user": BOT, "channel": SALES})
    with pytest.raises(SlackApiError, match="not_in_channel"):
        client.chat_postMessage(channel=SALES, text="hello")
    with wire_to(slack) as wire:
        slack.say(ANA, SALES, f"<@{BOT}> hello")
        ts = slack.say(ANA, DM_OF[ANA], "hello")
        events = wire.payloads(lambda found: bool(found) and found[-1]["event"]["ts"] == ts)
        slack.wait_until_quiet()
    assert {payload["event"]["channel"] for payload in events} == {SALES, DM_OF[ANA]}
    assert [payload["event"].get("subtype") for payload in events] == ["channel_leave", None]


# --- doing once


def test_a_client_msg_id_posts_once_where_that_is_wanted() -> None:
    with slack_server("--deduplicate") as slack:
        client = WebClient(token=slack.bot_token, base_url=slack.api_url)
        first, second = (client.chat_postMessage(channel=GENERAL, text="49", client_msg_id="one") for _ in range(2))
        assert client.chat_postMessage(channel=SALES, text="49", client_msg_id="one")["ts"] != first["ts"]
        assert first["ts"] == second["ts"]
        assert len(slack.messages(GENERAL)) == 1


def test_without_the_option_it_posts_as_often_as_it_is_told(slack: SlackServer, client: WebClient) -> None:
    for _ in range(2):
        client.chat_postMessage(channel=GENERAL, text="49", client_msg_id="one")
    assert len(slack.messages(GENERAL)) == 2


def test_a_connection_is_kept_open_between_calls(slack: SlackServer) -> None:
    connection = HTTPConnection(slack.url.removeprefix("http://"), timeout=10)
    for _ in range(2):
        connection.request("GET", "/api/api.test")
        assert connection.getresponse().read() == b'{"ok":true,"args":{}}'
    connection.close()
