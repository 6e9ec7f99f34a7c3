"""What people do on the page: react, edit, read, bring files; what the page is shown around threads; and the inspector."""

import json
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from local_slack.testing import ANA, BEN, BOT, DM_OF, EXTERNAL, GENERAL, GUEST, PARTNERS, PRODUCT, SALES, SlackServer
from tests.local_slack.contract.test_page_api import ask, page_events
from tests.local_slack.contract.wire import wire_to

Json = dict[str, Any]

HOME = {"type": "home", "blocks": [{"type": "divider", "block_id": "line"}]}


def test_what_one_has_not_read_is_counted(slack: SlackServer, client: WebClient) -> None:
    def unread(user: str) -> tuple[int, int]:
        [channel] = [one for one in slack.request(f"/_page/state?as={user}")["channels"] if one["id"] == GENERAL]
        return channel["unread"], channel["mentions"]

    root = slack.say(BEN, GENERAL, f"<@{ANA}> numbers?")
    client.chat_postMessage(channel=GENERAL, text="49")
    client.chat_postMessage(channel=GENERAL, text="in the thread", thread_ts=root)
    assert (unread(ANA), unread(BEN)) == ((2, 1), (1, 0))
    slack.act("read", ANA, channel=GENERAL, ts=root)
    assert unread(ANA) == (1, 0)
    with page_events(slack, ANA) as events:
        next(events)
        slack.act("read", ANA, channel=GENERAL)
        read = next(events)
    assert (read["type"], read["unread"], unread(ANA)) == ("read", 0, (0, 0))


def test_reactions_edits_and_deletions_of_a_person(slack: SlackServer) -> None:
    ts = slack.act("post", ANA, channel=GENERAL, text="one")["ts"]
    assert slack.act("react", BEN, channel=GENERAL, ts=ts, name="eyes")["added"]
    assert slack.messages(GENERAL)[0]["reactions"] == [{"name": "eyes", "users": [BEN], "count": 1}]
    assert not slack.act("react", BEN, channel=GENERAL, ts=ts, name="eyes")["added"]
    slack.act("edit", ANA, channel=GENERAL, ts=ts, text="two")
    assert slack.messages(GENERAL)[0]["text"] == "two"
    slack.act("delete", ANA, channel=GENERAL, ts=ts)
    assert slack.messages(GENERAL) == []


def test_a_file_of_a_person_reaches_the_app(slack: SlackServer, client: WebClient) -> None:
    file = uploaded(slack, "größe.csv", b"a,b\n")
    with wire_to(slack) as wire:
        ts = slack.act("post", ANA, channel=DM_OF[ANA], text="", files=[file["id"]])["ts"]
        event = wire.envelope()["payload"]["event"]
        slack.wait_until_quiet()
    assert (event["ts"], event["subtype"], event["files"][0]["name"]) == (ts, "file_share", "größe.csv")
    assert slack.download(event["files"][0]) == b"a,b\n"
    assert client.files_info(file=file["id"])["file"]["user"] == ANA


def test_nobody_posts_the_file_of_another(slack: SlackServer) -> None:
    file = uploaded(slack, "a.csv", b"a")
    body = json.dumps({"as": BEN, "channel": GENERAL, "text": "mine", "files": [file["id"]]})
    response, _ = ask(slack, "POST", "/_page/post", body, {"Content-Type": "application/json"})
    assert response.status == 404


def test_a_foreign_page_uploads_nothing(slack: SlackServer) -> None:
    response, _ = ask(slack, "POST", f"/_page/upload?as={ANA}&name=a", "a", {"Content-Type": "text/plain"})
    assert response.status == 415
    assert slack.state()["counts"]["files"] == 0


def test_guests_and_external_people_see_their_channels(slack: SlackServer) -> None:
    def channels(user: str) -> list[str]:
        return [channel["id"] for channel in slack.request(f"/_page/state?as={user}")["channels"]]

    assert channels(GUEST) == [PRODUCT, "D0GUS"]
    assert channels(EXTERNAL) == [PARTNERS, "D0EVA"]
    assert slack.request(f"/_page/state?as={EXTERNAL}")["me"]["team"] == "Northwind"


def test_who_joins_sees_the_channel_appear(slack: SlackServer) -> None:
    with page_events(slack, GUEST) as events:
        next(events)
        slack.control("join", {"users": [GUEST], "channel": SALES})
        said, appeared = next(events), next(events)
        slack.control("leave", {"user": GUEST, "channel": SALES})
        next(events)
        gone = next(events)
    assert (said["message"]["subtype"], said["message"]["text"]) == (
        "channel_join",
        f"<@{GUEST}> has joined the channel",
    )
    assert (appeared["type"], appeared["channel"]["id"]) == ("channel", SALES)
    assert gone == {"type": "channel_gone", "channel": SALES}


def test_what_the_app_shows_around_a_thread(slack: SlackServer, client: WebClient) -> None:
    ts = slack.say(ANA, GENERAL, "apps?")
    place = {"channel_id": GENERAL, "thread_ts": ts}
    prompts = [{"title": "More", "message": "Show more"}]
    with page_events(slack, BEN) as events:
        next(events)
        client.assistant_threads_setStatus(**place, status="is counting", loading_messages=["one", "two"])
        client.agents_sessions_setStatus(**place, status="processing", title="Apps")
        client.assistant_threads_setSuggestedPrompts(**place, prompts=prompts, title="And now?")
        client.assistant_threads_setTitle(**place, title="Number of apps")
        status, session, offered, title = (next(events) for _ in range(4))
    state = slack.request(f"/_page/state?as={BEN}")
    assert status == {"type": "status", **state["statuses"][0]}
    assert status["loading_messages"] == ["one", "two"]
    assert session == {"type": "session", **state["sessions"][0]}
    assert (session["status"], session["title"]) == ("processing", "Apps")
    assert offered == {"type": "prompts", **state["prompts"][0]}
    assert offered["prompts"] == prompts
    assert title == {"type": "title", "channel": GENERAL, "thread_ts": ts, "title": "Number of apps"}


