"""Runs the tools of seed 003: JSON in, lean JSON out, and a trace of every call.

Writes give `{"success": true}` and no more. What goes wrong comes back as `{"success": false, "error": …}` with a
sentence that says how to go on; nothing is raised. The tools are bound to a place: the workspace that a caller names is
looked up among those seen from there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from ai.agents.toolbox.workspace_params import (
    CreateState,
    CreateWorkspace,
    Listing,
    Named,
    Params,
    SearchMemory,
    UpdateWorkspace,
    sentence,
)
from ai.errors import NotFound, UserError
from ai.memory.search import Recollection, Sought
from ai.memory.workspaces import Origin, Snapshot, TracedCall, Workspace
from ai.memory_store import MemoryStore
from ai.types import Json, Place, ThreadKey

MEMORY_MANAGER, SEARCH_MANAGER = "memoryManager", "searchManager"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: from which place, in which conversation and turn. `context` is what the caller said of the session."""

    place: Place
    session: ThreadKey
    turn_id: str = ""
    author: str = ""
    context: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its name, what it does, its parameters, and the work, which gives the `data` of the answer or None."""

    name: str
    does: str
    params: type[Params]
    work: Callable[[MemoryStore, Caller, Any], Json]
    agent: str = MEMORY_MANAGER


class WorkspaceTools:
    """The tools, as one caller has them."""

    def __init__(self, memory: MemoryStore, caller: Caller) -> None:
        self._memory = memory
        self._caller = caller

    def run(self, tool: str, params: Mapping[str, Any]) -> dict[str, Json]:
        """Call a tool by its name."""
        return self._run(self._caller, tool, params)

    def use_tools(self, envelope: Mapping[str, Any]) -> dict[str, Json]:
        """Seed 003's `useTools({context, calls})`: the answer of the call, or for several `data` with each in order.

        The workspace of the context is looked up; its session names the conversation unless that is known already.
        """
        context: Mapping[str, Any] = envelope.get("context") or {}
        try:
            caller = self._within(context)
            answers = [self._run(caller, *_call(call)) for call in envelope.get("calls") or ()]
        except UserError as error:
            return _failed(str(error))
        if len(answers) == 1:
            return answers[0]
        return {"success": all(answer["success"] for answer in answers), "data": list(answers)}

    def _within(self, context: Mapping[str, Any]) -> Caller:
        caller = self._caller
        session = caller.session
        if not any((session.team, session.channel, session.thread_ts)):
            session = ThreadKey("", "", str(context.get("sessionId") or ""))
        said = {name: context[name] for name in ("memory", "goal", "constraints") if context.get(name)}
        place = _moved(self._memory, caller.place, str(context.get("workspaceId") or caller.place.workspace))
        return replace(caller, place=place, session=session, context=said)

    def _run(self, caller: Caller, name: str, params: Mapping[str, Any]) -> dict[str, Json]:
        call = TracedCall(name, dict(params), caller.session, caller.place, caller.turn_id, caller.context)
        return self._memory.traces.run(call, lambda: self._answer(caller, name, params), lambda answer: answer)

    def _answer(self, caller: Caller, name: str, params: Mapping[str, Any]) -> dict[str, Json]:
        tool = BY_NAME.get(name)
        if tool is None:
            return _failed(f'Tool "{name}" not found. Available tools: {", ".join(BY_NAME)}.')
        given = {name: value for name, value in params.items() if value is not None}
        try:
            data = tool.work(self._memory, caller, tool.params.model_validate(given))
        except ValidationError as error:
            return _failed(sentence(name, tool.params, error))
        except UserError as error:
            return _failed(str(error))
        return {"success": True} if data is None else {"success": True, "data": data}


def schemas() -> list[dict[str, Any]]:
    """All tools as OpenAI function definitions."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.does, "parameters": tool.params.model_json_schema()},
        }
        for tool in TOOLS
    ]


def _call(call: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    name, agent = str(call.get("tool", "")), call.get("agent", MEMORY_MANAGER)
    if name in BY_NAME and agent not in (BY_NAME[name].agent, MEMORY_MANAGER):
        raise NotFound(f'Agent "{agent}" has no tool "{name}". Use agent "{BY_NAME[name].agent}".')
    return name, call.get("params") or {}


def _moved(memory: MemoryStore, place: Place, workspace: str) -> Place:
    """The place within another workspace, given by name or id. NotFound when none is seen from the place."""
    if workspace == place.workspace:
        return place
    return replace(place, workspace=memory.workspaces.one(place, workspace).id)


def _failed(sentence: str) -> dict[str, Json]:
    return {"success": False, "error": sentence}


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
    origin = Origin(caller.session, caller.turn_id, caller.author)
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


TOOLS = (
    Tool("createWorkspace", "Create a new workspace.", CreateWorkspace, _create_workspace),
    Tool("listWorkspaces", "List all workspaces.", Listing, _list_workspaces),
    Tool("loadWorkspace", "Load a workspace's full context.", Named, _load_workspace),
    Tool("updateWorkspace", "Update workspace fields.", UpdateWorkspace, _update_workspace),
    Tool("archiveWorkspace", "Archive a workspace (soft delete).", Named, _archive_workspace),
    Tool("createState", "Save the current work as an immutable state of the workspace.", CreateState, _create_state),
    Tool("listStates", "List the states of the current workspace.", Listing, _list_states),
    Tool("loadState", "Load a state by its name.", Named, _load_state),
    Tool("archiveState", "Archive a state (soft delete).", Named, _archive_state),
    Tool("searchMemory", "Search states and traces of a workspace.", SearchMemory, _search_memory, SEARCH_MANAGER),
)
BY_NAME = {tool.name: tool for tool in TOOLS}
