"""Every example and promise of seed 003: its tools, their answers and errors word for word, and its three flows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ai.agents.toolbox.workspace import Caller, WorkspaceTools, schemas
from ai.memory_store import MemoryStore
from ai.types import Place, ThreadKey
from tests.memories import opened

Answer = dict[str, Any]
PROJECT = {
    "name": "Project Alpha",
    "description": "E-commerce platform rebuild",
    "rootFolder": "projects/alpha",
    "purpose": "Rebuild legacy e-commerce platform",
}
PROGRESS: dict[str, Any] = {
    "name": "Auth Module Progress",
    "conversationContext": "We decided on JWT tokens for auth and set up the basic structure.",
    "activeTask": "Implementing token refresh logic",
    "activeFiles": ["src/auth/jwt.ts", "src/auth/middleware.ts"],
    "nextSteps": ["Add refresh token endpoint", "Test token expiration", "Add logout flow"],
    "tags": ["auth", "in-progress"],
}
DONE = {"success": True}


@dataclass(frozen=True)
class Session:
    """What a conversation of the seed sends: `useTools` with one call, in a workspace."""

    memory: MemoryStore
    name: str = "session-1"
    workspace: str = "default"

    def use(self, tool: str, agent: str = "memoryManager", **params: Any) -> Answer:
        context = {"workspaceId": self.workspace, "sessionId": self.name, "memory": "", "goal": "Setup project"}
        tools = WorkspaceTools(self.memory, Caller(Place(), ThreadKey("", "", "")))
        return tools.use_tools({"context": context, "calls": [{"agent": agent, "tool": tool, "params": params}]})


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with opened(tmp_path) as store:
        yield store


@pytest.fixture
def session(memory: MemoryStore) -> Session:
    return Session(memory)


@pytest.fixture
def project(session: Session) -> Callable[[str], Session]:
    """Sessions of the project's workspace, which is named by its id."""
    session.use("createWorkspace", **PROJECT)
    workspace = session.use("loadWorkspace", name="Project Alpha")["data"]["id"]
    return lambda name: Session(session.memory, name, workspace)


def test_flow_1_project_setup(session: Session) -> None:
    assert session.use("createWorkspace", **PROJECT) == DONE


def test_flow_2_and_3_a_state_is_loaded_in_a_different_conversation(project: Callable[[str], Session]) -> None:
    assert project("session-1").use("createState", **PROGRESS) == DONE
    assert project("session-2").use("loadState", name="Auth Module Progress") == {"success": True, "data": PROGRESS}


def test_a_workspace_exists_once(session: Session) -> None:
    session.use("createWorkspace", **PROJECT)
    assert session.use("createWorkspace", **PROJECT) == {
        "success": False,
        "error": 'Workspace "Project Alpha" already exists. Use listWorkspaces to see existing workspaces.',
    }


def test_listed_workspaces_have_a_name_and_a_description(session: Session) -> None:
    session.use("createWorkspace", **PROJECT)
    listed = session.use("listWorkspaces")
    assert listed["success"]
    assert [each["name"] for each in listed["data"]] == ["default", "Project Alpha"]
    assert listed["data"][1] == {"name": "Project Alpha", "description": "E-commerce platform rebuild"}


def test_a_loaded_workspace_has_its_full_context(session: Session) -> None:
    more: dict[str, Any] = {
        "workflows": ["Deploy"],
        "keyFiles": ["README.md"],
        "preferences": {"style": {"tabs": False}},
    }
    session.use("createWorkspace", **PROJECT, **more)
    data = session.use("loadWorkspace", name="Project Alpha")["data"]
    assert data.pop("id").startswith("ws-")
    assert data == PROJECT | more


@pytest.mark.parametrize("tool", ["loadWorkspace", "updateWorkspace", "archiveWorkspace"])
def test_a_workspace_that_is_not_there(session: Session, tool: str) -> None:
    error = 'Workspace "X" not found. Use listWorkspaces to see available workspaces.'
    assert session.use(tool, name="X") == {"success": False, "error": error}


def test_a_workspace_is_updated_field_by_field(session: Session) -> None:
    session.use("createWorkspace", **PROJECT)
    assert session.use("updateWorkspace", name="Project Alpha", purpose="Launch", workflows=["Ship"]) == DONE
    data = session.use("loadWorkspace", name="Project Alpha")["data"]
    assert (data["purpose"], data["workflows"], data["rootFolder"]) == ("Launch", ["Ship"], "projects/alpha")


