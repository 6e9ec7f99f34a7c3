"""What people do with the app: buttons, menus, modals, App Home, shortcuts, commands; and what the app may answer."""

import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.webhook import WebhookClient

from local_slack.testing import ANA, BEN, DM_OF, GENERAL, SlackServer
from tests.local_slack.contract.wire import Wire, wire_to

Json = dict[str, Any]

BUTTON = {"type": "button", "action_id": "export", "text": {"type": "plain_text", "text": "Export"}, "value": "7"}
ACTIONS = [{"type": "actions", "block_id": "acts", "elements": [BUTTON]}]
PRESSED = {"type": "button", "block_id": "acts", "action_id": "export", "value": "7"}
INPUT = {
    "type": "input",
    "block_id": "name",
    "label": {"type": "plain_text", "text": "Name"},
    "element": {"type": "plain_text_input", "action_id": "value"},
}


def modal(title: str = "Save", **more: Any) -> Json:
    words = {name: {"type": "plain_text", "text": text} for name, text in (("title", title), ("submit", "Go"))}
    return {"type": "modal", "callback_id": "save", "blocks": [INPUT], **words, **more}


HOME = {"type": "home", "blocks": [{"type": "divider", "block_id": "line"}]}


def pressed(slack: SlackServer, wire: Wire, channel: str, ts: str) -> Json:
    """The payload of pressing the button on a message."""
    message = {"channel": channel, "ts": ts}
    envelope, answer = wire.during(lambda: slack.act("action", ANA, message=message, action=PRESSED))
    assert (envelope["type"], envelope["accepts_response_payload"], answer) == ("interactive", True, {"ok": True})
    payload: Json = envelope["payload"]
    return payload


def test_a_button_of_a_message(slack: SlackServer, client: WebClient) -> None:
    root = slack.say(ANA, GENERAL, "apps?")
    with wire_to(slack) as wire:
        wire.envelope()
        ts = client.chat_postMessage(channel=GENERAL, thread_ts=root, text="49", blocks=ACTIONS)["ts"]
        wire.envelope()
        payload = pressed(slack, wire, GENERAL, ts)
    [action] = payload["actions"]
    assert action.pop("action_ts") > ts
    assert action == {**PRESSED, "text": BUTTON["text"]}
    assert payload["container"] == {
        "type": "message",
        "message_ts": ts,
        "channel_id": GENERAL,
        "is_ephemeral": False,
        "thread_ts": root,
    }
    assert payload["user"] == {"id": ANA, "username": "ana", "name": "ana", "team_id": "T0LOCAL"}
    assert payload["team"] == {"id": "T0LOCAL", "domain": "datathread-demo"}
    assert payload["channel"] == {"id": GENERAL, "name": "general"}
    assert (payload["type"], payload["message"]["ts"], payload["state"]) == ("block_actions", ts, {"values": {}})
    assert payload["trigger_id"]
    assert payload["response_url"].startswith(slack.url)


def test_what_is_not_there_cannot_be_pressed(slack: SlackServer, client: WebClient) -> None:
    ts = client.chat_postMessage(channel=GENERAL, text="49", blocks=ACTIONS)["ts"]
    message = {"channel": GENERAL, "ts": ts}
    for action, status in (({**PRESSED, "action_id": "other"}, 404), (PRESSED, 503)):
        with pytest.raises(HTTPError) as refused:
            slack.act("action", ANA, message=message, action=action)
        refused.value.close()
        assert refused.value.code == status  # the second: nobody is connected


def test_an_app_that_does_not_answer_is_not_waited_for(slack: SlackServer, client: WebClient) -> None:
    ts = client.chat_postMessage(channel=DM_OF[ANA], text="49", blocks=ACTIONS)["ts"]
    slack.app(event_types=[])
    slack.control("redelivery", {"after": 0.1})
    with wire_to(slack), pytest.raises(HTTPError) as refused:
        slack.act("action", ANA, message={"channel": DM_OF[ANA], "ts": ts}, action=PRESSED)
    refused.value.close()
    assert refused.value.code == 504


# --- response_url


def test_answers_at_a_response_url(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=[])
    ts = client.chat_postMessage(channel=GENERAL, text="49", blocks=ACTIONS)["ts"]
    with wire_to(slack) as wire:
        hook = WebhookClient(pressed(slack, wire, GENERAL, ts)["response_url"])
    assert hook.send(text="for all", response_type="in_channel").status_code == 200
    assert hook.send(text="only you", response_type="ephemeral").body == '{"ok":true}'
    assert hook.send(text="50", replace_original=True).status_code == 200
    assert [message["text"] for message in slack.messages(GENERAL)] == ["50", "for all"]
    assert hook.send(delete_original=True).status_code == 200
    assert [message["text"] for message in slack.messages(GENERAL)] == ["for all"]
    assert hook.send(text="fifth", response_type="in_channel").status_code == 200
    assert json.loads(hook.send(text="sixth").body)["error"] == "used_url"


