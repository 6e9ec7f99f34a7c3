"""Lets a researcher look through the memory with its tools; it returns messages and states, never words of its own."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from ai.agents.toolbox.memory import MemoryTools
from ai.agents.toolbox.tool import ToolArguments, function_schema
from ai.analysts.port import Question, Researcher, ToolCall, Tools
from ai.types import Json

T = TypeVar("T")
MOST = 5  # messages quoted, states offered
QUOTE = "quote_messages"


class Quote(ToolArguments):
    numbers: list[int]
    states: list[str] | None = None


QUOTE_TOOL = function_schema(
    QUOTE,
    "End the search: quote the messages that answer, by their numbers, and name the saved states that do, best first.",
    Quote,
)


def researched(
    researcher: Researcher, question: Question, tools: MemoryTools, states: Mapping[str, str]
) -> dict[str, list[Any]]:
    """Return the places of answering `messages` and the ids of such `states`, none invented."""
    found = {message.seq for message in question.thread_part.messages}

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
    return dict.fromkeys(each for each in (listed if isinstance(listed, list) else ()) if isinstance(each, kind))
