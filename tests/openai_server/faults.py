"""What can befall a request, by name. Each writes to the socket what a broken server, proxy or network would."""

import json
import socket
import struct
from collections.abc import Callable, Iterator, Mapping
from itertools import repeat
from typing import Protocol

from tests.openai_server import wire
from tests.openai_server.chat import Asked, Reply

RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Line(Protocol):
    """The connection to a client. `rest` waits so long, and says whether the server still runs."""

    connection: socket.socket

    def body(self, status: int, content: bytes, kind: str = "application/json", **headers: str) -> None: ...

    def begin(self, length: int | None = None) -> None: ...

    def send(self, data: bytes) -> None: ...

    def rest(self, seconds: float) -> bool: ...

    def drop(self) -> None: ...


def refusal(line: Line, status: int, message: str, code: str | None = None, **headers: str) -> None:
    """An error as OpenAI writes it; a code stands only in the body."""
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    line.body(status, json.dumps({"error": error}).encode(), **headers)


def _rate_limited(line: Line, _: Asked, reply: Reply) -> None:
    refusal(line, 429, "Rate limit reached.", "rate_limit_exceeded", **{"Retry-After": f"{reply.seconds:g}"})


def _reset(line: Line, _: Asked, __: Reply) -> None:
    line.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
    line.drop()


def _cut(line: Line, asked: Asked, reply: Reply) -> None:
    """Half of an answer, and then the end of the connection."""
    if asked.stream:
        line.begin()
        some = list(wire.events(asked, reply))
        for event in some[: len(some) // 2]:
            line.send(event)
    else:
        content = json.dumps(wire.whole(asked, reply)).encode()
        line.begin(len(content))
        line.send(content[: len(content) // 2])
    line.drop()


def _unended(line: Line, asked: Asked, reply: Reply) -> None:
    """A stream that ends well for HTTP, but before the answer does."""
    some = list(wire.events(asked, reply))
    line.body(200, b"".join(some[: len(some) // 2]), "text/event-stream")


def _error_in_stream(line: Line, asked: Asked, reply: Reply) -> None:
    """A stream that goes on with an error instead of words."""
    some = list(wire.events(asked, reply))
    error = b'data: {"error": {"message": "The server had an error.", "code": null}}\n\n'
    line.body(200, b"".join(some[: len(some) // 2]) + error, "text/event-stream")


def _no_usage_in_streams(line: Line, asked: Asked, reply: Reply) -> None:
    """A server that knows no options of streams."""
    if asked.stream and asked.wants_usage:
        refusal(line, 400, "Unrecognized request argument supplied: stream_options.")
    else:
        line.body(200, b"".join(wire.events(asked, reply)), "text/event-stream")


def _dribble(line: Line, asked: Asked, reply: Reply) -> None:
    """An answer that arrives byte by byte, so that no single read lasts long."""
    content = b"".join(wire.events(asked, reply)) if asked.stream else json.dumps(wire.whole(asked, reply)).encode()
    line.begin(len(content))
    _slowly(line, _bytes(content), reply.seconds)


def _dribbled_head(line: Line, _: Asked, reply: Reply) -> None:
    """Headers without end, byte by byte."""
    line.connection.sendall(b"HTTP/1.1 200 OK\r\nX-Padding: ")
    _slowly(line, repeat(b"x"), reply.seconds)


def _silence(line: Line, _: Asked, __: Reply) -> None:
    while line.rest(0.05):
        pass
    line.drop()


def _slowly(line: Line, parts: Iterator[bytes], seconds: float) -> None:
    for part in parts:
        if not line.rest(seconds):
            break
        line.connection.sendall(part)
    line.drop()


def _bytes(content: bytes) -> Iterator[bytes]:
    return (content[at : at + 1] for at in range(len(content)))


def _no_schema(line: Line, asked: Asked, reply: Reply) -> None:
    """A server that knows nothing of schemas for answers, and answers without."""
    if asked.form == "json_schema":
        refusal(line, 400, "Unknown value for response_format.type: json_schema.")
    else:
        line.body(200, json.dumps(wire.whole(asked, reply)).encode())


def _plain_server(line: Line, asked: Asked, reply: Reply) -> None:
    """A server that knows neither schemas nor tools."""
    if asked.form == "function":
        refusal(line, 400, "tools are not supported by this server.")
    else:
        _no_schema(line, asked, reply)


FAULTS: Mapping[str, Callable[[Line, Asked, Reply], None]] = {
    "rate_limited": _rate_limited,
    "quota": lambda line, *_: refusal(line, 429, "You exceeded your current quota.", "insufficient_quota"),
    "error": lambda line, *_: refusal(line, 500, "The server had an error."),
    "auth": lambda line, *_: refusal(line, 401, "Incorrect API key provided.", "invalid_api_key"),
    "no_model": lambda line, *_: refusal(line, 404, "The model does not exist.", "model_not_found"),
    "overflow": lambda line, *_: refusal(line, 400, "This is too much for the model.", "context_length_exceeded"),
    "html": lambda line, *_: line.body(200, b"<html><body>Sign in to the network</body></html>", "text/html"),
    "empty": lambda line, *_: line.body(200, b'{"id":"x","object":"chat.completion","model":"m","choices":[]}'),
    "malformed": lambda line, *_: line.body(200, b'{"id":"x","choices":[{"index":0,"mess'),
    "null": lambda line, *_: line.body(200, b"null"),
    "reset": _reset,
    "cut": _cut,
    "unended": _unended,
    "error_in_stream": _error_in_stream,
    "no_usage_in_streams": _no_usage_in_streams,
    "dribble": _dribble,
    "dribbled_head": _dribbled_head,
    "silence": _silence,
    "no_schema": _no_schema,
    "plain_server": _plain_server,
}