def test_a_stream_grows_before_their_eyes_and_stops(slack: SlackServer, client: WebClient) -> None:
    root = slack.say(ANA, GENERAL, "apps?")
    with page_events(slack, ANA) as events:
        next(events)
        stream = client.chat_stream(
            channel=GENERAL, thread_ts=root, buffer_size=1, recipient_team_id="T0LOCAL", recipient_user_id=ANA
        )
        stream.append(markdown_text="one ")
        stream.append(markdown_text="two")
        assert slack.act("stop", ANA, channel=GENERAL, thread_ts=root)["streams"] == [stream.ts]
        shown = [next(events) for _ in range(3)]
    assert [(one["type"], one["message"]["text"], one["message"]["streaming_state"]) for one in shown] == [
        ("message", "one ", "in_progress"),
        ("message_changed", "one two", "in_progress"),
        ("message_changed", "one two", "stopped"),
    ]


def test_a_home_appears_for_its_person_only(slack: SlackServer, client: WebClient) -> None:
    with page_events(slack, ANA) as events:
        next(events)
        client.views_publish(user_id=BEN, view=HOME)
        view = client.views_publish(user_id=ANA, view=HOME)["view"]
        assert next(events) == {"type": "home", "view": view}
    assert slack.request(f"/_page/state?as={ANA}")["home"] == view


def test_an_ephemeral_message_can_be_pressed_away(slack: SlackServer, client: WebClient) -> None:
    button = {"type": "button", "action_id": "no", "text": {"type": "plain_text", "text": "No"}}
    blocks = [{"type": "actions", "block_id": "acts", "elements": [button]}]
    with page_events(slack, ANA) as events, wire_to(slack) as wire:
        assert [next(events)["type"] for _ in range(2)] == ["hello", "presence"]
        ts = client.chat_postEphemeral(channel=GENERAL, user=ANA, text="sure?", blocks=blocks)["message_ts"]
        assert next(events)["message"]["is_ephemeral"]
        action = {"type": "button", "block_id": "acts", "action_id": "no"}
        message = {"channel": GENERAL, "ts": ts}
        envelope, _ = wire.during(lambda: slack.act("action", ANA, message=message, action=action))
        path = urlsplit(envelope["payload"]["response_url"]).path
        slack.request(path, {"replace_original": True, "text": "fine"})
        changed = next(events)
        slack.request(path, {"delete_original": True})
        gone = next(events)
    assert (changed["type"], changed["message"]["text"], changed["message"]["ts"]) == ("message_changed", "fine", ts)
    assert gone == {"type": "message_deleted", "channel": GENERAL, "deleted_ts": ts, "is_ephemeral": True}


# --- the inspector


def test_the_inspector_shows_calls_with_what_was_wrong(slack: SlackServer, client: WebClient) -> None:
    with pytest.raises(SlackApiError):
        client.chat_postMessage(channel=GENERAL, text="a", blocks=[{"type": "header"}])
    [entry] = slack.request("/_page/journal")["entries"]
    assert (entry["kind"], entry["name"], entry["outcome"], entry["status"]) == (
        "call",
        "chat.postMessage",
        "invalid_blocks",
        200,
    )
    assert entry["errors"] == ["[ERROR] missing required field: text [json-pointer:/blocks/0]"]
    assert entry["request"]["blocks"] == [{"type": "header"}]
    assert slack.bot_token not in json.dumps(entry)


def test_the_inspector_follows_an_envelope(slack: SlackServer) -> None:
    with page_events(slack, ANA, journal=True) as events, wire_to(slack) as wire:
        slack.say(ANA, DM_OF[ANA], "hello")
        wire.envelope()
        found = [event for event in (next(events) for _ in range(8)) if event["type"] == "journal"]
    entries = [one["entry"] for one in found if one["entry"]["kind"] == "envelope"]
    assert len({entry["number"] for entry in entries}) == 1
    assert [entry["outcome"] for entry in entries] == ["waiting", "waiting", "acknowledged"]
    assert entries[0]["request"]["event"]["text"] == "hello"


def test_a_reset_tells_the_page_to_load_anew(slack: SlackServer) -> None:
    with page_events(slack, ANA) as events:
        next(events)
        slack.reset()
        assert next(events) == {"type": "reset"}


def test_the_bot_is_no_person(slack: SlackServer) -> None:
    body = json.dumps({"as": BOT, "channel": GENERAL, "text": "hi"})
    response, _ = ask(slack, "POST", "/_page/post", body, {"Content-Type": "application/json"})
    assert response.status == 404


def uploaded(slack: SlackServer, name: str, content: bytes) -> Json:
    connection = HTTPConnection(urlsplit(slack.url).netloc, timeout=10)
    try:
        path = f"/_page/upload?as={ANA}&name={quote(name)}"
        connection.request("POST", path, content, {"Content-Type": "application/octet-stream"})
        file: Json = json.load(connection.getresponse())["file"]
        return file
    finally:
        connection.close()