def test_a_response_url_lives_half_an_hour(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=[])
    ts = client.chat_postMessage(channel=GENERAL, text="49", blocks=ACTIONS)["ts"]
    with wire_to(slack) as wire:
        hook = WebhookClient(pressed(slack, wire, GENERAL, ts)["response_url"])
    slack.advance(1801)
    assert json.loads(hook.send(text="late").body)["error"] == "expired_url"


def test_an_ephemeral_message_is_replaced_where_it_is_shown(slack: SlackServer, client: WebClient) -> None:
    ts = client.chat_postEphemeral(channel=GENERAL, user=ANA, text="sure?", blocks=ACTIONS)["message_ts"]
    with wire_to(slack) as wire:
        payload = pressed(slack, wire, GENERAL, ts)
        assert payload["container"]["is_ephemeral"]
        assert "message" not in payload
        assert WebhookClient(payload["response_url"]).send(text="done").status_code == 200
    assert slack.messages(GENERAL) == []


# --- modals


def opened(slack: SlackServer, client: WebClient, wire: Wire, view: Json) -> tuple[Json, str]:
    """A modal opened from a button, and the trigger that opened it."""
    ts = client.chat_postMessage(channel=GENERAL, text="49", blocks=ACTIONS)["ts"]
    trigger_id = pressed(slack, wire, GENERAL, ts)["trigger_id"]
    return client.views_open(trigger_id=trigger_id, view=view)["view"], trigger_id


def modals(slack: SlackServer) -> list[Json]:
    found: list[Json] = slack.request(f"/_page/state?as={ANA}")["modals"]
    return found


def test_a_modal_is_opened_filled_in_and_sent(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=[])
    values = {"name": {"value": {"type": "plain_text_input", "value": "Top apps"}}}
    with wire_to(slack) as wire:
        view, trigger_id = opened(slack, client, wire, modal(private_metadata="7"))
        with pytest.raises(SlackApiError, match="exchanged_trigger_id"):
            client.views_open(trigger_id=trigger_id, view=modal())
        assert modals(slack) == [view]
        assert slack.act("submit", ANA, view_id=view["id"], values={})["errors"].keys() == {"name"}
        envelope, answer = wire.during(lambda: slack.act("submit", ANA, view_id=view["id"], values=values))
    sent = envelope["payload"]
    assert (sent["type"], sent["view"]["state"], sent["view"]["private_metadata"]) == (
        "view_submission",
        {"values": values},
        "7",
    )
    assert (answer["errors"], modals(slack)) == ({}, [])


@pytest.mark.parametrize(
    ("answer", "titles", "errors"),
    [
        ({"response_action": "errors", "errors": {"name": "is taken"}}, ["Save"], {"name": "is taken"}),
        ({"response_action": "update", "view": modal("Saved")}, ["Saved"], {}),
        ({"response_action": "push", "view": modal("More")}, ["Save", "More"], {}),
        ({"response_action": "clear"}, [], {}),
    ],
    ids=lambda value: value.get("response_action", "") if isinstance(value, dict) else "",
)
def test_the_app_decides_what_becomes_of_a_modal(
    slack: SlackServer, client: WebClient, answer: Json, titles: list[str], errors: Json
) -> None:
    slack.app(event_types=[])
    values = {"name": {"value": {"type": "plain_text_input", "value": "Top apps"}}}
    with wire_to(slack) as wire:
        view, _ = opened(slack, client, wire, modal())
        _, said = wire.during(lambda: slack.act("submit", ANA, view_id=view["id"], values=values), answer)
    assert said["errors"] == errors
    assert [shown["title"]["text"] for shown in modals(slack)] == titles


def test_modals_are_pushed_updated_and_closed(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=[])
    with wire_to(slack) as wire:
        first, _ = opened(slack, client, wire, modal(external_id="mine", blocks=[INPUT, *ACTIONS]))
        envelope, _ = wire.during(lambda: slack.act("action", ANA, view_id=first["id"], action=PRESSED))
        assert envelope["payload"]["container"] == {"type": "view", "view_id": first["id"]}
        trigger_id = envelope["payload"]["trigger_id"]
        second = client.views_push(trigger_id=trigger_id, view=modal("Second", notify_on_close=True))["view"]
        assert (second["root_view_id"], second["previous_view_id"]) == (first["id"], first["id"])
        changed = client.views_update(external_id="mine", hash=first["hash"], view=modal("Changed"))["view"]
        with pytest.raises(SlackApiError, match="hash_conflict"):
            client.views_update(view_id=first["id"], hash=first["hash"], view=modal())
        closed, _ = wire.during(lambda: slack.act("close", ANA, view_id=second["id"]))
    assert (closed["payload"]["type"], closed["payload"]["is_cleared"]) == ("view_closed", False)
    assert modals(slack) == [changed]


