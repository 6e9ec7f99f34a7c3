"""Lets a researcher look through the memory with its tools, and takes from it what answers: messages and states, no words."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from ai.agents.toolbox.memory import MemoryTools
from ai.analysts.port import Question, Researcher, ToolCall, Tools
from ai.types import Json

T = TypeVar("T")
MOST = 5  # messages that are quoted, states that are offered
QUOTE = "quote_messages"
QUOTE_TOOL: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": QUOTE,
        "description": "End the search: quote the messages that answer, by their numbers, and name the saved states that do, "
        "best first.",
        "parameters": {
            "type": "object",
            "properties": {
                "numbers": {"type": "array", "items": {"type": "integer"}},
                "states": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["numbers"],
        },
    },
}


def researched(
    researcher: Researcher, question: Question, tools: MemoryTools, states: Mapping[str, str]
) -> dict[str, list[Any]]:
    """The places of the `messages` that answer, and the ids of such `states`; only of those that are there.

    `states` are the ids of those that may be named, by their names.
    """
    found: set[int] = set()

    def call(wanted: ToolCall) -> Json:
        given = tools.call(wanted)
        messages = given.get("messages") if isinstance(given, dict) else None
        for message in messages if isinstance(messages, list) else []:
            if isinstance(message, dict) and isinstance(number := message.get("number"), int):
                found.add(number)
        return given

    ended = researcher.research(question, Tools((*tools.schemas, QUOTE_TOOL), call, QUOTE)) or {}
    numbers, names = _each(ended.get("numbers"), int), _each(ended.get("states"), str)
    return {
        "messages": [number for number in numbers if number in found][:MOST],
        "states": [states[name] for name in names if name in states][:MOST],
    }


def _each(listed: Json, kind: type[T]) -> Iterable[T]:
    """Each value of this kind once."""
    return dict.fromkeys(each for each in (listed if isinstance(listed, list) else ()) if isinstance(each, kind))
