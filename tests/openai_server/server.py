"""The server: a thread per connection, a script that answers, and a journal of what was asked."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Self

from tests.openai_server import wire
from tests.openai_server.chat import Asked, Reply
from tests.openai_server.faults import FAULTS, refusal

Answer = Callable[[Asked], Reply | None]


@dataclass(frozen=True)
class Served:
    """One line of the journal; without a reply the script did not expect the request."""

    asked: Asked
    reply: Reply | None

    @property
    def prompt_tokens(self) -> int:
        return self.asked.prompt_tokens


class ModelServer:
    """Serves inside a `with`. `answer` is a `Script`, or any function of what is asked; None refuses it.

    Probes of clients are answered well and stand in `probes`, not in the journal; with `probed` they are asked like all.
    """

    def __init__(self, answer: Answer, *, base: str = "/v1", probed: bool = False) -> None:
        self.answer = answer
        self._base = base
        self._probed = probed
        self.probes: list[Asked] = []
        self.journal: list[Served] = []
        self.closing = Event()
        self.is_away = False
        self._lock = Lock()
        self._http = _Server(("127.0.0.1", 0), _Connection)
        self._http.owner = self

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._http.server_address[1]}{self._base}"

    @property
    def unexpected(self) -> list[Asked]:
        """What was refused since no script expected it."""
        return [served.asked for served in self.journal if served.reply is None]

    @property
    def prompt_tokens(self) -> int:
        """Tokens of all prompts that were asked."""
        return sum(served.prompt_tokens for served in self.journal)

    def serve(self, asked: Asked) -> Reply | None:
        if asked.is_probe and not self._probed:
            self.probes.append(asked)
            return Reply(data={"language": "English"})
        reply = self.answer(asked)
        with self._lock:
            self.journal.append(Served(asked, reply))
        return reply

    def __enter__(self) -> Self:
        Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Listen no longer. Closing twice is fine."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # clients keep idle connections open
    request_queue_size = 128
    owner: ModelServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Connection(BaseHTTPRequestHandler):
    """A connection of a client."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        refusal(self, 503 if self.server.owner.is_away else 404, f"This server has no {self.path}.")

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self.path.partition("?")[0].endswith(("/chat/completions", "/responses")):
            refusal(self, 404, f"This server has no {self.path}.")
            return
        asked = Asked(json.loads(content), dict(self.headers.items()), self.path)
        reply = self.server.owner.serve(asked)
        with suppress(ConnectionError):  # the client has gone
            self._answer(asked, reply)

    def _answer(self, asked: Asked, reply: Reply | None) -> None:
        if reply is None:
            refusal(self, 503, f"No line of the script expects this request: {asked.prompt[-300:]!r}.", "unexpected")
        elif reply.fault:
            FAULTS[reply.fault](self, asked, reply)
        elif reply.body is not None and asked.stream and reply.status == 200:
            events = "".join(f"data: {json.dumps(event)}\n\n" for event in reply.body)
            self.body(200, f"{reply.comment}\n\n{events}data: [DONE]\n\n".encode(), "text/event-stream")
        elif reply.body is not None:
            self.body(reply.status, json.dumps(reply.body).encode())
        elif asked.stream:
            self._stream(asked, reply)
        else:
            self.rest(reply.seconds)
            self.body(200, json.dumps(wire.whole(asked, reply)).encode())

    def _stream(self, asked: Asked, reply: Reply) -> None:
        self.begin()
        for event in wire.events(asked, reply):
            self.send(event)
            self.rest(reply.seconds)
        self.send(b"")

    def body(self, status: int, content: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def begin(self, length: int | None = None) -> None:
        """The head of an answer: of a stream, or of a body of so many bytes."""
        self._chunked = length is None
        self.send_response(200)
        self.send_header("Content-Type", "application/json" if length else "text/event-stream")
        self.send_header(*(("Transfer-Encoding", "chunked") if length is None else ("Content-Length", str(length))))
        self.end_headers()

    def send(self, data: bytes) -> None:
        """A piece of what was begun; nothing ends a stream."""
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data) if self._chunked else data)

    def rest(self, seconds: float) -> bool:
        """Wait; False once the server closes."""
        closing = self.server.owner.closing
        return not (closing.wait(seconds) if seconds else closing.is_set())

    def drop(self) -> None:
        """End the connection at once; closing what reads from it is what really closes the socket."""
        self.close_connection = True
        self.connection.close()
        self.rfile.close()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing; the journal has it."""