@pytest.mark.parametrize(
    ("view", "line"),
    [
        (modal("x" * 25), "must be less than 25 characters [json-pointer:/view/title/text]"),
        ({**modal(), "submit": None}, "a modal with input blocks needs submit [json-pointer:/view]"),
        (modal(blocks=[{"type": "table", "rows": [[]]}]), "unsupported type: table [json-pointer:/view/blocks/0/type]"),
        (HOME, "must be of type modal here [json-pointer:/view/type]"),
    ],
    ids=["a long title", "no submit", "a table", "a home"],
)
def test_what_is_no_modal_is_refused(client: WebClient, view: Json, line: str) -> None:
    with pytest.raises(SlackApiError) as refused:
        client.views_open(trigger_id="1.2.3", view=view)
    assert refused.value.response["response_metadata"]["messages"] == [f"[ERROR] {line}"]


def test_a_trigger_lives_three_seconds(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=[])
    ts = client.chat_postMessage(channel=GENERAL, text="49", blocks=ACTIONS)["ts"]
    with wire_to(slack) as wire:
        trigger_id = pressed(slack, wire, GENERAL, ts)["trigger_id"]
    slack.advance(4)
    with pytest.raises(SlackApiError, match="expired_trigger_id"):
        client.views_open(trigger_id=trigger_id, view=modal())


# --- App Home, shortcuts, commands, menus


def test_the_home_of_a_person(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=["app_home_opened", "app_context_changed"])
    view = client.views_publish(user_id=ANA, view=HOME)["view"]
    with wire_to(slack) as wire:
        assert slack.act("context", ANA, channel=GENERAL)["ok"]
        looked = wire.envelope()["payload"]["event"]
        assert slack.act("home", ANA, tab="home")["ok"]
        opened = wire.envelope()["payload"]["event"]
        slack.act("home", ANA, tab="messages")
        messages = wire.envelope()["payload"]["event"]
        slack.wait_until_quiet()
    context = {"entities": [{"type": "slack#/types/channel_id", "value": GENERAL, "team_id": "T0LOCAL"}]}
    assert {**looked, "event_ts": ""} == {
        "type": "app_context_changed",
        "user": ANA,
        "channel": DM_OF[ANA],
        "event_ts": "",
        "context": context,
    }
    assert (opened["type"], opened["tab"], opened["view"], opened["context"]) == (
        "app_home_opened",
        "home",
        view,
        context,
    )
    assert (messages["tab"], "view" in messages) == ("messages", False)
    with pytest.raises(SlackApiError, match="hash_conflict"):
        client.views_publish(user_id=ANA, view=HOME, hash="old")


def test_a_menu_asks_the_app_for_its_options(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=[])
    menu = {"type": "external_select", "action_id": "pick"}
    blocks = [{"type": "actions", "block_id": "acts", "elements": [menu]}]
    ts = client.chat_postMessage(channel=GENERAL, text="which?", blocks=blocks)["ts"]
    options = [{"text": {"type": "plain_text", "text": "Apps"}, "value": "apps"}]
    facts = {"message": {"channel": GENERAL, "ts": ts}, "block_id": "acts", "action_id": "pick", "value": "ap"}
    with wire_to(slack) as wire:
        envelope, answer = wire.during(lambda: slack.act("options", ANA, **facts), {"options": options})
    asked = envelope["payload"]
    assert (asked["type"], asked["value"], asked["action_id"]) == ("block_suggestion", "ap", "pick")
    assert answer["options"] == options


def test_nobody_uses_the_modals_of_others(slack: SlackServer, client: WebClient) -> None:
    slack.app(event_types=[])
    with wire_to(slack) as wire:
        view, _ = opened(slack, client, wire, modal())
        with pytest.raises(HTTPError) as refused:
            slack.act("submit", BEN, view_id=view["id"], values={})
    refused.value.close()
    assert refused.value.code == 404


def test_a_hook_that_was_never_given_is_refused(slack: SlackServer) -> None:
    body = Request(f"{slack.url}/hooks/nothing", b"{}", {"Content-Type": "application/json"})
    with pytest.raises(HTTPError) as refused, urlopen(body, timeout=10):
        pass
    refused.value.close()
    assert refused.value.code == 400
