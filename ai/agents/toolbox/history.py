"""The history tools of seed 000: search by words, by date, and more of the conversation.

`MEMORY_TOOLS` is what a language model is offered, word for word as the seed writes it. `HistoryTools` are bound to one
turn: they look into its thread, and never tell of the question that is being answered.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from ai.agents.port import Turn
from ai.agents.rights.hearing import Hearing
from ai.errors import UserError
from ai.language.dates import period_of
from ai.memory.search import Scope
from ai.memory.workspaces import TracedCall
from ai.memory_store import MemoryStore
from ai.types import Json, LoggedMessage, Place

MEMORY_TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": "search_history",
            "description": "Search past messages by keyword",
            "parameters": {
                "type": "object",
                "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "default": 5}},
                "required": ["query"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "get_messages_by_date",
            "description": "Get messages from a specific date",
            "parameters": {
                "type": "object",
                "properties": {"date": {"type": "string"}, "limit": {"type": "integer", "default": 20}},
                "required": ["date"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "get_extended_context",
            "description": "Load more conversation history",
            "parameters": {"type": "object", "properties": {"count": {"type": "integer", "default": 50}}},
        },
    },
]
MOST = 200  # messages that one call gives


@dataclass(frozen=True, slots=True)
class Recalled:
    """Messages of the thread, and how many more there are: `partial` when not everything could be looked through."""

    messages: tuple[LoggedMessage, ...]
    more: int = 0
    partial: bool = False


class HistoryTools:
    """The tools of one turn. With `hearing` they give only what the asker may hear."""

    def __init__(self, memory: MemoryStore, turn: Turn, hearing: Hearing | None = None) -> None:
        self._memory = memory
        self._hearing = hearing
        self._request = turn.request

    def search_history(self, query: str, limit: int = 5) -> Recalled:
        """The messages that fit the words best, best first."""
        return self._traced("search_history", {"query": query, "limit": limit}, lambda: self._found(query, limit))

    def get_messages_by_date(self, date: str, limit: int = 20) -> Recalled:
        """The messages of a day or a period of the asker's calendar, oldest first. UserError for what is no date."""
        return self._traced("get_messages_by_date", {"date": date, "limit": limit}, lambda: self._said_on(date, limit))

    def get_extended_context(self, count: int = 50) -> Recalled:
        """The last messages, oldest first, as many as a request may grow to."""
        return self._traced("get_extended_context", {"count": count}, lambda: self._newest(count))

    def call(self, name: str, arguments: Mapping[str, Json], *, numbered: bool = False) -> Json:
        """What a model gets for a call: messages with their dates, or an `error` that says how to go on.

        `numbered` messages have the `number` of their place in the thread.
        """
        tools = (self.search_history, self.get_messages_by_date, self.get_extended_context)
        try:
            tool: Any = next(tool for tool in tools if tool.__name__ == name)
            recalled: Recalled = tool(**arguments)
        except StopIteration:
            return {"error": f"There is no tool {name}; there are: {', '.join(tool.__name__ for tool in tools)}."}
        except TypeError:
            return {"error": f"{name} was called with other parameters than it has; see its schema."}
        except UserError as error:
            return {"error": str(error)}
        return self._told(recalled, numbered=numbered)

    def _traced(self, tool: str, params: Mapping[str, Json], work: Callable[[], Recalled]) -> Recalled:
        """Do the work and leave a trace of it, which says how much was found, and quotes nothing."""
        request = self._request
        call = TracedCall(tool, params, request.thread, Place.of(request), request.turn_id)
        return self._memory.traces.run(
            call,
            lambda: self._heard(work()),
            lambda found: {"messages": len(found.messages), "more": found.more, "partial": found.partial},
        )

    def _heard(self, recalled: Recalled) -> Recalled:
        if self._hearing is None:
            return recalled
        return replace(recalled, messages=self._hearing.heard(recalled.messages, self._request))

    def _found(self, query: str, limit: int) -> Recalled:
        found = self._memory.search.find(query, self._scope(), _bounded(limit))
        return Recalled(found.messages, partial=found.partial)

    def _said_on(self, date: str, limit: int) -> Recalled:
        period = period_of(date, self._request.asked_at, ZoneInfo(self._request.timezone))
        scope = Scope(self._request.thread, since=period.since, until=period.until, except_turn=self._request.turn_id)
        messages, total = self._memory.search.said(scope, _bounded(limit))
        return Recalled(messages, total - len(messages))

    def _newest(self, count: int) -> Recalled:
        messages, total = self._memory.search.said(self._scope(), _bounded(count), last=True)
        kept: list[LoggedMessage] = []
        left = self._memory.parts.limits.ceiling
        for message in reversed(messages):
            if (left := left - message.tokens) < 0:
                break
            kept.append(message)
        return Recalled(tuple(reversed(kept)), total - len(kept))

    def _scope(self) -> Scope:
        return Scope(self._request.thread, except_turn=self._request.turn_id)

    def _told(self, recalled: Recalled, *, numbered: bool) -> dict[str, Json]:
        zone = ZoneInfo(self._request.timezone)
        messages: list[Json] = [
            ({"number": message.seq} if numbered else {})
            | {
                "date": message.created_at.astimezone(zone).isoformat(timespec="seconds"),
                "role": message.role,
                "author": message.author,
                "content": message.content,
            }
            for message in recalled.messages
        ]
        return {"messages": messages, "more": recalled.more, "partial": recalled.partial}


def _bounded(count: int) -> int:
    return max(1, min(int(count), MOST))
