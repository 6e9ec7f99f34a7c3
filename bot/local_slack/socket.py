"""Socket Mode: the app's WebSocket connections and the envelopes on their way to it.

Each envelope goes to one connection, in turn. An event that is not acknowledged in time is sent again with the same
event_id, to whichever connection is open then; while none is, envelopes wait. After the last retry on an open connection
an event is given up, as Slack does. An acknowledgement counts on any connection, for clients switch them.
"""

import asyncio
import contextlib
import json
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from starlette.websockets import WebSocket, WebSocketDisconnect

from bot.local_slack.entities import Json

CONNECTION_LIMIT = 10
_SECONDS_UNTIL_REFRESH = 18060


@dataclass(frozen=True, slots=True)
class Redelivery:
    """How long the app has to acknowledge (seconds), and how often an event is repeated after that."""

    after: float = 3.0
    limit: int = 3


@dataclass(eq=False, slots=True)
class Connection:
    """One open WebSocket; a draining one was told to disconnect and is given nothing more."""

    outbox: asyncio.Queue[Json] = field(default_factory=asyncio.Queue)
    is_open: bool = True
    is_draining: bool = False


@dataclass(eq=False, slots=True)
class Delivery:
    """One payload on its way to the app: what was tried and what came of it."""

    payload: Json
    attempt: int = -1  # retry_attempt of the newest try
    carrier: Connection | None = None
    is_acknowledged: bool = False
    is_given_up: bool = False
    timer: asyncio.TimerHandle | None = None

    @property
    def event_id(self) -> str:
        return str(self.payload["event_id"])


class Gateway:
    """All connections of the app and all deliveries to it. Used on one event loop."""

    def __init__(self, app_id: str, redelivery: Redelivery, presence_changed: Callable[[bool], None]) -> None:
        self.app_id = app_id
        self.redelivery = redelivery
        self.presence_changed = presence_changed
        self.is_duplicating = False
        self.deliveries: list[Delivery] = []
        self._connections: list[Connection] = []
        self._tickets: set[str] = set()
        self._by_envelope: dict[str, Delivery] = {}
        self._waiting: deque[Delivery] = deque()

    # --- connections

    @property
    def connection_count(self) -> int:
        return len(self._connections)

    def new_ticket(self) -> str:
        """A one-time permission to connect, part of the URL that apps.connections.open returns."""
        ticket = str(uuid.uuid4())
        self._tickets.add(ticket)
        return ticket

    async def serve(self, websocket: WebSocket) -> None:
        """Keep one WebSocket until either side closes it; refuses an unknown ticket with 403."""
        ticket = websocket.query_params.get("ticket", "")
        if ticket not in self._tickets:
            await websocket.close()
            return
        self._tickets.discard(ticket)
        await websocket.accept()
        if len(self._connections) >= CONNECTION_LIMIT:
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
        """Tell every connection to go and, but for a mere warning, close it; returns how many were told."""
        for connection in self._connections:
            frame = _disconnect_frame(reason)
            connection.outbox.put_nowait(frame)
            connection.is_draining = connection.is_draining or _is_last(frame)
        return len(self._connections)

    # --- deliveries

    def deliver(self, payload: Json) -> None:
        """Send an event to the app, twice while duplicates are switched on."""
        for _ in range(2 if self.is_duplicating else 1):
            delivery = Delivery(payload)
            self.deliveries.append(delivery)
            self._dispatch(delivery)

    def redeliver(self, event_id: str) -> bool:
        """Send an earlier event once more, whatever became of it; false if there was none."""
        earlier = next((delivery for delivery in self.deliveries if delivery.event_id == event_id), None)
        if earlier is None:
            return False
        repeated = Delivery(earlier.payload, attempt=earlier.attempt)
        self.deliveries.append(repeated)
        self._dispatch(repeated)
        return True

    def undelivered(self) -> list[Delivery]:
        """What still waits for a connection or an acknowledgement."""
        return [delivery for delivery in self.deliveries if not delivery.is_acknowledged and not delivery.is_given_up]

    def clear(self) -> None:
        """Forget all deliveries; connections stay."""
        for delivery in self.deliveries:
            if delivery.timer:
                delivery.timer.cancel()
        self.is_duplicating = False
        self.deliveries.clear()
        self._by_envelope.clear()
        self._waiting.clear()

    @contextlib.contextmanager
    def _connected(self, host: str) -> Iterator[Connection]:
        connection = Connection()
        self._connections.append(connection)
        connection.outbox.put_nowait(self._hello(host))
        if len(self._connections) == 1:
            self.presence_changed(True)
        while self._waiting:
            self._dispatch(self._waiting.popleft())
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
            self._acknowledge(_envelope_id(message.get("text") or ""))

    def _acknowledge(self, envelope_id: str) -> None:
        delivery = self._by_envelope.pop(envelope_id, None)
        if delivery is None:
            return
        delivery.is_acknowledged = True
        if delivery.timer:
            delivery.timer.cancel()

    def _dispatch(self, delivery: Delivery) -> None:
        """Hand `delivery` to the next connection in turn, or let it wait for one."""
        if delivery.is_acknowledged:
            return
        connection = next((one for one in self._connections if not one.is_draining), None)
        if connection is None:
            self._waiting.append(delivery)
            return
        self._connections.remove(connection)
        self._connections.append(connection)
        delivery.attempt += 1
        delivery.carrier = connection
        envelope_id = str(uuid.uuid4())
        self._by_envelope[envelope_id] = delivery
        connection.outbox.put_nowait(_envelope(envelope_id, delivery))
        loop = asyncio.get_running_loop()
        delivery.timer = loop.call_later(self.redelivery.after, self._overdue, delivery)

    def _overdue(self, delivery: Delivery) -> None:
        was_heard = delivery.carrier is not None and delivery.carrier.is_open
        if was_heard and delivery.attempt >= self.redelivery.limit:
            delivery.is_given_up = True
        else:
            self._dispatch(delivery)


async def _send_from(outbox: asyncio.Queue[Json], websocket: WebSocket) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the app went away; its envelopes are repeated
        while not _is_last(frame := await outbox.get()):
            await websocket.send_json(frame)
        await websocket.send_json(frame)
        await websocket.close()


def _envelope_id(frame: str) -> str:
    """The envelope that a frame of the client acknowledges; empty for frames of any other kind."""
    try:
        content = json.loads(frame)
    except ValueError:
        return ""
    return str(content.get("envelope_id", "")) if isinstance(content, dict) else ""


def _envelope(envelope_id: str, delivery: Delivery) -> Json:
    return {
        "envelope_id": envelope_id,
        "type": "events_api",
        "payload": delivery.payload,
        "accepts_response_payload": False,
        "retry_attempt": delivery.attempt,
        "retry_reason": "timeout" if delivery.attempt else "",
    }


def _is_last(frame: Json) -> bool:
    """Whether the server closes the connection after `frame`, so that the client notices at once."""
    return bool(frame["type"] == "disconnect" and frame["reason"] != "warning")


def _disconnect_frame(reason: str) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": {"host": "local"}}
