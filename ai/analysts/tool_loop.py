"""A model that calls tools until it is done: our own small loop, bounded in calls, tokens and, by the client, in time.

It ends when the model calls the tool that ends it, says something else, repeats a call, or has used up its bounds. What a
tool gives is data inside the fence, however it came about. Words of the model are of no use here: only what it chose is.
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
    """The loop over one client; `count` says how many tokens a text has."""

    client: ModelClient
    count: Callable[[str], int]

    def run(
        self, messages: Sequence[BaseMessage], tools: Tools, spender: Spender, purpose: Purpose
    ) -> Mapping[str, Any] | None:
        """The arguments of the call that ends it, None without one. ModelUnavailable."""
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
