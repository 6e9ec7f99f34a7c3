"""How Slack reaches us: a Socket Mode connection, or HTTP requests.

A connection may be open and dead; pongs to our own pings tell.
"""

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from socket import SHUT_RDWR, socket
from time import time
from typing import Protocol

from slack_bolt import App
from slack_bolt.adapter.socket_mode.internals import run_bolt_app, send_response
from slack_sdk.socket_mode.builtin import SocketModeClient
from slack_sdk.socket_mode.client import BaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from bot.contact.ledger import Arrivals
from bot.inbound import is_sound, moment
from bot.listeners import Body

ARRIVAL_THREADS = 1  # more would let a reply overtake the mention that it follows, and be taken for talk among people
PINGS_IN_SILENCE = 3
log = logging.getLogger(__name__)
Accept = Callable[[Body, Callable[[], None]], None]
BUFFER_BYTES = 65_536  # the SDK calls itself anew for each piece, and fails at Python's limit


def is_message(request: SocketModeRequest) -> bool:
    kind = request.payload.get("event", {}).get("type")
    return request.type == "events_api" and kind in ("message", "app_mention")


class SlackConnection(Protocol):
    """One way from Slack to us."""

    def heard_at(self) -> float:
        """Return the Unix time of its last sign of life."""

    def is_broken(self) -> bool:
        """Whether something it was told could not be read."""

    def renew(self) -> None:
        """Open a new connection in place of the old one."""

    def close(self) -> None: ...


class SocketConnection:
    """A Socket Mode connection, replaced by Slack every few hours; `opened(heard_at)` comes first.

    Messages go to `accept(body, acknowledge)`, past Bolt: while one is stored the next ones join it.
    """

    def __init__(
        self,
        bolt: App,
        app_token: str,
        silence: float,
        arrivals: Arrivals,
        opened: Callable[[float], None],
        accept: Accept,
    ) -> None:
        self._bolt = bolt
        self._heard = time()
        self._arrivals = arrivals
        self._opened = opened
        self._accept = accept
        self._is_broken = False
        self._client = _Client(self._note, app_token, silence / PINGS_IN_SILENCE, bolt)
        self._client.socket_mode_request_listeners.append(self._take)
        self._client.on_error_listeners.append(self._fail)
        self._client.connect()

    def heard_at(self) -> float:
        session = self._client.current_session
        pong = session.last_ping_pong_time if session is not None else None
        return max(self._heard, pong or 0.0)

    def is_broken(self) -> bool:
        return self._is_broken

    def renew(self) -> None:
        self._is_broken = False
        self._client.connect_to_new_endpoint(force=True)

    def close(self) -> None:
        self._client.close()

    def _note(self, frame: str) -> None:
        """Note an event before anything after it is heard, so that no mark can pass it."""
        try:
            told = json.loads(frame) if frame.startswith("{") else {}
        except (ValueError, RecursionError):
            self._fail(ValueError("a frame that is no JSON"))
            return
        now = time()
        if told.get("type") == "hello":
            self._opened(self.heard_at())
        elif told.get("type") == "events_api":
            payload = told.get("payload")
            event = payload.get("event") if isinstance(payload, dict) else None
            sent = moment(event.get("event_ts"), now) if isinstance(event, dict) else now
            self._arrivals.came(str(told.get("envelope_id")), min(now, sent))
        self._heard = now

    def _fail(self, error: Exception) -> None:
        """Leave a gap for frames that the SDK drops."""
        if not (isinstance(error, OSError) or self._is_broken):
            self._is_broken = True
            self._opened(self.heard_at())

    def _take(self, client: BaseSocketModeClient, request: SocketModeRequest) -> None:
        began = time()
        try:
            if not is_sound(request.payload):  # repeated it would be the same
                log.warning("Slack sent an envelope of no known shape, which is left out")
                client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))
            elif is_message(request):
                acknowledgement = SocketModeResponse(request.envelope_id)
                self._accept(request.payload, lambda: client.send_socket_mode_response(acknowledgement))
            else:
                send_response(client, request, run_bolt_app(self._bolt, request), began)
        finally:
            self._arrivals.over(request.envelope_id)


class _Client(SocketModeClient):
    """A client whose frames are noted as they come in, and which closes at once."""

    def __init__(self, note: Callable[[str], None], app_token: str, ping_interval: float, bolt: App) -> None:
        self._note = note
        super().__init__(
            app_token,
            logger=bolt.logger,
            web_client=bolt.client,
            ping_interval=ping_interval,
            receive_buffer_size=BUFFER_BYTES,
            concurrency=ARRIVAL_THREADS,
            proxy=bolt.client.proxy,
        )

    def enqueue_message(self, message: str) -> None:
        self._note(message)
        super().enqueue_message(message)

    def disconnect(self) -> None:
        """Wake the reader, for which the SDK waits."""
        if self.current_session is not None and self.current_session.sock is not None:
            with suppress(OSError):  # the other side is gone already
                socket.shutdown(self.current_session.sock, SHUT_RDWR)  # an SSL socket would stop decrypting
        super().disconnect()


class HttpConnection:
    """Requests from Slack, repeated by Slack."""

    def heard_at(self) -> float:
        return time()

    def is_broken(self) -> bool:
        return False

    def renew(self) -> None:
        """Do nothing: Slack opens each request."""

    def close(self) -> None:
        """Do nothing."""
