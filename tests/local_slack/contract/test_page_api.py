"""What the page gets: state, messages, live events and the headers that keep foreign code out."""

import http.client
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from slack_sdk import WebClient

from local_slack.testing import ANA, BEN, BOT, DM_OF, GENERAL, SlackServer
from tests.local_slack.contract.wire import wire_to

Json = dict[str, Any]


def test_the_state_shows_what_one_person_sees(slack: SlackServer) -> None:
    state = slack.request(f"/_page/state?as={ANA}")
    assert state["me"] == {
        "id": ANA,
        "name": "ana",
        "real_name": "Ana Lima",
        "is_bot": False,
        "kind": "member",
        "team": None,
        "tz": "Europe/Lisbon",
        "color": "#b0413e",
    }
    assert [channel["id"] for channel in state["channels"]] == [
        "C0GENERAL",
        "C0PRODUCT",
        "C0SALES",
        "C0PARTNERS",
        "D0ANA",
    ]
    assert state["channels"][0] == {
        "id": "C0GENERAL",
        "name": "general",
        "is_im": False,
        "is_private": False,
        "is_ext_shared": False,
        "user": None,
        "members": [ANA, BEN, "U0MIRA", BOT],
        "topic": "Everything and nothing",
        "last_read": "0000000000.000000",
        "unread": 0,
        "mentions": 0,
    }
    assert state["channels"][4]["user"] == BOT
    assert state["bot"] == {
        "user_id": BOT,
        "name": "datathread",
        "connected": False,
        "app_id": "A0LOCAL",
        "commands": [],
        "shortcuts": [],
    }
    assert state["team"] == {"id": "T0LOCAL", "name": "Datathread demo"}
    assert [user["id"] for user in state["users"]] == [ANA, BEN, "U0MIRA", BOT, "U0GUS", "U0EVA"]


