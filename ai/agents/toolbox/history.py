"""Offers the messages of a thread by words, by date and by age, without the question under way."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from ai.agents.port import Turn
from ai.agents.rights.audience import AudienceFilter
from ai.agents.toolbox.tool import PLAIN, By, Caller, Tool, ToolArguments
from ai.errors import UserError
from ai.language.dates import period_of
from ai.memory.search import Scope
from ai.memory_store import MemoryStore
from ai.types import Json, LoggedMessage, Place, Request

MOST = 200  # messages one call returns


class SearchHistory(ToolArguments):
    query: str
    limit: int = 5


class MessagesByDate(ToolArguments):
    date: str
    limit: int = 20


class ExtendedContext(ToolArguments):
    count: int = 50


@dataclass(frozen=True, slots=True)
class Recalled:
    """Messages, and how many more there are; `partial` after an unfinished search."""

    messages: tuple[LoggedMessage, ...]
    more: int = 0
    partial: bool = False


class HistoryTools:
    """The tools of one turn. With `audience_filter` they return only what the asker may hear."""

    def __init__(self, memory: MemoryStore, turn: Turn, audience_filter: AudienceFilter | None = None) -> None:
        self._memory = memory
        self._audience_filter = audience_filter
        self._request = turn.request

    def search_history(self, query: str, limit: int = 5) -> Recalled:
        """Return the messages that fit the words, best first."""
        found = self._memory.search.find(query, self._scope(), _bounded(limit))
        return self._heard(Recalled(found.messages, partial=found.partial))

    def get_messages_by_date(self, date: str, limit: int = 20) -> Recalled:
        """Return the messages of a period of the asker's calendar, oldest first. Raises UserError."""
        period = period_of(date, self._request.asked_at, ZoneInfo(self._request.timezone))
        scope = Scope(self._request.thread, since=period.since, until=period.until, except_turn=self._request.turn_id)
        messages, total = self._memory.search.said(scope, _bounded(limit))
        return self._heard(Recalled(messages, total - len(messages)))

    def get_extended_context(self, count: int = 50) -> Recalled:
        """Return the last messages, oldest first, up to the size of a request."""
        messages, total = self._memory.search.said(self._scope(), _bounded(count), last=True)
        kept: list[LoggedMessage] = []
        left = self._memory.parts.limits.ceiling
        for message in reversed(messages):
            if (left := left - message.tokens) < 0:
                break
            kept.append(message)
        return self._heard(Recalled(tuple(reversed(kept)), total - len(kept)))

    def call(self, name: str, arguments: Mapping[str, Json]) -> Json:
        tool = next((tool for tool in TOOLS if tool.name == name), None)
        caller = history_caller(self._request, self._audience_filter)
        return tool.run(self._memory, caller, arguments) if tool else unknown(name, TOOLS)

    def _heard(self, recalled: Recalled) -> Recalled:
        if self._audience_filter is None:
            return recalled
        return replace(recalled, messages=self._audience_filter.allowed(recalled.messages, self._request))

    def _scope(self) -> Scope:
        return Scope(self._request.thread, except_turn=self._request.turn_id)


def history_caller(request: Request, audience_filter: AudienceFilter | None, by: By = "agent") -> Caller:
    place = Place.of(request)
    return Caller(
        place, request.thread, request.turn_id, request.user, by=by, request=request, audience_filter=audience_filter
    )


def unknown(name: str, tools: tuple[Tool, ...]) -> Json:
    return {"error": f"There is no tool {name}; there are: {', '.join(tool.name for tool in tools)}."}


def _search(memory: MemoryStore, caller: Caller, given: SearchHistory) -> Json:
    return _told(_tools(memory, caller).search_history(given.query, given.limit), caller)


def _by_date(memory: MemoryStore, caller: Caller, given: MessagesByDate) -> Json:
    return _told(_tools(memory, caller).get_messages_by_date(given.date, given.limit), caller)


def _more(memory: MemoryStore, caller: Caller, given: ExtendedContext) -> Json:
    return _told(_tools(memory, caller).get_extended_context(given.count), caller)


def _tools(memory: MemoryStore, caller: Caller) -> HistoryTools:
    return HistoryTools(memory, Turn(_request(caller)), caller.audience_filter)


def _request(caller: Caller) -> Request:
    if caller.request is None:
        raise UserError("No question is being answered here; ask in a thread.")
    return caller.request


def _told(recalled: Recalled, caller: Caller) -> dict[str, Json]:
    """Return messages with dates; researchers also get their places in the thread."""
    zone, numbered = ZoneInfo(_request(caller).timezone), caller.by != "agent"
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
    return max(1, min(count, MOST))


CALLERS: frozenset[By] = frozenset({"agent", "researcher", "narrowed researcher"})
OVER_HTTP: frozenset[By] = CALLERS | {"http"}
MESSAGES = replace(PLAIN, trace=lambda data: data | {"messages": len(data["messages"])}, traces_defaults=True)
TOOLS = (
    Tool("search_history", "Search past messages by keyword", SearchHistory, _search, OVER_HTTP, MESSAGES),
    Tool("get_messages_by_date", "Get messages from a specific date", MessagesByDate, _by_date, CALLERS, MESSAGES),
    Tool("get_extended_context", "Load more conversation history", ExtendedContext, _more, OVER_HTTP, MESSAGES),
)
MEMORY_TOOLS: list[dict[str, Any]] = [tool.schema for tool in TOOLS]
