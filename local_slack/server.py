"""Serve the local Slack over HTTP on the loopback interface."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from local_slack.control.routes import control_routes
from local_slack.page.api import page_routes
from local_slack.page.streams import PageStreams
from local_slack.slack import LocalSlack, Options, local_slack
from local_slack.state.clock import Clock
from local_slack.state.storage import Storage
from local_slack.web_api.endpoint import HangUp, api_endpoint
from local_slack.web_api.files import download_endpoint, upload_endpoint
from local_slack.web_api.install_page import install_routes
from local_slack.web_api.response_urls import response_url_route

HOST = "127.0.0.1"
_PAGE = Path(__file__).parent / "page" / "static"
_SECONDS_TO_STOP = 2
_LOOPBACK_NAMES = ["127.0.0.1", "localhost"]
_STRICT = {
    "content-security-policy": "default-src 'self'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}


class StrictPage:
    """Add security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = Headers(scope=message)
                added = [(name.encode(), value.encode()) for name, value in _STRICT.items() if name not in present]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self._app(scope, receive, send_strictly)


def create_app(
    slack: LocalSlack,
    streams: PageStreams,
    hang_up: HangUp,
    hang_up_on_all: Callable[[float], None],
    stop_reading: Callable[[], None],
) -> Starlette:
    """Return all routes. Only loopback names are answered."""
    installer = next(user for user in slack.workspace.users.values() if user.kind == "member")
    client_id, app_name = slack.options.tokens.client_id, slack.workspace.bot.real_name
    routes = [
        Route("/api/{method}", api_endpoint(slack, hang_up), methods=["GET", "POST"]),
        WebSocketRoute("/link/", slack.gateway.serve),
        Route("/upload/v1/{file_id}", upload_endpoint(slack), methods=["POST"]),
        Route("/files/{file_id}/{name}", download_endpoint(slack)),
        response_url_route(slack),
        *install_routes(slack.installs, client_id, installer.id, app_name),
        *page_routes(slack, streams),
        *control_routes(slack, hang_up_on_all, stop_reading),
        Route("/", _index),
        Route("/favicon.ico", _favicon),
        Route("/archives/{path:path}", _to_page),
        Mount("/page", StaticFiles(directory=_PAGE, check_dir=False)),
    ]
    trusted = Middleware(TrustedHostMiddleware, allowed_hosts=_LOOPBACK_NAMES, www_redirect=False)
    return Starlette(routes=routes, middleware=[trusted, Middleware(StrictPage)])


def serve(
    on_ready: Callable[[str], None], *, port: int = 8765, options: Options | None = None, data: Path | None = None
) -> None:
    """Serve until SIGINT or SIGTERM.

    `port` 0 takes a free one, `on_ready` gets the address, `data` is a file to keep messages in.
    Raises OSError for a taken port, StorageError for a bad file.
    """
    listener = socket.create_server((HOST, port))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else an answer's second write waits 40 ms
    url = f"http://{HOST}:{listener.getsockname()[1]}"
    slack = local_slack(f"{url}/", options or Options())
    storage = Storage(data, slack.workspace) if data else None
    if storage:
        storage.open()
    server = Server(slack, lambda: on_ready(url), storage)
    asyncio.run(server.serve(sockets=[listener]))


class Alarm:
    """Wakes the workspace's clock when something falls due."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._clock.when_planned(self._set)
        self._set()

    def _set(self) -> None:
        if self._timer:
            self._timer.cancel()
        seconds = self._clock.until_next()
        self._timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self._ring)

    def _ring(self) -> None:
        self._clock.run_due()
        self._set()


class Server(uvicorn.Server):
    """uvicorn, able to keep time and to hang up."""

    def __init__(self, slack: LocalSlack, on_ready: Callable[[], None], storage: Storage | None) -> None:
        self._streams = PageStreams(slack.workspace, slack.journal)
        self._alarm = Alarm(slack.workspace.clock)
        self._on_ready = on_ready
        self._storage = storage
        config = uvicorn.Config(
            create_app(slack, self._streams, self._hang_up, self._hang_up_on_all, self._stop_reading),
            http=H11Protocol,
            ws="websockets-sansio",
            lifespan="off",
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=_SECONDS_TO_STOP,
        )
        super().__init__(config)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM without raising the signal again."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._alarm.start()
        self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._streams.close()
        await super().shutdown(sockets)
        if self._storage:
            self._storage.close()

    def _stop(self) -> None:
        self.should_exit = True

    def _hang_up_on_all(self, seconds: float) -> None:
        """Cut the connections of this moment after so many seconds, and none that is opened meanwhile."""
        loop = asyncio.get_running_loop()
        for connection in self.server_state.connections:
            loop.call_later(seconds, connection.transport.abort)

    def _stop_reading(self) -> None:
        """Read no WebSocket any more, not even its pings."""
        for connection in self.server_state.connections:
            if not isinstance(connection, H11Protocol):
                connection.transport.pause_reading()

    def _hang_up(self, request: Request) -> None:
        for connection in self.server_state.connections:
            if isinstance(connection, H11Protocol) and connection.client == request.scope["client"]:
                connection.transport.abort()


async def _index(_request: Request) -> Response:
    return FileResponse(_PAGE / "index.html")


async def _favicon(_request: Request) -> Response:
    return Response(b"", media_type="image/x-icon")


async def _to_page(_request: Request) -> Response:
    """Follow a permalink: messages have no addresses on the page yet."""
    return RedirectResponse("/")