@pytest.mark.parametrize("tool", ["createWorkspace", "updateWorkspace"])
def test_there_is_no_current_goal(session: Session, tool: str) -> None:
    error = session.use(tool, **PROJECT, currentGoal="Ship it")["error"]
    assert 'has no parameter "currentGoal". Its parameters are: name, description, rootFolder, purpose' in error


def test_an_archived_workspace_is_hidden_and_comes_back(session: Session) -> None:
    session.use("createWorkspace", **PROJECT)

    def names(**which: Any) -> list[str]:
        return [each["name"] for each in session.use("listWorkspaces", **which)["data"]]

    assert session.use("archiveWorkspace", name="Project Alpha") == DONE
    assert names() == ["default"]
    assert names(includeArchived=True) == ["default", "Project Alpha"]
    assert session.use("updateWorkspace", name="Project Alpha", isArchived=False) == DONE
    assert names() == ["default", "Project Alpha"]


def test_a_state_is_never_changed(session: Session) -> None:
    session.use("createState", **PROGRESS)
    again = session.use("createState", **PROGRESS | {"activeTask": "Something else"})
    assert again == {
        "success": False,
        "error": 'State "Auth Module Progress" already exists. States are immutable - use a unique name like '
        '"Auth Module Progress-v2" or "Auth Module Progress-2024-01".',
    }
    assert session.use("loadState", name="Auth Module Progress")["data"] == PROGRESS


@pytest.mark.parametrize("tool", ["updateState", "deleteState", "createSession", "loadSession", "listSessions"])
def test_tools_that_the_seed_removed_are_not_there(session: Session, tool: str) -> None:
    answer = session.use(tool, name="X")
    assert not answer["success"]
    assert answer["error"].startswith(f'Tool "{tool}" not found. Available tools: createWorkspace, listWorkspaces')


def test_listed_states_have_a_name_and_a_description(session: Session) -> None:
    session.use("createState", **PROGRESS, description="Before the refactoring")
    data = [{"name": "Auth Module Progress", "description": "Before the refactoring"}]
    assert session.use("listStates") == {"success": True, "data": data}


@pytest.mark.parametrize("tool", ["loadState", "archiveState"])
def test_a_state_that_is_not_there(session: Session, tool: str) -> None:
    error = 'State "X" not found. Use listStates to see available states.'
    assert session.use(tool, name="X") == {"success": False, "error": error}


def test_an_archived_state_is_hidden_but_kept_and_its_name_stays_taken(session: Session) -> None:
    session.use("createState", **PROGRESS)
    assert session.use("archiveState", name="Auth Module Progress") == DONE
    assert session.use("listStates")["data"] == []
    assert len(session.use("listStates", includeArchived=True)["data"]) == 1
    assert session.use("loadState", name="Auth Module Progress")["data"] == PROGRESS
    assert not session.use("createState", **PROGRESS)["success"]


def test_states_belong_to_one_workspace(session: Session, project: Callable[[str], Session]) -> None:
    assert project("session-1").use("createState", **PROGRESS) == DONE
    assert session.use("listStates")["data"] == []
    assert session.use("createState", **PROGRESS) == DONE


def test_ids_are_generated_and_the_session_of_a_state_is_the_workspace(session: Session) -> None:
    session.use("createState", **PROGRESS)
    (state,) = session.memory.states.all(Place())
    assert state.id.startswith("state-")
    with session.memory.parts.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT session FROM state").scalar() == "_workspace"


@pytest.mark.parametrize("missing", ["name", "conversationContext", "activeTask", "activeFiles", "nextSteps"])
def test_a_state_needs_its_five_fields(session: Session, missing: str) -> None:
    given = {name: value for name, value in PROGRESS.items() if name != missing}
    assert session.use("createState", **given) == {
        "success": False,
        "error": f'createState needs "{missing}". Its required parameters are: name, conversationContext, activeTask, '
        "activeFiles, nextSteps.",
    }


def test_a_workspace_that_the_context_names_must_exist(memory: MemoryStore) -> None:
    answer = Session(memory, workspace="ws-nowhere").use("listStates")
    error = 'Workspace "ws-nowhere" not found. Use listWorkspaces to see available workspaces.'
    assert answer == {"success": False, "error": error}


