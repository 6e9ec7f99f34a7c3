"""How an answer goes over the wire: as one JSON body, or as a stream of server-sent events."""

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.openai_server.chat import Asked, Reply, ToolUse

PIECE = re.compile(r"\S+\s*|\s+")
DONE = b"data: [DONE]\n\n"


def whole(asked: Asked, reply: Reply) -> dict[str, Any]:
    """The body of an answer that is not streamed."""
    text, calls = reply.written(asked)
    message: dict[str, Any] = {"role": "assistant", "content": text or None, "refusal": None}
    if calls:
        message["tool_calls"] = [_call(number, call) for number, call in enumerate(calls)]
    choice = {"index": 0, "message": message, "finish_reason": _finish(reply, calls), "logprobs": None}
    body = {**_head(asked, "chat.completion"), "choices": [choice]}
    return {**body, "usage": reply.usage_of(asked)} if reply.usage else body


def events(asked: Asked, reply: Reply) -> Iterator[bytes]:
    """The events of a streamed answer, in words and pieces of calls."""
    text, calls = reply.written(asked)
    head = _head(asked, "chat.completion.chunk")
    for delta in ({"role": "assistant", "content": ""}, *_words(text), *_calls(calls)):
        yield _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": _finish(reply, calls)}]})
    if reply.usage and asked.wants_usage:
        yield _event({**head, "choices": [], "usage": reply.usage_of(asked)})
    yield DONE


def _head(asked: Asked, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-test", "object": kind, "created": 1_700_000_000, "model": asked.body.get("model", "")}


def _finish(reply: Reply, calls: tuple[ToolUse, ...]) -> str:
    return reply.finish or ("tool_calls" if calls else "stop")


def _call(number: int, call: ToolUse) -> dict[str, Any]:
    function = {"name": call.name, "arguments": json.dumps(call.args)}
    return {"id": f"call_{number}", "type": "function", "function": function}


def _words(text: str) -> Iterator[dict[str, Any]]:
    for piece in PIECE.findall(text):
        yield {"content": piece}


def _calls(calls: tuple[ToolUse, ...]) -> Iterator[dict[str, Any]]:
    for number, call in enumerate(calls):
        whole_call = _call(number, call)
        arguments = whole_call["function"]["arguments"]
        first = {**whole_call, "index": number, "function": {"name": call.name, "arguments": ""}}
        yield {"tool_calls": [first]}
        for piece in (arguments[: len(arguments) // 2], arguments[len(arguments) // 2 :]):
            yield {"tool_calls": [{"index": number, "function": {"arguments": piece}}]}


def _event(data: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"
