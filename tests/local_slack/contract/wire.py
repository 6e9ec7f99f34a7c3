"""Socket Mode with nothing but a WebSocket: what a test sends and receives is what is on the wire."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from slack_sdk import WebClient
from websockets.sync.client import ClientConnection, connect

from local_slack.in_process import Connection, SlackInProcess
from local_slack.testing import SlackServer

Json = dict[str, Any]


@dataclass
class Wire:
    """One connection of the app; `seen` collects every frame read so far."""

    connection: ClientConnection | Connection
    seen: list[Json] = field(default_factory=list)

    def frame(self, timeout: float = 10.0) -> Json:
        """The next frame, waited for."""
        content: Json = json.loads(self.connection.recv(timeout))
        self.seen.append(content)
        return content

    def ack(self, envelope: Json, answer: Json | None = None) -> None:
        payload = {} if answer is None else {"payload": answer}
        self.connection.send(json.dumps({"envelope_id": envelope["envelope_id"], **payload}))

    def during(self, act: Callable[[], Json], answer: Json | None = None) -> tuple[Json, Json]:
        """Do `act`, which waits for the app, and answer it; returns what the app was sent and what `act` returned."""
        with ThreadPoolExecutor(1) as pool:
            doing = pool.submit(act)
            envelope = self.frame()
            self.ack(envelope, answer)
            return envelope, doing.result(10)

    def envelope(self, *, ack: bool = True) -> Json:
        """The next frame, which must be an envelope, acknowledged unless told not to."""
        envelope = self.frame()
        assert envelope["type"] == "events_api", envelope
        if ack:
            self.ack(envelope)
        return envelope

    def payloads(self, is_complete: Callable[[list[Json]], bool]) -> list[Json]:
        """The payloads from here on, all acknowledged, until `is_complete` says so."""
        found: list[Json] = []
        while not is_complete(found):
            found.append(self.envelope()["payload"])
        return found


def let_go(close: Callable[[], None]) -> None:
    """Close a client of the SDK without waiting for it: some of them sleep for seconds before they notice."""
    Thread(target=close, daemon=True).start()


@contextmanager
def wire_to(slack: SlackServer) -> Iterator[Wire]:
    """A connection that has read its hello frame (`seen[0]`)."""
    opened = WebClient(token=slack.app_token, base_url=slack.api_url).apps_connections_open(app_token=slack.app_token)
    opening = slack.door.connect if isinstance(slack, SlackInProcess) else connect
    with opening(opened["url"]) as connection:
        wire = Wire(connection)
        wire.frame()
        yield wire
