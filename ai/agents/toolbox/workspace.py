"""Offers workspaces and saved states: JSON in, lean JSON out.

Writes return `{"success": true}`, failures `{"success": false, "error": …}` with the next step. A workspace is looked
up among those seen from the caller's place.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ai.agents.toolbox.tool import By, Caller, Envelope, Tool
from ai.agents.toolbox.workspace_arguments import (
    CreateState,
    CreateWorkspace,
    Listing,
    Named,
    SearchMemory,
    UpdateWorkspace,
    sentence,
)
from ai.errors import NotFound, UserError
from ai.memory.search import Recollection, Sought
from ai.memory.workspaces import Snapshot, StateOrigin, TracedCall, Workspace
from ai.memory_store import MemoryStore
from ai.types import Json, Place, ThreadKey

__all__ = ["Caller", "WorkspaceTools", "schemas"]
MEMORY_MANAGER, SEARCH_MANAGER = "memoryManager", "searchManager"
Answer = dict[str, Any]


class WorkspaceTools:
    def __init__(self, memory: MemoryStore, caller: Caller) -> None:
        self._memory = memory
        self._caller = caller

    def run(self, tool: str, params: Mapping[str, Any]) -> Answer:
        return self._run(self._caller, tool, params)

    def use_tools(self, envelope: Mapping[str, Any]) -> Answer:
        """Run `useTools({context, calls})`: return the answer of one call, or for several `data` with each in order.

        The workspace of the context is looked up; its session names the conversation unless the caller has one.
        """
        context: Mapping[str, Any] = envelope.get("context") or {}
        try:
            caller = self._within(context)
            answers = [self._run(caller, *_call(call)) for call in envelope.get("calls") or ()]
        except UserError as error:
            return _failed(error)
        if len(answers) == 1:
            return answers[0]
        return {"success": all(answer["success"] for answer in answers), "data": answers}

    def _within(self, context: Mapping[str, Any]) -> Caller:
        caller = self._caller
        session = caller.session
        if not any((session.team, session.channel, session.thread_ts)):
            session = ThreadKey("", "", str(context.get("sessionId") or ""))
        said = {name: context[name] for name in ("memory", "goal", "constraints") if context.get(name)}
        place = _moved(self._memory, caller.place, str(context.get("workspaceId") or caller.place.workspace))
        return replace(caller, place=place, session=session, context=said)

    def _run(self, caller: Caller, name: str, params: Mapping[str, Any]) -> Answer:
        tool = BY_NAME.get(name)
        answer = tool.run(self._memory, caller, params) if tool else self._unknown(caller, name, params)
        return answer if isinstance(answer, dict) else {}

    def _unknown(self, caller: Caller, name: str, params: Mapping[str, Any]) -> Answer:
        answer = _failed(NotFound(f'Tool "{name}" not found. Available tools: {", ".join(BY_NAME)}.'))
        call = TracedCall(name, dict(params), caller.session, caller.place, caller.turn_id, caller.context)
        return self._memory.traces.run(call, lambda: answer, lambda answer: answer)


def schemas() -> list[dict[str, Any]]:
    return [tool.schema for tool in TOOLS]


def _call(call: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    name, agent = str(call.get("tool", "")), call.get("agent", MEMORY_MANAGER)
    if name in BY_NAME and agent not in (BY_NAME[name].agent, MEMORY_MANAGER):
        raise NotFound(f'Agent "{agent}" has no tool "{name}". Use agent "{BY_NAME[name].agent}".')
    return name, call.get("params") or {}


def _moved(memory: MemoryStore, place: Place, workspace: str) -> Place:
    """Return the place within another workspace, by name or id. Raises NotFound."""
    if workspace == place.workspace:
        return place
    return replace(place, workspace=memory.workspaces.one(place, workspace).id)


def _answered(data: Json) -> Answer:
    return {"success": True} if data is None else {"success": True, "data": data}


def _failed(error: UserError) -> Answer:
    return {"success": False, "error": str(error)}


def _create_workspace(memory: MemoryStore, caller: Caller, given: CreateWorkspace) -> Json:
    memory.workspaces.create(caller.place, Workspace(**dict(given)))
    return None


def _list_workspaces(memory: MemoryStore, caller: Caller, given: Listing) -> Json:
    found = memory.workspaces.all(caller.place, include_archived=given.include_archived)
    return [{"name": each.name, "description": each.description} for each in found]


def _load_workspace(memory: MemoryStore, caller: Caller, given: Named) -> Json:
    found = memory.workspaces.one(caller.place, given.name)
    return {
        "id": found.id,
        "name": found.name,
        "description": found.description,
        "rootFolder": found.root_folder,
        "purpose": found.purpose,
        "workflows": list(found.workflows),
        "keyFiles": list(found.key_files),
        "preferences": dict(found.preferences),
    }


def _update_workspace(memory: MemoryStore, caller: Caller, given: UpdateWorkspace) -> Json:
    changes = {name: value for name, value in dict(given).items() if name != "name" and value is not None}
    memory.workspaces.update(caller.place, given.name, changes)
    return None


def _archive_workspace(memory: MemoryStore, caller: Caller, given: Named) -> Json:
    memory.workspaces.archive(caller.place, given.name)
    return None


def _create_state(memory: MemoryStore, caller: Caller, given: CreateState) -> Json:
    last = memory.queries(caller.session, 1, caller.turn_id or None)
    origin = StateOrigin(caller.session, caller.turn_id, caller.author)
    memory.states.create(caller.place, Snapshot(**dict(given)), origin, next(iter(last), None))
    return None


def _list_states(memory: MemoryStore, caller: Caller, given: Listing) -> Json:
    found = memory.states.all(caller.place, include_archived=given.include_archived)
    return [{"name": each.snapshot.name, "description": each.snapshot.description} for each in found]


def _load_state(memory: MemoryStore, caller: Caller, given: Named) -> Json:
    said = memory.states.one(caller.place, given.name).snapshot
    data: dict[str, Json] = {
        "name": said.name,
        "conversationContext": said.conversation_context,
        "activeTask": said.active_task,
        "activeFiles": list(said.active_files),
        "nextSteps": list(said.next_steps),
    }
    optional: dict[str, Json] = {"description": said.description, "tags": list(said.tags)}
    return data | {name: value for name, value in optional.items() if value}


def _archive_state(memory: MemoryStore, caller: Caller, given: Named) -> Json:
    memory.states.archive(caller.place, given.name)
    return None


def _search_memory(memory: MemoryStore, caller: Caller, given: SearchMemory) -> Json:
    days = given.date_range
    sought = Sought(given.query, given.memory_types, days.since, days.until, given.limit)
    place = _moved(memory, caller.place, given.workspace_id)
    return [_found(each) for each in memory.recollections.search(place, sought)]


def _found(each: Recollection) -> Json:
    found: dict[str, Json] = {"content": each.content, "type": each.type}
    return found | ({"tool": each.tool} if each.tool else {}) | {"context": each.context}


LEAN = Envelope(_answered, _failed, sentence, _answered)
AGENT: frozenset[By] = frozenset({"agent", "http"})
LOOKING: frozenset[By] = AGENT | {"researcher"}


def _tool(name: str, does: str, arguments: Any, work: Any, callers: frozenset[By], agent: str = MEMORY_MANAGER) -> Tool:
    return Tool(name, does, arguments, work, callers, LEAN, agent)


TOOLS = (
    _tool("createWorkspace", "Create a new workspace.", CreateWorkspace, _create_workspace, AGENT),
    _tool("listWorkspaces", "List all workspaces.", Listing, _list_workspaces, LOOKING),
    _tool("loadWorkspace", "Load a workspace's full context.", Named, _load_workspace, LOOKING),
    _tool("updateWorkspace", "Update workspace fields.", UpdateWorkspace, _update_workspace, AGENT),
    _tool("archiveWorkspace", "Archive a workspace (soft delete).", Named, _archive_workspace, AGENT),
    _tool(
        "createState",
        "Save the current work as an immutable state of the workspace.",
        CreateState,
        _create_state,
        AGENT,
    ),
    _tool("listStates", "List the states of the current workspace.", Listing, _list_states, LOOKING),
    _tool("loadState", "Load a state by its name.", Named, _load_state, LOOKING),
    _tool("archiveState", "Archive a state (soft delete).", Named, _archive_state, AGENT),
    _tool(
        "searchMemory",
        "Search states and traces of a workspace.",
        SearchMemory,
        _search_memory,
        LOOKING,
        SEARCH_MANAGER,
    ),
)
BY_NAME = {tool.name: tool for tool in TOOLS}
