"""A small Bolt app that answers everything a person can do with it, and remembers what it heard."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slack_bolt import Ack, App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

from local_slack.testing import SlackServer
from tests.wait import until

HERE = Path(__file__).parent
MANIFEST = HERE / "manifest.json"
VIEWS: dict[str, Any] = json.loads((HERE / "views.json").read_text("utf-8"))

Payload = dict[str, Any]
ANYTHING = re.compile("")


@dataclass(frozen=True)
class Heard:
    """What the app was told, oldest first."""

    payloads: list[Payload] = field(default_factory=list)

    def last(self, kind: str) -> Payload:
        """The newest payload of a type, as soon as there is one."""
        return until(lambda: [one for one in self.payloads if one.get("type") == kind], what=f"a {kind}")[-1]

    def action(self, action_id: str) -> Payload:
        """The newest use of a control, as soon as there is one."""

        def found() -> list[Payload]:
            actions = [action for one in self.payloads for action in one.get("actions", [])]
            return [action for action in actions if action["action_id"] == action_id]

        return until(found, what=f"an action {action_id}")[-1]


def build(client: WebClient, heard: Heard) -> App:
    app = App(client=client)
    _answer_controls(app, heard)
    _answer_views(app, heard)
    _answer_calls(app, heard)
    return app


def _answer_controls(app: App, heard: Heard) -> None:
    """`modal:NAME` and `push:NAME` as the id of a control show that view of views.json, `silent` gets no answer."""

    @app.action(ANYTHING)
    def act(ack: Ack, body: Payload, action: Payload, client: WebClient) -> None:
        if action["action_id"] == "silent":
            return
        ack()
        heard.payloads.append(body)
        kind, _, name = action["action_id"].partition(":")
        if kind == "modal":
            client.views_open(trigger_id=body["trigger_id"], view=VIEWS[name])
        if kind == "push":
            client.views_push(trigger_id=body["trigger_id"], view=VIEWS[name])

    @app.options(ANYTHING)
    def offer(ack: Ack, body: Payload) -> None:
        names = [name for name in ("Lumo", "Luna", "Ōkami") if body["value"].lower() in name.lower()]
        ack(options=[{"text": {"type": "plain_text", "text": name}, "value": name} for name in names])


def _answer_views(app: App, heard: Heard) -> None:
    """The title "wrong" is refused, "next" makes the form another view."""

    @app.view(ANYTHING)
    def submit(ack: Ack, body: Payload) -> None:
        heard.payloads.append(body)
        title = body["view"]["state"]["values"].get("title", {}).get("title", {}).get("value")
        if title == "wrong":
            ack(response_action="errors", errors={"title": "This title is taken."})
        elif title == "next":
            ack(response_action="update", view=VIEWS["done"])
        else:
            ack()

    @app.view_closed(ANYTHING)
    def closed(ack: Ack, body: Payload) -> None:
        ack()
        heard.payloads.append(body)


def _answer_calls(app: App, heard: Heard) -> None:
    @app.shortcut(ANYTHING)
    def shortcut(ack: Ack, body: Payload, client: WebClient) -> None:
        ack()
        heard.payloads.append(body)
        client.views_open(trigger_id=body["trigger_id"], view=VIEWS["form"])

    @app.command("/ask")
    def ask(ack: Ack, body: Payload) -> None:
        heard.payloads.append({**body, "type": "slash_command"})
        ack(f"You asked: {body['text']}")

    @app.event(ANYTHING)
    def event(body: Payload) -> None:
        heard.payloads.append(body["event"])


@contextmanager
def bolt_app(slack: SlackServer) -> Iterator[Heard]:
    """The app, connected for the block."""
    heard = Heard()
    client = WebClient(token=slack.bot_token, base_url=slack.api_url)
    handler = SocketModeHandler(build(client, heard), slack.app_token)
    handler.connect()  # type: ignore[no-untyped-call]
    try:
        slack.wait_for_connections()
        yield heard
    finally:
        handler.close()  # type: ignore[no-untyped-call]
