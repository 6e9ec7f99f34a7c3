"""Socket Mode: the app's WebSocket connections take turns in carrying envelopes.

An acknowledgement counts on any connection, since clients switch them.
"""

import asyncio
import contextlib
import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from starlette.websockets import WebSocket, WebSocketDisconnect

from local_slack.delivery.deliveries import OutgoingPayload
from local_slack.limits import Limits
from local_slack.wire import Json

_SECONDS_UNTIL_REFRESH = 18060


@dataclass(eq=False, slots=True)
class Connection:
    """One open WebSocket. A draining one, told to disconnect, gets nothing more; a silent one swallows all."""

    envelopes: dict[str, OutgoingPayload]  # of all connections, by envelope_id
    outbox: asyncio.Queue[Json | None] = field(default_factory=asyncio.Queue)  # None ends it without a word
    is_open: bool = True
    is_draining: bool = False
    is_silent: bool = False

    def carry(self, delivery: OutgoingPayload) -> None:
        envelope_id = str(uuid.uuid4())
        self.envelopes[envelope_id] = delivery
        if not self.is_silent:
            self.outbox.put_nowait(_envelope(envelope_id, delivery))


class Gateway:
    """All connections of the app. Used on one event loop."""

    def __init__(self, app_id: str, limits: Limits, presence_changed: Callable[[bool], None]) -> None:
        self.app_id = app_id
        self._limits = limits
        self.presence_changed = presence_changed
        self.acknowledged: Callable[[OutgoingPayload, Json], None] = lambda _delivery, _answer: None
        self.connected: Callable[[], None] = lambda: None
        self._connections: list[Connection] = []
        self._tickets: set[str] = set()
        self._envelopes: dict[str, OutgoingPayload] = {}

    @property
    def connection_count(self) -> int:
        return sum(not connection.is_silent for connection in self._connections)

    def new_ticket(self) -> str:
        """Return a one-time permission to connect, for the URL of apps.connections.open."""
        ticket = str(uuid.uuid4())
        self._tickets.add(ticket)
        return ticket

    async def serve(self, websocket: WebSocket) -> None:
        """Keep one WebSocket until either side closes it; refuse an unknown ticket with 403."""
        ticket = websocket.query_params.get("ticket", "")
        if ticket not in self._tickets:
            await websocket.close()
            return
        self._tickets.discard(ticket)
        await websocket.accept()
        if len(self._connections) >= self._limits["connections"]:
            await websocket.send_json(_disconnect_frame("too_many_websockets"))
            await websocket.close()
            return
        with self._connected(websocket.url.netloc) as connection:
            sender = asyncio.create_task(_send_from(connection.outbox, websocket))
            try:
                await self._receive(websocket)
            finally:
                sender.cancel()

    def disconnect(self, reason: str) -> int:
        """Tell every connection to go, and unless it is a warning close it; return the count."""
        for connection in self._connections:
            frame = _disconnect_frame(reason)
            connection.outbox.put_nowait(frame)
            connection.is_draining = connection.is_draining or _is_last(frame)
        return len(self._connections)

    def cut(self) -> None:
        """End every connection without a word."""
        for connection in self._connections:
            connection.is_draining = True
            connection.outbox.put_nowait(None)

    def silence(self) -> None:
        for connection in self._connections:
            connection.is_silent = True

    def next_carrier(self) -> Connection | None:
        """Take the next connection in turn; a silent one only without another."""
        open_ones = [one for one in self._connections if not one.is_draining]
        connection = next((one for one in open_ones if not one.is_silent), open_ones[0] if open_ones else None)
        if connection is not None:
            self._connections.remove(connection)
            self._connections.append(connection)
        return connection

    def clear(self) -> None:
        """Expect no acknowledgement any more; keep connections."""
        self._envelopes.clear()

    @contextlib.contextmanager
    def _connected(self, host: str) -> Iterator[Connection]:
        connection = Connection(self._envelopes)
        self._connections.append(connection)
        connection.outbox.put_nowait(self._hello(host))
        if len(self._connections) == 1:
            self.presence_changed(True)
        self.connected()
        try:
            yield connection
        finally:
            connection.is_open = False
            self._connections.remove(connection)
            if not self._connections:
                self.presence_changed(False)

    def _hello(self, host: str) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self._connections),
            "connection_info": {"app_id": self.app_id},
            "debug_info": {"host": host, "approximate_connection_time": _SECONDS_UNTIL_REFRESH},
        }

    async def _receive(self, websocket: WebSocket) -> None:
        while (message := await websocket.receive())["type"] == "websocket.receive":
            self._acknowledge(_frame(message.get("text") or ""))

    def _acknowledge(self, frame: Json) -> None:
        delivery = self._envelopes.pop(str(frame.get("envelope_id")), None)
        if delivery is not None:
            answer = frame.get("payload")
            self.acknowledged(delivery, answer if isinstance(answer, dict) else {})


async def _send_from(outbox: asyncio.Queue[Json | None], websocket: WebSocket) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the app went away; its envelopes are repeated
        while (frame := await outbox.get()) is not None:
            await websocket.send_json(frame)
            if _is_last(frame):
                break
        await websocket.close()


def _frame(text: str) -> Json:
    """Parse a client's frame; anything but an object counts as empty."""
    try:
        content = json.loads(text)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _envelope(envelope_id: str, delivery: OutgoingPayload) -> Json:
    envelope = {
        "envelope_id": envelope_id,
        "type": delivery.kind,
        "payload": delivery.payload,
        "accepts_response_payload": delivery.kind != "events_api",
    }
    if delivery.kind != "events_api":
        return envelope
    return {**envelope, "retry_attempt": delivery.attempt, "retry_reason": delivery.retry_reason}


def _is_last(frame: Json) -> bool:
    """Whether the server closes the connection after `frame`."""
    return bool(frame["type"] == "disconnect" and frame["reason"] != "warning")


def _disconnect_frame(reason: str) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": {"host": "local"}}
