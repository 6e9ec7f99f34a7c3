"""One row makes the schema, the LangChain tool, the HTTP parameters, and the answer of a call."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ai.agents.toolbox.langchain import langchain_tools
from ai.agents.toolbox.table import all_tools, offered
from ai.agents.toolbox.tool import By, Caller, Tool
from ai.errors import NotAllowed
from ai.types import Place, Request, ThreadKey
from bot.http_api.shapes import HistoryQuery, SearchQuery
from tests.architecture.toys.tool.parrot import TOOLS as TOY
from tests.desk import Desk

HERE = ThreadKey("T", "C", "1.0")
CHANGES = {"createWorkspace", "updateWorkspace", "archiveWorkspace", "createState", "archiveState", "generate_csv_tool"}
ANSWERING = [tool for tool in all_tools() if tool.schema["function"]["parameters"].get("required")]
each_tool = pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)


def caller(desk: Desk, by: By) -> Caller:
    at = datetime(2026, 1, 7, tzinfo=UTC)
    desk.memory.receive(HERE, "T:C:1.0", "what did we save?", "U1", at)
    request = Request("T:C:1.0", HERE, "what did we save?", "U1", at, "shop")
    return Caller(Place.of(request), HERE, request.turn_id, "U1", by=by, request=request)


@each_tool
def test_a_schema_is_valid_and_lean(tool: Tool) -> None:
    parameters = tool.schema["function"]["parameters"]
    Draft202012Validator.check_schema(parameters)
    assert '"title"' not in json.dumps(parameters)


@each_tool
def test_a_tool_works_only_for_whom_it_is_offered(tool: Tool, open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    for by in sorted({"agent", "researcher", "narrowed researcher", "http", "langchain"} - set(tool.callers)):
        try:
            said = str(tool.run(desk.memory, caller(desk, by), {}))  # type: ignore[arg-type]
        except NotAllowed as refusal:
            said = str(refusal)
        assert "is not offered here" in said


@pytest.mark.parametrize("by", ["researcher", "narrowed researcher"])
def test_who_only_looks_is_offered_nothing_that_changes(by: By) -> None:
    assert not CHANGES & {tool.name for tool in offered(by)}


@pytest.mark.parametrize("by", ["langchain", "researcher"])
def test_langchain_tools_are_the_rows(open_desk: Callable[..., Desk], by: By) -> None:
    desk = open_desk()
    made = langchain_tools(desk.memory, caller(desk, by))
    assert [(tool.name, tool.description, tool.args) for tool in made] == [
        (row.name, row.does, row.schema["function"]["parameters"]["properties"]) for row in offered(by)
    ]
    if by == "researcher":
        told = next(tool for tool in made if tool.name == "search_history").invoke({"query": "nothing"})
        assert told == {"messages": [], "more": 0, "partial": False}


@pytest.mark.parametrize(("shape", "name"), [(SearchQuery, "search_history"), (HistoryQuery, "get_extended_context")])
def test_http_parameters_are_those_of_the_tool(shape: Any, name: str) -> None:
    row = next(tool for tool in offered("http") if tool.name == name)
    assert issubclass(shape, row.arguments)
    given = {field: shape.model_fields[field].default for field in row.arguments.model_fields}
    assert given == {field: each.default for field, each in row.arguments.model_fields.items()}


@pytest.mark.parametrize("tool", ANSWERING, ids=lambda tool: tool.name)
def test_a_wrong_call_is_answered_with_the_next_step(open_desk: Callable[..., Desk], tool: Tool) -> None:
    desk = open_desk()
    told = str(tool.run(desk.memory, caller(desk, "agent"), {}))
    assert any(words in told for words in ("Its required parameters are", "see its schema", "it is one of"))


def test_a_toy_runs_like_the_others(open_desk: Callable[..., Desk]) -> None:
    desk, (toy,) = open_desk(), TOY
    asker = caller(desk, "agent")
    assert toy.run(desk.memory, asker, {"words": "hello"}) == {"echo": "hello"}
    assert "see its schema" in str(toy.run(desk.memory, asker, {"day": "soon"}))
    assert [trace.call.params for trace in desk.memory.traces.newest(HERE)] == [{"day": "soon"}, {"words": "hello"}]
