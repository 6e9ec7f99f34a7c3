"""What a language model is offered of the memory: it may look at what the asker may see, change nothing, and leaves traces."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ai.agents.port import QuestionEvent, ReplyEvent, Turn
from ai.agents.question_context import QuestionContext
from ai.agents.toolbox.archives import LIST_HISTORY_TOOL, MEMORY_TOOL
from ai.agents.toolbox.history import MEMORY_TOOLS
from ai.agents.toolbox.memory import MemoryTools
from ai.agents.toolbox.workspace import schemas
from ai.analysts.port import ToolCall
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from ai.types import Json, Place, Request, ThreadKey
from tests.desk import Desk, open_desk
from tests.models import model_analyst
from tests.openai_server import Script

HERE = ThreadKey("T", "C", "1.0")
HOME = Place("T", "C", source="shop")
RIGHTS = SourceRights(Rights(rows={"apps": "platform = 'iOS'"}), (("boss", EVERYTHING),))


def asked(desk: Desk, text: str, number: int) -> list[ReplyEvent]:
    return list(desk.orchestrator.run(Turn(request(desk, text, number))))


def request(desk: Desk, text: str, number: int = 9, role: str = "boss") -> Request:
    at = datetime.now(UTC)
    desk.memory.receive(HERE, f"T:C:{number}", text, "U1", at)
    return Request(f"T:C:{number}", HERE, text, "U1", at, "shop", roles=(role,))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with open_desk(tmp_path_factory.mktemp("desk"), rights=RIGHTS) as opened:
        for number, text in enumerate(("how many apps do we have?", "save this as Q3 apps, next: ask finance")):
            asked(opened, text, number)
        yield opened


def tools(desk: Desk, role: str = "boss") -> MemoryTools:
    context = QuestionContext(desk.memory, desk.audience.sources)
    return MemoryTools(desk.memory, Turn(request(desk, "what did we save?", role=role)), context.audience_filter)


def named(offered: MemoryTools) -> dict[str, Any]:
    return {schema["function"]["name"]: schema for schema in offered.schemas}


def test_the_schemas_are_those_of_the_seeds(desk: Desk) -> None:
    written = (*MEMORY_TOOLS, MEMORY_TOOL, LIST_HISTORY_TOOL, *schemas())
    offered = named(tools(desk))
    assert all(schema in written for schema in offered.values())
    assert {"search_history", "memory", "list_history", "searchMemory", "loadState"} <= offered.keys()


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("list_history", {}, "[0] "),
        ("memory", {"operation": "list"}, "Nothing is archived"),
        ("memory", {"operation": "store", "start_index": 0, "end_index": 1}, "look only"),
        ("memory", {}, "look only"),
        ("searchMemory", {"query": "finance", "workspaceId": "default"}, "Q3 apps"),
        ("loadState", {"name": "Q3 apps"}, "how many apps do we have?"),
        ("loadState", {"name": "Q4 apps"}, "Use listStates"),
        ("createState", {"name": "mine"}, "There is no tool createState"),
        ("search_history", {"query": "apps"}, "how many apps do we have?"),
    ],
)
def test_it_looks_and_changes_nothing(desk: Desk, name: str, arguments: dict[str, Json], told: str) -> None:
    before = desk.memory.archives.list(HERE), desk.memory.states.all(HOME)
    assert told in str(tools(desk).call(ToolCall(name, arguments)))
    assert (desk.memory.archives.list(HERE), desk.memory.states.all(HOME)) == before


@pytest.mark.parametrize("name", ["list_history", "searchMemory", "search_history"])
def test_every_call_leaves_a_trace(desk: Desk, name: str) -> None:
    arguments = {"searchMemory": {"query": "x", "workspaceId": "default"}, "search_history": {"query": "x"}}
    tools(desk).call(ToolCall(name, arguments.get(name, {})))
    newest = desk.memory.traces.newest(HERE)[0]
    assert (newest.call.tool, newest.call.turn_id) == (name, "T:C:9")


def test_from_whom_something_is_kept_back_only_what_is_sifted_is_offered(desk: Desk) -> None:
    offered = tools(desk, role="everybody")
    assert list(offered.schemas) == MEMORY_TOOLS
    assert "There is no tool list_history" in str(offered.call(ToolCall("list_history", {})))


def test_a_saved_state_that_a_model_finds_is_offered_and_resumed(tmp_path: Path) -> None:
    counted = {"kind": "sql", "sql": "SELECT COUNT(*) AS n FROM apps", "text": "count", "expects": "number"}
    search = {"calls": [{"name": "searchMemory", "args": {"query": "finance", "workspaceId": "default"}}]}
    end = {"calls": [{"name": "quote_messages", "args": {"numbers": [99], "states": ["Q3 apps", "Q4 apps"]}}]}
    script: list[dict[str, Any]] = [
        {"when": {"last": "ask finance"}, "reply": end},
        {"when": {"tools": ["quote_messages"]}, "reply": search},
        {"reply": {"data": counted}},
    ]
    with model_analyst(tmp_path, Script(script)) as (analyst, _), open_desk(tmp_path, analyst) as desk:
        for number, text in enumerate(("how many apps do we have?", "save this as Q3 apps, next: ask finance")):
            asked(desk, text, number)
        (offer,) = asked(desk, "what did we discuss about the quarterly budget?", 2)
        assert isinstance(offer, QuestionEvent)
        assert offer.options == ("resume Q3 apps",)
        assert any("ask finance" in str(event) for event in asked(desk, offer.options[0], 3))
