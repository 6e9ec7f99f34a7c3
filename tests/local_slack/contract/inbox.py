"""An app's address in HTTP mode, with nothing behind it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Inbox(ThreadingHTTPServer):
    """An app's address that answers as told: `statuses` first, then 200."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), InboxHandler)
        self.received: list[tuple[dict[str, str], str]] = []
        self.statuses: list[int] = []
        self.headers: dict[str, str] = {}  # of every answer

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class InboxHandler(BaseHTTPRequestHandler):
    server: Inbox

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        content = body.encode() if "url_verification" in body else b""
        if not content:
            self.server.received.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(self.server.statuses.pop(0) if self.server.statuses and not content else 200)
        self.send_header("Content-Length", str(len(content)))
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def inbox() -> Iterator[Inbox]:
    with Inbox() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
