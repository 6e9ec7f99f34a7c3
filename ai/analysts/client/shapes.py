"""Three ways to ask a model for a JSON object. The client takes the first the server accepts."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from langchain_core.messages import AIMessage, BaseMessage, SystemMessage

from ai.types import Json

Structured = Literal["json_schema", "function", "json_object"]
STRUCTURED: tuple[Structured, ...] = get_args(Structured)


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


WAYS: Mapping[Structured, Callable[[Schema], dict[str, Any]]] = {
    "json_schema": _by_schema,
    "function": _by_function,
    "json_object": _by_object,
}


def with_schema(messages: Sequence[BaseMessage], schema: Schema, way: Structured) -> list[BaseMessage]:
    """Return the messages to send, with the schema in words where the request has none."""
    if way != "json_object":
        return list(messages)
    words = f"Answer with one JSON object of this JSON schema, and nothing else: {json.dumps(schema.as_json)}"
    return [*messages, SystemMessage(words)]


def object_in(message: AIMessage) -> dict[str, Json]:
    """Return the object in an answer. ValueError without one."""
    if message.tool_calls:
        return dict(message.tool_calls[0]["args"])
    text = str(message.text).strip()
    found = json.loads(text.removeprefix("```json").removeprefix("```").removesuffix("```"))
    if not isinstance(found, dict):
        raise ValueError("the answer is no object")  # noqa: TRY004 - data from outside, read as a ValueError throughout
    return found