def test_search_memory_finds_states_and_traces(session: Session) -> None:
    session.use("createState", **PROGRESS)
    found = session.use("searchMemory", agent="searchManager", query="token refresh", workspaceId="default")
    assert found["success"]
    assert [each["type"] for each in found["data"]] == ["states", "traces"]
    state, trace = found["data"]
    assert "Implementing token refresh logic" in state["content"]
    assert trace["tool"] == "createState"
    assert trace["context"] == {"sessionId": "session-1", "goal": "Setup project"}


@pytest.mark.parametrize(
    ("narrowed", "types"),
    [
        ({"memoryTypes": ["states"]}, ["states"]),
        ({"memoryTypes": ["traces"]}, ["traces"]),
        ({"limit": 1}, ["states"]),
        ({"dateRange": {"end": "2024-01-31"}}, []),
        ({"dateRange": {"start": "2024-01-31"}}, ["states", "traces"]),
        (
            {"memoryTypes": None, "dateRange": {"start": "2024-01-31T08:00:00Z", "end": "2999-12-31"}},
            ["states", "traces"],
        ),
    ],
)
def test_search_memory_is_narrowed(session: Session, narrowed: dict[str, Any], types: list[str]) -> None:
    session.use("createState", **PROGRESS)
    found = session.use("searchMemory", query="JWT", workspaceId="default", **narrowed)
    assert [each["type"] for each in found["data"]] == types


@pytest.mark.parametrize("removed", ["sessions", "workspaces", "toolCalls"])
def test_search_memory_has_two_types(session: Session, removed: str) -> None:
    answer = session.use("searchMemory", query="JWT", workspaceId="default", memoryTypes=[removed])
    assert answer["error"].startswith('The parameter "memoryTypes.0" of searchMemory is wrong: ')


def test_search_memory_needs_a_workspace(session: Session) -> None:
    error = 'searchMemory needs "workspaceId". Its required parameters are: query, workspaceId.'
    assert session.use("searchMemory", query="JWT") == {"success": False, "error": error}


def test_every_call_leaves_a_trace(session: Session) -> None:
    session.use("createWorkspace", **PROJECT)
    session.use("loadState", name="X")
    session.use("noSuchTool")
    traces = session.memory.traces.newest(ThreadKey.of("session-1"))
    assert [trace.call.tool for trace in traces] == ["noSuchTool", "loadState", "createWorkspace"]
    assert traces[2].call.params == PROJECT
    assert traces[2].result == '{"success": true}'
    assert 'State \\"X\\" not found.' in traces[1].result
    assert all(trace.ms >= 0 and trace.tokens > 0 for trace in traces)


def test_several_calls_are_answered_in_order(memory: MemoryStore) -> None:
    tools = WorkspaceTools(memory, Caller(Place(), ThreadKey("", "", "")))
    calls = [{"tool": "createState", "params": PROGRESS}, {"tool": "loadState", "params": {"name": "X"}}]
    answer = tools.use_tools({"context": {"workspaceId": "default"}, "calls": calls})
    assert not answer["success"]
    assert answer["data"] == [
        DONE,
        {"success": False, "error": 'State "X" not found. Use listStates to see available states.'},
    ]


def test_the_tools_are_offered_as_the_seed_writes_them() -> None:
    functions = {schema["function"]["name"]: schema["function"]["parameters"] for schema in schemas()}
    assert list(functions) == [
        *("createWorkspace", "listWorkspaces", "loadWorkspace", "updateWorkspace", "archiveWorkspace"),
        *("createState", "listStates", "loadState", "archiveState", "searchMemory"),
    ]
    assert functions["createWorkspace"]["required"] == ["name", "description", "rootFolder", "purpose"]
    assert list(functions["updateWorkspace"]["properties"]) == [
        *("name", "description", "rootFolder", "purpose", "workflows", "keyFiles", "preferences", "isArchived")
    ]
    assert functions["createState"]["required"] == list(PROGRESS)[:5]
    assert list(functions["createState"]["properties"]) == [*list(PROGRESS)[:5], "description", "tags"]
    assert list(functions["searchMemory"]["properties"]) == [
        *("query", "workspaceId", "memoryTypes", "dateRange", "limit")
    ]
