"""Lets a researcher look through a thread with the history tools, and takes from it which messages answer, nothing more."""

from collections.abc import Mapping
from typing import Any

from ai.agents.history_tools import MEMORY_TOOLS, HistoryTools
from ai.analysts.port import Question, Researcher, ToolCall, Tools
from ai.types import Json

MOST = 5  # messages that are quoted
QUOTE = "quote_messages"
QUOTE_TOOL: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": QUOTE,
        "description": "End the search: quote the messages that answer, by their numbers, best first.",
        "parameters": {
            "type": "object",
            "properties": {"numbers": {"type": "array", "items": {"type": "integer"}}},
            "required": ["numbers"],
        },
    },
}


def researched(researcher: Researcher, question: Question, tools: HistoryTools) -> list[int]:
    """The places in the thread of the messages that answer; only of those that were found, in the order chosen."""
    found: set[int] = set()

    def call(wanted: ToolCall) -> Json:
        given = tools.call(wanted.name, wanted.arguments, numbered=True)
        messages = given.get("messages") if isinstance(given, dict) else None
        for message in messages if isinstance(messages, list) else []:
            if isinstance(message, dict) and isinstance(number := message.get("number"), int):
                found.add(number)
        return given

    ended = researcher.research(question, Tools((*MEMORY_TOOLS, QUOTE_TOOL), call, QUOTE)) or {}
    numbers = ended.get("numbers")
    chosen = [number for number in numbers if isinstance(number, int)] if isinstance(numbers, list) else []
    return [number for number in dict.fromkeys(chosen) if number in found][:MOST]
