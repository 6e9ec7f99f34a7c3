"""Unmodified Bolt apps, in both styles, on every surface: commands, shortcuts, buttons, modals, menus; over every transport.

One function registers the same listeners with either style; what people see must not depend on the style.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from slack_bolt import App
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.adapter.socket_mode.websocket_client import SocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.request import BoltRequest
from slack_sdk import WebClient
from slack_sdk.web.async_client import AsyncWebClient

from local_slack.testing import ANA, BEN, DM_OF, GENERAL, MENTION, SlackServer, slack_server
from tests.local_slack.contract.wire import let_go

Json = dict[str, Any]

MANIFEST = Path(__file__).with_name("manifest.yml")
SECRET = "local-signing-secret"
BUTTON = {"type": "button", "action_id": "save", "text": {"type": "plain_text", "text": "Save"}, "value": "7"}
ACTIONS = [{"type": "actions", "block_id": "acts", "elements": [BUTTON]}]
MODAL = {
    "type": "modal",
    "callback_id": "save",
    "title": {"type": "plain_text", "text": "Save"},
    "submit": {"type": "plain_text", "text": "Go"},
    "blocks": [
        {
            "type": "input",
            "block_id": "name",
            "label": {"type": "plain_text", "text": "Name"},
            "element": {"type": "plain_text_input", "action_id": "value"},
        }
    ],
}


@pytest.fixture(scope="module", params=["socket mode", "socket mode, asynchronous", "HTTP"])
def slack_with_app(request: pytest.FixtureRequest) -> Iterator[SlackServer]:
    with slack_server("--manifest", str(MANIFEST)) as slack, RUNNING[request.param](slack):
        yield slack


@pytest.fixture
def slack(slack_with_app: SlackServer) -> SlackServer:
    return slack_with_app


def test_a_mention_is_answered(slack: SlackServer) -> None:
    ts = slack.say(ANA, GENERAL, f"{MENTION} apps?")
    assert slack.wait_for_reply(GENERAL, ts)["text"] == "49"


def test_a_command_is_answered_by_a_modal_that_posts(slack: SlackServer) -> None:
    slack.act("command", ANA, channel=GENERAL, command="/ask", text="apps?")
    [view] = slack.request(f"/_page/state?as={ANA}")["modals"]
    values = {"name": {"value": {"type": "plain_text_input", "value": "taken"}}}
    assert slack.act("submit", ANA, view_id=view["id"], values=values)["errors"] == {"name": "is taken"}
    values["name"]["value"]["value"] = "Top apps"
    assert slack.act("submit", ANA, view_id=view["id"], values=values)["errors"] == {}
    assert slack.request(f"/_page/state?as={ANA}")["modals"] == []
    assert slack.messages(DM_OF[ANA])[-1]["text"] == "saved Top apps"


def test_a_button_is_answered(slack: SlackServer) -> None:
    root = slack.say(BEN, GENERAL, f"{MENTION} apps?")
    reply = slack.wait_for_reply(GENERAL, root)
    pressed = {"type": "button", "block_id": "acts", "action_id": "save"}
    slack.act("action", BEN, message={"channel": GENERAL, "ts": reply["ts"]}, action=pressed)
    assert slack.messages(GENERAL, root)[-1]["text"] == "7 saved for Ben"


def test_shortcuts_anywhere_and_on_a_message(slack: SlackServer) -> None:
    ts = slack.say(ANA, DM_OF[ANA], "what is this?")
    slack.act("shortcut", ANA, callback_id="explain", message={"channel": DM_OF[ANA], "ts": ts})
    assert slack.messages(DM_OF[ANA])[-1]["text"] == "explained what is this?"
    slack.act("shortcut", BEN, callback_id="question")
    assert slack.messages(DM_OF[BEN])[-1]["text"] == "ask"


def test_a_reaction_is_noticed(slack: SlackServer) -> None:
    ts = slack.say(ANA, GENERAL, "thanks")
    slack.react(ANA, GENERAL, ts, "eyes")
    assert slack.wait_for_reply(GENERAL, ts)["text"] == "eyes seen"


# --- the app, written once: what is to be said to Slack, and what to call, for each thing that happens

Decision = tuple[Json, str, Json]  # (arguments of ack, method, its arguments)


def on_mention(body: Json) -> Decision:
    event = body["event"]
    facts = {"channel": event["channel"], "thread_ts": event["ts"], "text": "49", "blocks": ACTIONS}
    return {}, "chat.postMessage", facts


def on_message(_body: Json) -> Decision:
    return {}, "", {}


def on_reaction(body: Json) -> Decision:
    item, name = body["event"]["item"], body["event"]["reaction"]
    return {}, "chat.postMessage", {"channel": item["channel"], "thread_ts": item["ts"], "text": f"{name} seen"}


def on_command(body: Json) -> Decision:
    return {}, "views.open", {"trigger_id": body["trigger_id"], "view": MODAL}


def on_button(body: Json) -> Decision:
    text = f"{body['actions'][0]['value']} saved for {body['user']['name'].title()}"
    place = {"channel": body["channel"]["id"], "thread_ts": body["container"]["thread_ts"]}
    return {}, "chat.postMessage", {**place, "text": text}


def on_submission(body: Json) -> Decision:
    name = body["view"]["state"]["values"]["name"]["value"]["value"]
    if name == "taken":
        return {"response_action": "errors", "errors": {"name": "is taken"}}, "", {}
    return {}, "chat.postMessage", {"channel": body["user"]["id"], "text": f"saved {name}"}


def on_question(body: Json) -> Decision:
    return {}, "chat.postMessage", {"channel": body["user"]["id"], "text": "ask"}


def on_explain(body: Json) -> Decision:
    text = f"explained {body['message']['text']}"
    return {}, "chat.postMessage", {"channel": body["channel"]["id"], "text": text}


LISTENERS: list[tuple[str, str, Callable[[Json], Decision]]] = [
    ("event", "app_mention", on_mention),
    ("event", "message", on_message),
    ("event", "reaction_added", on_reaction),
    ("command", "/ask", on_command),
    ("action", "save", on_button),
    ("view", "save", on_submission),
    ("shortcut", "question", on_question),
    ("shortcut", "explain", on_explain),
]


def listen(app: Any, style: Callable[[Callable[[Json], Decision]], Any]) -> None:
    for surface, name, decide in LISTENERS:
        getattr(app, surface)(name)(style(decide))


def synchronous(decide: Callable[[Json], Decision]) -> Any:
    def listener(ack: Any, body: Json, client: WebClient) -> None:
        answer, method, facts = decide(body)
        if method:
            client.api_call(method, json=facts)
        ack(**answer)

    return listener


def asynchronous(decide: Callable[[Json], Decision]) -> Any:
    async def listener(ack: Any, body: Json, client: AsyncWebClient) -> None:
        answer, method, facts = decide(body)
        if method:
            await client.api_call(method, json=facts)
        await ack(**answer)

    return listener


# --- how it is run


@contextmanager
def socket_app(slack: SlackServer) -> Iterator[None]:
    app = App(client=WebClient(token=slack.bot_token, base_url=slack.api_url))
    listen(app, synchronous)
    handler = SocketModeHandler(app, slack.app_token)
    handler.connect()  # type: ignore[no-untyped-call]
    slack.wait_for_connections(1)
    try:
        yield
    finally:
        let_go(handler.close)


@contextmanager
def asynchronous_app(slack: SlackServer) -> Iterator[None]:
    """An AsyncApp on an event loop in a thread of its own."""
    stop: Future[asyncio.Event] = Future()

    async def run() -> None:
        app = AsyncApp(client=AsyncWebClient(slack.bot_token, slack.api_url))
        listen(app, asynchronous)
        handler = AsyncSocketModeHandler(app, slack.app_token)
        await handler.connect_async()  # type: ignore[no-untyped-call]
        stopped = asyncio.Event()
        stop.set_result(stopped)
        await stopped.wait()
        await handler.close_async()  # type: ignore[no-untyped-call]

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    try:
        slack.wait_for_connections(1)
        yield
    finally:
        loop.call_soon_threadsafe(stop.result(10).set)
        thread.join()
        loop.close()


@contextmanager
def http_app(slack: SlackServer) -> Iterator[None]:
    """A Bolt app behind an address of its own, which checks signatures."""
    app = App(client=WebClient(token=slack.bot_token, base_url=slack.api_url), signing_secret=SECRET)
    listen(app, synchronous)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            answer = app.dispatch(BoltRequest(body=body, headers={k: [v] for k, v in self.headers.items()}))
            content = (answer.body or "").encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.headers.get("content-type", ["text/plain"])[0])
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            slack.control("request_url", {"url": f"http://127.0.0.1:{server.server_port}/slack/events"})
            yield
        finally:
            server.shutdown()
            thread.join()


RUNNING: dict[str, Callable[[SlackServer], Any]] = {
    "socket mode": socket_app,
    "socket mode, asynchronous": asynchronous_app,
    "HTTP": http_app,
}
