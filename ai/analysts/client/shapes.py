"""Four ways to ask a model for a JSON object, and to find it in the answer.

Models wrap objects in prose, fences or reasoning, and call tools unasked.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from ai.analysts.client.endpoint import Structured
from ai.types import Json

STRUCTURED: tuple[Structured, ...] = get_args(Structured)
PROMISES = frozenset({"json_schema", "function"})  # ways that hold the model to the schema
THOUGHTS = re.compile(
    r"<(think|thinking|reasoning|thought)>.*?(?:</\1>|\Z)"
    r"|\A(?:(?!<think).)*?</(?:think|thinking|reasoning|thought)>",  # templates may write the opening tag themselves
    re.DOTALL | re.IGNORECASE,
)
MOST_STARTS = 200  # places in a text where an object is looked for
DECODER = json.JSONDecoder(strict=False)  # SQL has new lines, and models leave them as they are


class NoObject(ValueError):
    """An answer without the object asked for."""


class CutOff(ValueError):
    """An answer that reached its limit before its object was whole."""


@dataclass(frozen=True, slots=True)
class Schema:
    """A JSON schema of an object, strict as OpenAI defines it: all keys required."""

    name: str
    description: str
    properties: Mapping[str, Json]

    @property
    def as_json(self) -> dict[str, Json]:
        return {
            "type": "object",
            "properties": dict(self.properties),
            "required": list(self.properties),
            "additionalProperties": False,
        }


def _by_schema(schema: Schema) -> dict[str, Any]:
    asked = {"name": schema.name, "description": schema.description, "schema": schema.as_json, "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": asked}}


def _by_function(schema: Schema) -> dict[str, Any]:
    function = {"name": schema.name, "description": schema.description, "parameters": schema.as_json}
    return {
        "tools": [{"type": "function", "function": function}],
        "tool_choice": {"type": "function", "function": {"name": schema.name}},
    }


def _by_object(_: Schema) -> dict[str, Any]:
    return {"response_format": {"type": "json_object"}}


def _by_text(_: Schema) -> dict[str, Any]:
    return {}


WAYS: Mapping[Structured, Callable[[Schema], dict[str, Any]]] = {
    "json_schema": _by_schema,
    "function": _by_function,
    "json_object": _by_object,
    "text": _by_text,
}


def with_schema(messages: Sequence[BaseMessage], schema: Schema, way: Structured) -> list[BaseMessage]:
    """Return the messages to send, with the schema in words where the request has none."""
    if way in PROMISES:
        return list(messages)
    words = f"Answer with one JSON object of this JSON schema, and nothing else: {json.dumps(schema.as_json)}"
    return [*messages, HumanMessage(words)]


def object_in(message: AIMessage, schema: Schema, way: Structured) -> dict[str, Json]:
    """Return the object in an answer. Raises CutOff, or NoObject, also for a broken promise."""
    found = [dict(call["args"]) for call in message.tool_calls[:1]] or _objects(without_thoughts(str(message.text)))
    known = schema.properties.keys()
    best = max((_unwrapped(each, schema) for each in found), key=lambda each: len(each.keys() & known), default={})
    if not best.keys() & known or (way in PROMISES and not _is_told(best, schema)):
        raise CutOff if message.response_metadata.get("finish_reason") == "length" else NoObject
    return best


def _is_told(found: Mapping[str, Json], schema: Schema) -> bool:
    """Whether an object has the first key of its schema, with an allowed value."""
    key, wanted = next(iter(schema.properties.items()))
    allowed = wanted.get("enum") if isinstance(wanted, dict) else None
    return key in found and (not isinstance(allowed, list) or found[key] in allowed)


def without_thoughts(text: str) -> str:
    """Return a text without reasoning before the answer."""
    return THOUGHTS.sub("", text).strip()


def _objects(text: str) -> Iterator[dict[str, Json]]:
    found: list[dict[str, Json]] = []
    start = text.find("{")
    for _ in range(MOST_STARTS):
        if start < 0:
            break
        try:
            value, end = DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            found.append(value)
        start = text.find("{", end)
    yield from reversed(found)


def _unwrapped(found: dict[str, Json], schema: Schema) -> dict[str, Json]:
    """Return the inner object of `{"answer": {…}}` or `{"properties": {…}}`."""
    inner = found.get(schema.name, found.get("properties"))
    is_wrapped = isinstance(inner, dict) and not found.keys() & schema.properties.keys()
    return inner if is_wrapped and isinstance(inner, dict) else found
