"""An HTTP transport bound to one absolute deadline, however slowly bytes arrive.

Timeouts of HTTP clients apply per read. Here every socket operation gets the time left until the deadline of `ends_at`.
"""

import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from threading import Event
from time import monotonic
from typing import Any

import httpcore2
import httpx2

KEPT_SECONDS = 30.0  # for how long an idle connection stays open
MOST_BYTES = 5_000_000  # of one answer
GLANCE_SECONDS = 0.2  # between two looks at a deadline


class Deadline:
    """A moment some seconds from now, or the moment it is called off."""

    def __init__(self, seconds: float) -> None:
        self._moment = monotonic() + seconds
        self._called_off = Event()

    @property
    def left(self) -> float:
        """Return the seconds left."""
        return 0.0 if self._called_off.is_set() else max(0.0, self._moment - monotonic())

    @property
    def is_called_off(self) -> bool:
        return self._called_off.is_set()

    def call_off(self) -> None:
        self._called_off.set()

    def pause(self, seconds: float) -> None:
        self._called_off.wait(seconds)


_DEADLINE: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


@contextmanager
def ends_at(deadline: Deadline) -> Iterator[None]:
    """Bound every socket operation in the block by the deadline."""
    token = _DEADLINE.set(deadline)
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def _left(timeout: float | None, late: type[httpcore2.TimeoutException]) -> float | None:
    deadline = _DEADLINE.get()
    if deadline is None:
        return timeout
    left = deadline.left
    if not left:
        raise late
    return left if timeout is None else min(timeout, left)


class _DeadlineStream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        while True:
            left = _left(timeout, httpcore2.ReadTimeout)
            try:
                return self._inner.read(max_bytes, GLANCE_SECONDS if left is None else min(left, GLANCE_SECONDS))
            except httpcore2.ReadTimeout:
                if timeout is not None and (timeout := timeout - GLANCE_SECONDS) <= 0:
                    raise

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left = _left(timeout, httpcore2.ConnectTimeout)
        return _DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore2.SyncBackend):
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        left = _left(timeout, httpcore2.ConnectTimeout)
        return _DeadlineStream(super().connect_tcp(host, port, left, local_address, socket_options))


@contextmanager
def _in_the_clients_words() -> Iterator[None]:
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise httpx2.ReadTimeout(str(error)) from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ProxyError) as error:
        raise httpx2.NetworkError(str(error)) from error


class _Body(httpx2.SyncByteStream):
    def __init__(self, inner: httpcore2.Response) -> None:
        self._inner = inner

    def __iter__(self) -> Iterator[bytes]:
        left = MOST_BYTES
        with _in_the_clients_words():
            for part in self._inner.iter_stream():
                left -= len(part)
                if left < 0:
                    raise httpx2.DecodingError(f"the answer is longer than {MOST_BYTES} bytes")
                yield part

    def close(self) -> None:
        self._inner.close()


@cache
def trusted() -> ssl.SSLContext:
    """Return the authorities of this machine; loading them takes long."""
    return httpcore2.default_ssl_context()


@cache
def unasked() -> httpx2.AsyncClient:
    """Return a client that nothing calls; LangChain would make one for each model, and load the authorities anew."""
    return httpx2.AsyncClient(verify=trusted())


class DeadlineTransport(httpx2.BaseTransport):
    def __init__(self, proxy: str | None = None) -> None:
        options: dict[str, Any] = {
            "ssl_context": trusted(),
            "keepalive_expiry": KEPT_SECONDS,
            "network_backend": _Backend(),
        }
        self._pool = httpcore2.HTTPProxy(proxy, **options) if proxy else httpcore2.ConnectionPool(**options)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        asked = httpcore2.Request(
            request.method,
            str(request.url),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _in_the_clients_words():
            given = self._pool.handle_request(asked)
        return httpx2.Response(given.status, headers=given.headers, stream=_Body(given), extensions=given.extensions)

    def close(self) -> None:
        self._pool.close()
