"""How Slack reaches us: a Socket Mode connection, or HTTP requests.

A connection may be open and dead; pongs to our own pings tell.
"""

from time import time
from typing import Protocol

from slack_bolt import App
from slack_bolt.adapter.socket_mode.builtin import SocketModeHandler

ARRIVAL_THREADS = 1  # more would let a reply overtake the mention that it follows, and be taken for talk among people
PINGS_IN_SILENCE = 3


class SlackConnection(Protocol):
    """One way from Slack to us."""

    def heard_at(self) -> float:
        """Return the Unix time of its last sign of life."""

    def renew(self) -> None:
        """Open a new connection in place of the old one."""

    def close(self) -> None: ...


class SocketConnection:
    """A Socket Mode connection, replaced by Slack every few hours."""

    def __init__(self, bolt: App, app_token: str, silence: float) -> None:
        self._heard = time()
        handler = SocketModeHandler(
            bolt, app_token, concurrency=ARRIVAL_THREADS, ping_interval=silence / PINGS_IN_SILENCE
        )
        self._client = handler.client
        self._client.on_message_listeners.append(self._on_message)
        self._client.connect()

    def heard_at(self) -> float:
        session = self._client.current_session
        pong = session.last_ping_pong_time if session is not None else None
        return max(self._heard, pong or 0.0)

    def renew(self) -> None:
        self._client.connect_to_new_endpoint(force=True)

    def close(self) -> None:
        self._client.close()

    def _on_message(self, text: str) -> None:  # noqa: ARG002 - whatever it says, somebody is there
        self._heard = time()


class HttpConnection:
    """Requests from Slack, repeated by Slack."""

    def heard_at(self) -> float:
        return time()

    def renew(self) -> None:
        """Do nothing: Slack opens each request."""

    def close(self) -> None:
        """Do nothing."""