def test_what_a_person_posts_is_read_back_and_reaches_the_bot(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        ts = slack.request("/_page/post", {"as": ANA, "channel": GENERAL, "text": f"<@{BOT}> apps?"})["ts"]
        types = [wire.envelope()["payload"]["event"]["type"] for _ in range(2)]
        slack.wait_until_quiet()
    assert types == ["message", "app_mention"]
    reply = slack.request("/_page/post", {"as": BEN, "channel": GENERAL, "text": "me too", "thread_ts": ts})["ts"]
    [root] = slack.request(f"/_page/messages?as={ANA}&channel={GENERAL}")["messages"]
    assert (root["ts"], root["reply_count"], root["latest_reply"]) == (ts, 1, reply)
    thread = slack.request(f"/_page/messages?as={ANA}&channel={GENERAL}&thread_ts={ts}")["messages"]
    assert [message["text"] for message in thread] == [f"<@{BOT}> apps?", "me too"]


@pytest.mark.parametrize(
    ("path", "body", "status", "error"),
    [
        ("/_page/state?as=U0NOBODY", None, 404, "user_not_found"),
        (f"/_page/state?as={BOT}", None, 404, "user_not_found"),
        ("/_page/events?as=U0NOBODY", None, 404, "user_not_found"),
        ("/_page/messages?as=U0ANA&channel=D0BEN", None, 404, "channel_not_found"),
        ("/_page/messages?as=U0ANA&channel=C0GENERAL&thread_ts=1600000000.000000", None, 404, "thread_not_found"),
        ("/_page/post", {"as": "U0ANA", "channel": "D0BEN", "text": "hi"}, 400, "not_in_channel"),
        ("/_page/post", {"as": "U0ANA", "channel": "C0GENERAL", "text": " "}, 400, "no_text"),
        ("/_control/message", {"user": "U0ANA", "channel": "C0GENERAL", "text": "a", "ts": "1"}, 400, "invalid_ts"),
        (
            "/_control/edit",
            {"user": "U0BEN", "channel": "C0GENERAL", "ts": "1600000000.000000"},
            404,
            "message_not_found",
        ),
        ("/_control/redeliver", {"event_id": "Ev0"}, 404, "event_not_found"),
        ("/_control/clock", {"advance": "inf"}, 400, "invalid_arguments"),
        ("/_control/stream", {"channel": GENERAL, "ts": "1", "state": "completed"}, 400, "invalid_arguments"),
        ("/_control/user", {"user": BOT, "kind": "guest"}, 400, "invalid_arguments"),
        ("/_control/limits", {"mode": "none"}, 400, "invalid_arguments"),
        ("/_control/revoke", {"token": "xoxb-nobody"}, 400, "invalid_auth"),
        ("/_control/leave", {"user": "U0EVA", "channel": GENERAL}, 400, "not_in_channel"),
        ("/_page/command", {"as": ANA, "channel": GENERAL, "command": "/none"}, 404, "command_not_found"),
        ("/_page/shortcut", {"as": ANA, "callback_id": "none"}, 404, "shortcut_not_found"),
        ("/_page/home", {"as": ANA, "tab": "cellar"}, 400, "invalid_arguments"),
        ("/_page/stop", {"as": ANA, "channel": GENERAL, "thread_ts": "1600000000.000000"}, 404, "thread_not_found"),
        ("/_control/fault", {"method": "auth.test", "kind": "earthquake"}, 400, "invalid_fault"),
    ],
)
def test_what_cannot_be_done_is_said(slack: SlackServer, path: str, body: Json | None, status: int, error: str) -> None:
    headers = {"Content-Type": "application/json"}
    response, content = ask(slack, "GET" if body is None else "POST", path, json.dumps(body) if body else "", headers)
    assert (response.status, json.loads(content)["error"]) == (status, error)


def test_events_arrive_as_they_happen(slack: SlackServer, client: WebClient) -> None:
    with page_events(slack, ANA) as events:
        assert next(events) == {"type": "hello"}
        ts = slack.say(BEN, GENERAL, "numbers?")
        posted = next(events)
        assert (posted["type"], posted["channel"], posted["message"]["ts"]) == ("message", GENERAL, ts)
        client.assistant_threads_setStatus(channel_id=GENERAL, thread_ts=ts, status="is counting")
        status = next(events)
        assert (status.pop("expires_at") > 0, status) == (
            True,
            {"type": "status", "channel": GENERAL, "thread_ts": ts, "status": "is counting", "loading_messages": []},
        )
        answer = client.chat_postMessage(channel=GENERAL, thread_ts=ts, text="48")["ts"]
        assert next(events)["status"] == ""
        assert next(events)["message"]["text"] == "48"
        client.chat_update(channel=GENERAL, ts=answer, text="49")
        changed = next(events)
        assert (changed["type"], changed["message"]["text"]) == ("message_changed", "49")
        client.reactions_add(channel=GENERAL, timestamp=ts, name="eyes")
        assert next(events)["message"]["reactions"] == [{"name": "eyes", "users": [BOT], "count": 1}]
        client.chat_delete(channel=GENERAL, ts=answer)
        assert next(events) == {"type": "message_deleted", "channel": GENERAL, "deleted_ts": answer}
        with wire_to(slack):
            assert next(events) == {"type": "presence", "bot_connected": True}
        assert next(events) == {"type": "presence", "bot_connected": False}


def test_nobody_sees_what_is_for_others(slack: SlackServer, client: WebClient) -> None:
    with page_events(slack, ANA) as events:
        assert next(events) == {"type": "hello"}
        direct = slack.say(BEN, DM_OF[BEN], "secret")
        client.assistant_threads_setStatus(channel_id=DM_OF[BEN], thread_ts=direct, status="is counting")
        slack.delete(BEN, DM_OF[BEN], direct)
        client.chat_postEphemeral(channel=GENERAL, user=BEN, text="for Ben")
        client.chat_postEphemeral(channel=GENERAL, user=ANA, text="for Ana")
        shown = next(events)["message"]
    assert (shown["text"], shown["is_ephemeral"]) == ("for Ana", True)


def test_people_edit_and_delete_only_their_own(slack: SlackServer) -> None:
    ts = slack.say(ANA, GENERAL, "one")
    for action, error in (("edit", "cant_update_message"), ("delete", "cant_delete_message")):
        body = json.dumps({"user": BEN, "channel": GENERAL, "ts": ts, "text": "two"})
        response, content = ask(slack, "POST", f"/_control/{action}", body, {"Content-Type": "application/json"})
        assert (response.status, json.loads(content)["error"]) == (400, error)
    slack.edit(ANA, GENERAL, ts, "two")
    assert slack.messages(GENERAL)[0]["edited"]["user"] == ANA
    slack.delete(ANA, GENERAL, ts)
    assert slack.messages(GENERAL) == []


# --- who may ask at all


@pytest.mark.parametrize("host", ["evil.example", "datathread.local:8765"])
def test_only_loopback_names_are_answered(slack: SlackServer, host: str) -> None:
    assert ask(slack, "GET", "/_page/state?as=U0ANA", "", {"Host": host})[0].status == 400


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded"])
def test_a_foreign_page_cannot_post(slack: SlackServer, content_type: str) -> None:
    body = json.dumps({"as": ANA, "channel": GENERAL, "text": "spam"})
    assert ask(slack, "POST", "/_page/post", body, {"Content-Type": content_type})[0].status == 415
    assert slack.messages(GENERAL) == []


@pytest.mark.parametrize("path", ["/", "/_page/state?as=U0ANA", "/favicon.ico", "/page/nothing-here.js"])
def test_every_answer_is_strict(slack: SlackServer, path: str) -> None:
    response, _ = ask(slack, "GET", path)
    assert response.headers["content-security-policy"] == "default-src 'self'"
    assert response.headers["x-content-type-options"] == "nosniff"


def test_the_page_is_there_with_all_it_names(slack: SlackServer) -> None:
    response, page = ask(slack, "GET", "/")
    assert (response.status, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assets = re.findall(r'(?:src|href)="(/page/[^"]+)"', page.decode())
    kinds = {path.rpartition(".")[2]: ask(slack, "GET", path)[0] for path in assets}
    assert {kind: (found.status, found.headers.get_content_subtype()) for kind, found in kinds.items()} == {
        "js": (200, "javascript"),
        "css": (200, "css"),
    }


def test_a_permalink_leads_to_the_page(slack: SlackServer) -> None:
    response, _ = ask(slack, "GET", "/archives/C0GENERAL/p1730000000000100")
    assert (response.status, response.headers["location"]) == (307, "/")


def ask(
    slack: SlackServer, verb: str, path: str, body: str = "", headers: dict[str, str] | None = None
) -> tuple[http.client.HTTPResponse, bytes]:
    """The response whatever its status, and its content."""
    connection = http.client.HTTPConnection(urlsplit(slack.url).netloc, timeout=10)
    try:
        connection.request(verb, path, body.encode() or None, headers or {})
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


@contextmanager
def page_events(slack: SlackServer, user: str, *, journal: bool = False) -> Iterator[Iterator[Json]]:
    """The live events of one page, with `journal` those of its inspector too, each waited for when asked for."""
    connection = http.client.HTTPConnection(urlsplit(slack.url).netloc, timeout=10)
    connection.request("GET", f"/_page/events?as={user}" + ("&journal=1" if journal else ""))
    try:
        response = connection.getresponse()
        assert response.headers["content-type"].startswith("text/event-stream")
        yield (json.loads(line.removeprefix(b"data: ")) for line in response if line.startswith(b"data: "))
    finally:
        connection.close()
