"""Offers a language model the tools to look through the memory in one turn.

It changes nothing, since text in a conversation must not be able to order it. For an asker with fewer rights only the
history tools are there: they alone sift their answers.
"""

from collections.abc import Mapping
from typing import Any

from ai.agents.port import Turn
from ai.agents.rights.audience import AudienceFilter
from ai.agents.toolbox.history import history_caller, unknown
from ai.agents.toolbox.table import offered
from ai.analysts.port import ToolCall
from ai.memory_store import MemoryStore
from ai.types import Json


class MemoryTools:
    def __init__(self, memory: MemoryStore, turn: Turn, audience_filter: AudienceFilter) -> None:
        request = turn.request
        narrowed = audience_filter.audience.restricts(request.source, request.roles)
        self._memory = memory
        self._caller = history_caller(request, audience_filter, "narrowed researcher" if narrowed else "researcher")
        self._tools = offered(self._caller.by)
        self.schemas: tuple[Mapping[str, Any], ...] = tuple(tool.schema for tool in self._tools)

    def call(self, call: ToolCall) -> Json:
        tool = next((tool for tool in self._tools if tool.name == call.name), None)
        return tool.run(self._memory, self._caller, call.arguments) if tool else unknown(call.name, self._tools)
