"""All tools of the memory that a language model is offered in one turn, under the schemas of seeds 000, 002 and 003.

It may look at everything that the asker may see, and change nothing: what would change something is answered with a
sentence, for what stands in a conversation must not be able to order it. From whom rights keep something back, only the
history tools are there: those alone sift what they give. Every call leaves a trace.
"""

from collections.abc import Mapping
from typing import Any

from ai.agents.port import Turn
from ai.agents.rights.hearing import Hearing
from ai.agents.toolbox.history import MEMORY_TOOLS, HistoryTools
from ai.agents.toolbox.workspace import Caller, WorkspaceTools, schemas
from ai.analysts.port import ToolCall
from ai.memory.archives.tool import LIST_HISTORY_TOOL, MEMORY_TOOL, ArchiveTool
from ai.memory.workspaces import TracedCall
from ai.memory_store import MemoryStore
from ai.types import Json, Place

LOOKING = frozenset({"load", "list"})  # operations of `memory`
WORKSPACE_TOOLS = frozenset({"searchMemory", "listStates", "loadState", "listWorkspaces", "loadWorkspace"})
ONLY_LOOK = "Error: here you may look only: the operations are load and list."
OTHERS = (
    MEMORY_TOOL,
    LIST_HISTORY_TOOL,
    *(schema for schema in schemas() if schema["function"]["name"] in WORKSPACE_TOOLS),
)


class MemoryTools:
    """The tools of one turn."""

    def __init__(self, memory: MemoryStore, turn: Turn, hearing: Hearing) -> None:
        request = turn.request
        self._memory, self._request = memory, request
        self._history = HistoryTools(memory, turn, hearing)
        self._archives = ArchiveTool(memory.archives, request.thread, memory.parts.limits.model)
        self._workspaces = WorkspaceTools(
            memory, Caller(Place.of(request), request.thread, request.turn_id, author=request.user)
        )
        sifted = hearing.audience.restricts(request.source, request.roles)
        self.schemas: tuple[Mapping[str, Any], ...] = (*MEMORY_TOOLS, *(() if sifted else OTHERS))

    def call(self, call: ToolCall) -> Json:
        """What a call gives; what is wrong with it is said in the answer. Messages have their places as `number`."""
        name = call.name if any(call.name == schema["function"]["name"] for schema in self.schemas) else ""
        if name in WORKSPACE_TOOLS:
            return self._workspaces.run(name, call.arguments)
        if name in ("memory", "list_history"):
            return self._archived(name, call.arguments)
        return self._history.call(call.name, call.arguments, numbered=True)

    def _archived(self, name: str, arguments: Mapping[str, Json]) -> str:
        """Text of the archives; its trace says how long it was, and quotes nothing."""

        def work() -> str:
            if name == "list_history":
                return self._archives.list_history()
            return self._archives.memory(arguments) if arguments.get("operation") in LOOKING else ONLY_LOOK

        request = self._request
        call = TracedCall(name, arguments, request.thread, Place.of(request), request.turn_id)
        return self._memory.traces.run(call, work, lambda text: {"characters": len(text)})
