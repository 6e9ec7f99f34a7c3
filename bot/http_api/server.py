"""Serve the application from a thread."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import uvicorn
from fastapi import FastAPI

from ai.errors import ConfigError

SECONDS_TO_STOP = 5


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextmanager
def serving(app: FastAPI, port: int, host: str = "127.0.0.1") -> Iterator[str]:
    """Serve inside the block; yield the address. Port 0 takes a free one. Raises ConfigError when the port is taken."""
    family, named = (socket.AF_INET6, f"[{host}]") if ":" in host else (socket.AF_INET, host)
    try:
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        raise ConfigError(
            f"HTTP_PORT is {port} and HTTP_HOST {host}, where nothing can listen ({error.strerror}); choose others."
        ) from None
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else an answer's second write waits 40 ms
    server = _Server(
        uvicorn.Config(
            app,
            lifespan="off",
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=SECONDS_TO_STOP,
        )
    )
    thread = Thread(target=server.run, args=([listener],), name="http")
    thread.start()
    try:
        yield f"http://{named}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
