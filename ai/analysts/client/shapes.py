"""Answers as data: how a model is asked for a JSON object of a schema, and how that object is read from its message.

There are three ways to ask. Not every server takes the first, so the client goes down the list until one is accepted.
"""

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
    """What an answer has to look like: a JSON schema of an object, strict as OpenAI has it (all keys required)."""

    name: str
    description: str
    properties: Mapping[str, Json]

    @property
    def as_json(self) -> dict[str, Json]:
        """The whole JSON schema."""
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


def told(messages: Sequence[BaseMessage], schema: Schema, way: Structured) -> list[BaseMessage]:
    """The messages as they are sent; where the schema is no part of the request it is told in words."""
    if way != "json_object":
        return list(messages)
    words = f"Answer with one JSON object of this JSON schema, and nothing else: {json.dumps(schema.as_json)}"
    return [*messages, SystemMessage(words)]


def read(message: AIMessage) -> dict[str, Json]:
    """The object in an answer. ValueError when there is none."""
    if message.tool_calls:
        return dict(message.tool_calls[0]["args"])
    text = str(message.text).strip()
    found = json.loads(text.removeprefix("```json").removeprefix("```").removesuffix("```"))
    if not isinstance(found, dict):
        raise ValueError("the answer is no object")  # noqa: TRY004 - data from outside, read as a ValueError throughout
    return found
