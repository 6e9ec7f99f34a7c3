"""Lets a model call tools, bounded in calls, tokens and time.

The loop ends with the ending tool, plain words, a repeated call, or spent bounds.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage, ToolMessage

from ai.analysts.client.client import ModelClient
from ai.analysts.port import ToolCall, Tools
from ai.analysts.prompts.data import fenced, quoted
from ai.ledger import Purpose, Spender

MOST_CALLS = 4  # of the model
MOST_TOKENS = 6_000  # of all that tools gave


@dataclass(frozen=True, slots=True)
class ToolLoop:
    client: ModelClient
    count: Callable[[str], int]

    def run(
        self, messages: Sequence[BaseMessage], tools: Tools, spender: Spender, purpose: Purpose
    ) -> Mapping[str, Any] | None:
        """Return the ending call's arguments, None without one. ModelUnavailable when the model fails."""
        said, seen, left = list(messages), set[str](), MOST_TOKENS
        for _ in range(MOST_CALLS):
            answer = self.client.complete(said, spender, purpose, tools=tools.schemas)
            calls = [ToolCall(call["name"], call["args"]) for call in answer.tool_calls]
            ending = next((call.arguments for call in calls if call.name == tools.ending), None)
            keys = {json.dumps([call.name, dict(call.arguments)], sort_keys=True) for call in calls}
            if ending is not None or not calls or keys <= seen:
                return ending
            seen |= keys
            said.append(answer.message)
            for call, asked in zip(calls, answer.tool_calls, strict=True):
                given = fenced([quoted(tools.call(call))])
                left -= self.count(given)
                if left < 0:
                    return None
                said.append(ToolMessage(given, tool_call_id=asked["id"]))
        return None
