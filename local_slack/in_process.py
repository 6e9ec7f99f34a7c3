"""Run a local Slack in this process, without a socket: urllib hands what is meant for it to its application.

Slack's clients call through urllib, so `slack_in_process` takes the place of `slack_server` where no other process and
no browser takes part. One at a time.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPMessage, RemoteDisconnected
from io import BytesIO
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Self
from urllib.parse import unquote, urlsplit
from urllib.request import BaseHandler, Request, build_opener, install_opener
from urllib.response import addinfourl

from starlette.requests import Request as Heard
from starlette.types import ASGIApp, Message
from websockets.exceptions import ConnectionClosedOK

from local_slack.__main__ import options_of
from local_slack.page.streams import PageStreams
from local_slack.server import Alarm, create_app
from local_slack.slack import local_slack
from local_slack.testing import SlackServer
from local_slack.wire import Json

HOST = "127.0.0.1:65535"  # where nobody listens
HUNG_UP = "hung up"
_SECONDS_TO_CLOSE = 10.0


@dataclass(frozen=True)
class SlackInProcess(SlackServer):
    door: "Door" = field(kw_only=True)


class Door(BaseHandler):
    """Answers the requests for `HOST`; all others go the usual way."""

    handler_order = 50  # before a proxy

    def __init__(self, app: ASGIApp, loop: asyncio.AbstractEventLoop) -> None:
        self._app = app
        self._loop = loop

    def http_open(self, request: Request) -> addinfourl | None:
        if request.host != HOST:
            return None
        data: Any = request.data or b""
        content = data if isinstance(data, bytes) else data.read()
        return asyncio.run_coroutine_threadsafe(self._asked(request, content), self._loop).result(request.timeout)

    def connect(self, url: str) -> "Connection":
        """Open a Socket Mode connection at the address that apps.connections.open told."""
        return Connection(self._app, self._loop, url)

    async def _asked(self, request: Request, content: bytes) -> addinfourl:
        told: list[Message] = []
        coming = iter([{"type": "http.request", "body": content}])

        async def receive() -> Message:
            return next(coming, {"type": "http.disconnect"})

        async def send(message: Message) -> None:
            told.append(message)

        extensions: dict[str, Json] = {}
        scope = _scope("http", request.full_url, dict(request.header_items()))
        await self._app({**scope, "method": request.get_method(), "extensions": extensions}, receive, send)
        if HUNG_UP in extensions:
            raise RemoteDisconnected("The local Slack hung up.")
        return _answer(request.full_url, told)


class Connection:
    """A connection of Socket Mode, as a client of websockets is one."""

    def __init__(self, app: ASGIApp, loop: asyncio.AbstractEventLoop, url: str) -> None:
        self._loop = loop
        self._sent: asyncio.Queue[Message] = asyncio.Queue()
        self._heard: SimpleQueue[str | None] = SimpleQueue()  # None: closed
        self._say({"type": "websocket.connect"})
        served = app(_scope("websocket", url, {}), self._sent.get, self._hear)
        self._serving = asyncio.run_coroutine_threadsafe(_awaited(served), loop)

    def recv(self, timeout: float | None = None) -> str:
        """Return the next frame. Raises TimeoutError, ConnectionClosedOK."""
        try:
            text = self._heard.get(timeout=timeout)
        except Empty:
            raise TimeoutError from None
        if text is None:
            raise ConnectionClosedOK(None, None)
        return text

    def send(self, text: str) -> None:
        self._say({"type": "websocket.receive", "text": text})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._say({"type": "websocket.disconnect", "code": 1000})
        self._serving.result(_SECONDS_TO_CLOSE)

    def _say(self, message: Message) -> None:
        self._loop.call_soon_threadsafe(self._sent.put_nowait, message)

    async def _hear(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            self._heard.put(message["text"])
        elif message["type"] == "websocket.close":
            self._heard.put(None)
            self._sent.put_nowait({"type": "websocket.disconnect", "code": 1000})


@contextmanager
def slack_in_process(*options: str) -> Iterator[SlackInProcess]:
    """Run a fresh local Slack for the block; `options` are those of `python -m local_slack`."""
    url = f"http://{HOST}"
    slack = local_slack(f"{url}/", options_of(options))
    streams, loop = PageStreams(slack.workspace, slack.journal), asyncio.new_event_loop()
    app = create_app(slack, streams, _hang_up, lambda _seconds: None, lambda: None)
    door = Door(app, loop)
    thread = Thread(target=loop.run_forever, name="local slack")
    thread.start()
    loop.call_soon_threadsafe(Alarm(slack.workspace.clock).start)
    install_opener(build_opener(door))
    try:
        yield SlackInProcess(url, door=door)
    finally:
        install_opener(build_opener())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _hang_up(request: Heard) -> None:
    request.scope["extensions"][HUNG_UP] = {}


async def _awaited(served: Any) -> None:
    await served


def _scope(kind: str, url: str, headers: Mapping[str, str]) -> Json:
    address = urlsplit(url)
    named = {"host": HOST, **{name.lower(): value for name, value in headers.items()}}
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": address.scheme,
        "path": unquote(address.path),
        "raw_path": address.path.encode(),
        "root_path": "",
        "query_string": address.query.encode(),
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named.items()],
        "client": ("127.0.0.1", 65535),
        "server": ("127.0.0.1", 65535),
    }


def _answer(url: str, told: list[Message]) -> addinfourl:
    begun, *parts = told
    headers = HTTPMessage()
    for name, value in begun["headers"]:
        headers[name.decode("latin-1")] = value.decode("latin-1")
    answer = addinfourl(BytesIO(b"".join(part.get("body", b"") for part in parts)), headers, url, begun["status"])
    answer.msg = HTTPStatus(begun["status"]).phrase  # type: ignore[attr-defined]
    return answer
