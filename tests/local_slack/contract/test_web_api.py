"""The Web API: what each method does, what it refuses, and every form in which clients send arguments."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from local_slack.testing import ANA, BEN, BOT, DM_OF, GENERAL, SALES, SlackServer
from tests.written_out import written_out

Json = dict[str, Any]

REFUSALS = [json.loads(line) for line in Path(__file__).with_name("refusals.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: case["case"])
def test_refusals(slack: SlackServer, client: WebClient, case: Json) -> None:
    ts = slack.say(ANA, GENERAL, "hello")
    with pytest.raises(SlackApiError) as refused:
        client.api_call(case["method"], json=written_out(case["args"], ts=ts))
    assert refused.value.response["error"] == case["error"]
    assert [message["ts"] for message in slack.messages(GENERAL)] == [ts]


def test_invalid_blocks_say_where(client: WebClient) -> None:
    with pytest.raises(SlackApiError) as refused:
        client.chat_postMessage(channel=GENERAL, text="a", blocks=[{"type": "divider"}, {"type": "header"}])
    assert refused.value.response["response_metadata"]["messages"] == [
        "[ERROR] missing required field: text [json-pointer:/blocks/1]"
    ]


# --- tokens


@pytest.mark.parametrize(
    ("token", "error"),
    [("", "not_authed"), ("xoxb-somebody-else", "invalid_auth"), ("xapp-local-app", "not_allowed_token_type")],
)
def test_only_the_given_tokens_are_accepted(slack: SlackServer, token: str, error: str) -> None:
    answer = sent(slack, "users.list", headers={"Authorization": f"Bearer {token}"})
    assert answer == {"ok": False, "error": error}


def test_auth_test_names_the_bot_and_its_scopes(slack: SlackServer, client: WebClient) -> None:
    answer = client.auth_test()
    assert answer.data == {
        "ok": True,
        "url": f"{slack.url}/",
        "team": "Datathread demo",
        "user": "datathread",
        "team_id": "T0LOCAL",
        "user_id": BOT,
        "bot_id": "B0BOT",
        "is_enterprise_install": False,
    }
    assert "chat:write" in answer.headers["x-oauth-scopes"].split(",")


# --- every way to send arguments

BEARER = {"Authorization": "Bearer xoxb-local-bot"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    "send",
    [
        pytest.param(lambda slack, args: sent(slack, "chat.postMessage", json_body=args, headers=BEARER), id="JSON"),
        pytest.param(lambda slack, args: sent(slack, "chat.postMessage", form=args, headers=BEARER | FORM), id="form"),
        pytest.param(lambda slack, args: sent(slack, "chat.postMessage", query=args, headers=BEARER), id="GET"),
        pytest.param(
            lambda slack, args: sent(slack, "chat.postMessage", query=args, form={}, headers=BEARER | FORM),
            id="POST and query",
        ),
        pytest.param(
            lambda slack, args: sent(slack, "chat.postMessage", form=args | {"token": "xoxb-local-bot"}, headers=FORM),
            id="token among the arguments",
        ),
    ],
)
def test_arguments_in_every_form(slack: SlackServer, send: Callable[[SlackServer, Json], Json]) -> None:
    blocks = json.dumps([{"type": "section", "text": {"type": "mrkdwn", "text": "*49*"}, "block_id": "b"}])
    metadata = json.dumps({"event_type": "turn", "event_payload": {"id": 7}})
    assert send(slack, {"channel": GENERAL, "text": "49", "blocks": blocks, "metadata": metadata})["ok"]
    [message] = slack.messages(GENERAL)
    assert message["blocks"] == json.loads(blocks)
    assert message["metadata"] == json.loads(metadata)
    assert "token" not in slack.calls()[-1]["args"]


@pytest.mark.parametrize(("body", "error"), [(b"{", "invalid_json"), (b"[]", "json_not_object")])
def test_bodies_that_are_no_json_object(slack: SlackServer, body: bytes, error: str) -> None:
    headers = BEARER | {"Content-Type": "application/json; charset=utf-8"}
    with urlopen(Request(f"{slack.api_url}chat.postMessage", body, headers), timeout=10) as response:
        assert json.load(response)["error"] == error


# --- chat


def test_a_posted_message_comes_back_as_it_is_kept(slack: SlackServer, client: WebClient) -> None:
    answer = client.chat_postMessage(channel="#general", text="a < b & c", blocks=[{"type": "divider"}])
    [message] = slack.messages(GENERAL)
    assert answer["channel"] == GENERAL
    assert answer["ts"] == message["ts"]
    assert answer["message"] == message
    assert message["text"] == "a &lt; b &amp; c"
    assert message["bot_profile"]["user_id"] == BOT
    assert len(message["blocks"][0]["block_id"]) == 5


def test_markdown_text_becomes_a_markdown_block(slack: SlackServer, client: WebClient) -> None:
    client.chat_postMessage(channel=GENERAL, markdown_text="**49** apps")
    [message] = slack.messages(GENERAL)
    assert (message["text"], message["blocks"][0]["type"]) == ("**49** apps", "markdown")


def test_posting_to_a_user_reaches_their_direct_messages(slack: SlackServer, client: WebClient) -> None:
    assert client.chat_postMessage(channel=ANA, text="hello")["channel"] == DM_OF[ANA]


def test_a_reply_to_a_reply_joins_the_thread(slack: SlackServer, client: WebClient) -> None:
    root = slack.say(ANA, GENERAL, "numbers?")
    reply = client.chat_postMessage(channel=GENERAL, text="49", thread_ts=root)["ts"]
    again = client.chat_postMessage(channel=GENERAL, text="21", thread_ts=reply)
    assert again["message"]["thread_ts"] == root
    first = slack.messages(GENERAL, root)[0]
    assert (first["reply_count"], first["latest_reply"], first["reply_users"]) == (2, again["ts"], [BOT])


def test_an_update_without_text_keeps_the_blocks_and_one_with_text_drops_them(
    slack: SlackServer, client: WebClient
) -> None:
    blocks = [{"type": "divider", "block_id": "line"}]
    ts = client.chat_postMessage(channel=GENERAL, text="one", blocks=blocks)["ts"]
    metadata = {"event_type": "turn", "event_payload": {}}
    client.api_call("chat.update", json={"channel": GENERAL, "ts": ts, "metadata": metadata})
    assert slack.messages(GENERAL)[0]["blocks"] == blocks
    client.chat_update(channel=GENERAL, ts=ts, text="two", blocks=blocks)
    assert "edited" not in slack.messages(GENERAL)[0]
    answer = client.chat_update(channel=GENERAL, ts=ts, text="three")
    [message] = slack.messages(GENERAL)
    assert answer["text"] == message["text"] == "three"
    assert "blocks" not in message
    assert message["edited"]["user"] == BOT
    assert message["metadata"]["event_type"] == "turn"


def test_an_update_takes_4000_characters(client: WebClient) -> None:
    ts = client.chat_postMessage(channel=GENERAL, text="x" * 40_000)["ts"]
    assert client.chat_update(channel=GENERAL, ts=ts, text="x" * 4_000)["ok"]
    with pytest.raises(SlackApiError, match="msg_too_long"):
        client.chat_update(channel=GENERAL, ts=ts, text="x" * 4_001)


def test_deleting_a_message_and_the_root_of_a_thread(slack: SlackServer, client: WebClient) -> None:
    alone = client.chat_postMessage(channel=GENERAL, text="alone")["ts"]
    root = client.chat_postMessage(channel=GENERAL, text="root")["ts"]
    client.chat_postMessage(channel=GENERAL, text="reply", thread_ts=root)
    client.chat_delete(channel=GENERAL, ts=alone)
    client.chat_delete(channel=GENERAL, ts=root)
    left = client.conversations_replies(channel=GENERAL, ts=root)["messages"]
    assert [message.get("subtype") for message in left] == ["tombstone", None]
    assert [message["ts"] for message in slack.messages(GENERAL)] == [root, left[1]["ts"]]


def test_an_ephemeral_message_under_a_root_without_replies_is_not_shown(slack: SlackServer, client: WebClient) -> None:
    """chat.postEphemeral: "only shown if there is already an active thread"; Slack answers ok all the same."""
    root = slack.say(ANA, GENERAL, "apps?")
    assert client.chat_postEphemeral(channel=GENERAL, user=ANA, thread_ts=root, text="unseen")["ok"]
    assert client.chat_postEphemeral(channel=GENERAL, user=ANA, text="in the channel")["ok"]
    slack.say(BEN, GENERAL, "good question", thread_ts=root)
    assert client.chat_postEphemeral(channel=GENERAL, user=ANA, thread_ts=root, text="in the thread")["ok"]
    shown = [(message["text"], message["is_shown"]) for message in slack.ephemerals(ANA)]
    assert shown == [("unseen", False), ("in the channel", True), ("in the thread", True)]


def test_an_ephemeral_message_is_kept_nowhere(slack: SlackServer, client: WebClient) -> None:
    assert client.chat_postEphemeral(channel=GENERAL, user=ANA, text="only you")["message_ts"]
    assert slack.messages(GENERAL) == []


def test_a_permalink_names_channel_message_and_thread(slack: SlackServer, client: WebClient) -> None:
    root = slack.say(ANA, GENERAL, "numbers?", ts="1730000000.000100")
    ts = slack.say(ANA, GENERAL, "more", thread_ts=root, ts="1730000000.000200")
    link = client.chat_getPermalink(channel=GENERAL, message_ts=ts)["permalink"]
    assert link == f"{slack.url}/archives/C0GENERAL/p1730000000000200?thread_ts={root}&cid=C0GENERAL"


# --- conversations and people


def test_history_shows_the_newest_first_and_no_replies(slack: SlackServer, client: WebClient) -> None:
    said = [slack.say(ANA, GENERAL, f"message {number}") for number in range(5)]
    slack.say(ANA, GENERAL, "reply", thread_ts=said[0])
    broadcast = client.chat_postMessage(channel=GENERAL, text="all", thread_ts=said[0], reply_broadcast=True)["ts"]
    found = [
        message["ts"] for page in client.conversations_history(channel=GENERAL, limit=2) for message in page["messages"]
    ]
    assert found == [broadcast, *said[::-1]]


def test_a_page_is_not_moved_by_what_arrives_meanwhile(slack: SlackServer, client: WebClient) -> None:
    said = [slack.say(ANA, GENERAL, f"message {number}") for number in range(4)]
    first = client.conversations_history(channel=GENERAL, limit=2)
    slack.say(ANA, GENERAL, "meanwhile")
    cursor = first["response_metadata"]["next_cursor"]
    second = client.conversations_history(channel=GENERAL, limit=2, cursor=cursor)
    assert [message["ts"] for message in [*first["messages"], *second["messages"]]] == said[::-1]
    assert (first["has_more"], second["has_more"]) == (True, False)


def test_a_span_of_time(slack: SlackServer, client: WebClient) -> None:
    said = [slack.say(ANA, GENERAL, "hello", ts=f"173000000{number}.000100") for number in range(4)]

    def within(**limits: Any) -> list[str]:
        found = client.conversations_history(channel=GENERAL, **limits)["messages"]
        return [message["ts"] for message in found[::-1]]

    assert within(oldest=said[0], latest=said[2]) == said[1:2]
    assert within(oldest=said[0], latest=said[2], inclusive=True) == said[:3]
    assert within(oldest="1730000001") == said[1:]


def test_a_thread_can_be_read_from_any_of_its_messages(slack: SlackServer, client: WebClient) -> None:
    root = slack.say(ANA, GENERAL, "numbers?")
    replies = [slack.say(ANA, GENERAL, str(number), thread_ts=root) for number in range(3)]
    for ts in (root, replies[1]):
        pages = client.conversations_replies(channel=GENERAL, ts=ts, limit=2)
        assert [message["ts"] for page in pages for message in page["messages"]] == [root, *replies]
    newer = client.conversations_replies(channel=GENERAL, ts=root, oldest=replies[0])["messages"]
    assert [message["ts"] for message in newer] == [root, *replies[1:]]


def test_metadata_needs_a_scope_of_its_own(slack: SlackServer, client: WebClient) -> None:
    metadata = {"event_type": "turn", "event_payload": {"id": 7}}
    posted = client.chat_postMessage(channel=GENERAL, text="49", metadata=metadata)
    slack.app(scopes=["channels:history"])
    [message] = client.conversations_replies(channel=GENERAL, ts=posted["ts"], include_all_metadata=True)["messages"]
    assert (posted["message"]["metadata"], message.get("metadata")) == (metadata, None)


def test_metadata_is_shown_to_those_who_ask(client: WebClient) -> None:
    metadata = {"event_type": "turn", "event_payload": {"id": 7}}
    ts = client.chat_postMessage(channel=GENERAL, text="49", metadata=metadata)["ts"]
    [asked] = client.conversations_replies(channel=GENERAL, ts=ts, include_all_metadata=True)["messages"]
    [plain] = client.conversations_replies(channel=GENERAL, ts=ts)["messages"]
    assert asked["metadata"] == metadata
    assert "metadata" not in plain


def test_conversations_by_type(client: WebClient) -> None:
    def ids(**args: Any) -> list[str]:
        return [channel["id"] for page in client.conversations_list(limit=2, **args) for channel in page["channels"]]

    assert ids() == ["C0GENERAL", "C0PRODUCT", "C0SALES", "C0PARTNERS"]
    assert ids(types="im") == ["D0ANA", "D0BEN", "D0MIRA", "D0GUS", "D0EVA"]
    assert client.conversations_info(channel="D0ANA")["channel"]["user"] == ANA
    assert client.conversations_info(channel=SALES)["channel"]["name"] == "sales"
    assert client.conversations_members(channel="D0ANA")["members"] == [ANA, BOT]
    assert client.conversations_open(users=ANA)["channel"] == {"id": "D0ANA"}
    assert client.conversations_open(channel="D0ANA", return_im=True)["channel"]["is_im"]


def test_people_team_and_bot(client: WebClient) -> None:
    members = [user for page in client.users_list(limit=3) for user in page["members"]]
    assert [user["name"] for user in members] == ["ana", "ben", "mira", "datathread", "gus", "eva"]
    assert client.users_info(user="U0MIRA")["user"]["real_name"] == "Mira Novák"
    assert client.team_info()["team"]["id"] == "T0LOCAL"
    assert client.bots_info(bot="B0BOT")["bot"]["user_id"] == BOT
    assert client.api_test(foo="bar")["args"]["foo"] == "bar"


def test_groups_of_people(client: WebClient) -> None:
    [group] = client.usergroups_list(include_users=True)["usergroups"]
    assert (group["id"], group["handle"], group["users"]) == ("S0ANALYSTS", "analysts", [ANA, "U0BEN"])
    assert "users" not in client.usergroups_list()["usergroups"][0]
    assert client.usergroups_users_list(usergroup="S0ANALYSTS")["users"] == [ANA, "U0BEN"]


# --- around messages


def test_reactions_come_and_go(slack: SlackServer, client: WebClient) -> None:
    ts = slack.say(ANA, GENERAL, "thanks")
    client.reactions_add(channel=GENERAL, timestamp=ts, name="thumbsup")
    assert slack.messages(GENERAL)[0]["reactions"] == [{"name": "thumbsup", "users": [BOT], "count": 1}]
    with pytest.raises(SlackApiError, match="already_reacted"):
        client.reactions_add(channel=GENERAL, timestamp=ts, name="thumbsup")
    client.reactions_remove(channel=GENERAL, timestamp=ts, name="thumbsup")
    assert "reactions" not in slack.messages(GENERAL)[0]


def test_the_status_goes_when_the_bot_answers(slack: SlackServer, client: WebClient) -> None:
    ts = slack.say(ANA, DM_OF[ANA], "how many?")
    client.assistant_threads_setStatus(
        channel_id=DM_OF[ANA], thread_ts=ts, status="is counting", loading_messages=["one", "two, three"]
    )
    [status] = slack.state()["statuses"]
    assert 100 < status.pop("expires_at") - slack.state()["now"] <= 120
    assert status == {
        "channel": DM_OF[ANA],
        "thread_ts": ts,
        "status": "is counting",
        "loading_messages": ["one", "two, three"],
    }
    client.chat_postMessage(channel=DM_OF[ANA], thread_ts=ts, text="49")
    assert slack.state()["statuses"] == []


def test_a_status_needs_chat_write_alone(slack: SlackServer, client: WebClient) -> None:
    """As documented for assistant.threads.setStatus: in any thread, without assistant:write, and without a push."""
    slack.app(scopes=["chat:write"])
    ts = slack.say(ANA, GENERAL, "apps?")
    client.assistant_threads_setStatus(channel_id=GENERAL, thread_ts=ts, status="is counting…")
    assert [status["status"] for status in slack.state()["statuses"]] == ["is counting…"]
    assert slack.notifications(ANA) == []
    with pytest.raises(SlackApiError, match="missing_scope"):
        client.assistant_threads_setTitle(channel_id=GENERAL, thread_ts=ts, title="Apps")


def test_title_and_prompts_of_a_thread(slack: SlackServer, client: WebClient) -> None:
    ts = slack.say(ANA, DM_OF[ANA], "how many?")
    prompts = [{"title": "Apps", "message": "How many apps?"}]
    assert client.assistant_threads_setTitle(channel_id=DM_OF[ANA], thread_ts=ts, title="Apps")["ok"]
    assert client.assistant_threads_setSuggestedPrompts(channel_id=DM_OF[ANA], thread_ts=ts, prompts=prompts)["ok"]


# --- faults and the journal


@pytest.mark.parametrize(("kind", "status"), [("ratelimited", 429), ("server_error", 500), ("unavailable", 503)])
def test_a_planned_fault_happens_as_often_as_planned(
    slack: SlackServer, client: WebClient, kind: str, status: int
) -> None:
    slack.fault("chat.postMessage", kind, times=2)
    for _ in range(2):
        with pytest.raises(SlackApiError) as failed:
            client.chat_postMessage(channel=GENERAL, text="hello")
        assert failed.value.response.status_code == status
    client.chat_postMessage(channel=GENERAL, text="hello")
    assert len(slack.messages(GENERAL)) == 1
    assert [(call["outcome"], call["status"]) for call in slack.calls()] == [(kind, status)] * 2 + [("ok", 200)]


def test_the_journal_can_be_read_from_any_call_on(slack: SlackServer, client: WebClient) -> None:
    client.chat_postMessage(channel=GENERAL, text="one")
    client.users_info(user=ANA)
    assert [(call["number"], call["method"]) for call in slack.calls(since=1)] == [(2, "users.info")]
    assert slack.calls("chat.postMessage")[0]["args"] == {"channel": GENERAL, "text": "one"}


def sent(
    slack: SlackServer,
    method: str,
    *,
    query: Json | None = None,
    form: Json | None = None,
    json_body: Json | None = None,
    headers: Json,
) -> Json:
    """The answer to a request made by hand: POST with a form or JSON, else GET."""
    data = None if form is None else urlencode(form).encode()
    if json_body is not None:
        data, headers = json.dumps(json_body).encode(), headers | {"Content-Type": "application/json;charset=utf-8"}
    with urlopen(Request(f"{slack.api_url}{method}?{urlencode(query or {})}", data, headers), timeout=10) as response:
        answer: Json = json.load(response)
    return answer
