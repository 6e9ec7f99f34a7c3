"""The three tools: bound to their thread, whatever a model says."""

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ai.agents.port import Turn
from ai.agents.toolbox.history import HistoryTools
from ai.agents.toolbox.langchain import langchain_tools
from ai.agents.toolbox.tool import Caller
from ai.agents.tools import ThreadTools, generate_csv_tool, get_cached_results_tool, get_sql_history_tool, slug
from ai.errors import NoResult
from ai.memory_store import memory_store
from ai.types import Place, Request, ThreadKey
from tests.desk import Desk

HERE, THERE = ThreadKey("T", "C1", "1.0"), ThreadKey("T", "C2", "1.0")


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    desk = open_desk()
    desk.orchestrator.process_message("how many apps do we have?", HERE)
    desk.orchestrator.process_message("list the apps", HERE)
    return desk


def tools_of(desk: Desk, thread: ThreadKey) -> ThreadTools:
    return ThreadTools(desk.memory, thread, desk.exports, desk.audience)


def model_tools(desk: Desk, thread: ThreadKey) -> tuple[Any, ...]:
    place = Place(thread.team, thread.channel)
    return langchain_tools(desk.memory, Caller(place, thread, by="langchain", queries=tools_of(desk, thread)))


def test_a_thread_that_a_model_names_is_ignored(desk: Desk) -> None:
    for tool in model_tools(desk, THERE):
        with pytest.raises(NoResult, match="Nothing has been asked"):
            tool.invoke({"thread_ts": str(HERE)})


def test_a_model_sees_no_rows(desk: Desk) -> None:
    history, cached, export = model_tools(desk, HERE)
    assert history.invoke({"query_description": "how many apps"})["row_count"] == 1
    assert set(cached.invoke({})) == {"question", "sql_query", "row_count", "timestamp", "columns"}
    assert export.invoke({"thread_ts": str(THERE)}) == {"file": "list-the-apps.csv"}


def test_an_exported_file_is_guarded_against_formulas(desk: Desk) -> None:
    tools = tools_of(desk, HERE)
    query = tools.get_cached_results_tool().query
    assert query is not None
    text = tools.generate_csv_tool(query, "turn").read_text("utf-8")
    assert [row[-1] for row in csv.reader(io.StringIO(text))][1:] == ["Ada", "Bo", "'=1+1"]


def test_the_calls_of_seed_004(desk: Desk, tmp_path: Path) -> None:
    with memory_store.bind(desk.memory):
        found = get_sql_history_tool(thread_ts=str(HERE), query_description="how many apps")
        assert found is not None
        assert set(found) == {"sql", "question", "results", "timestamp"}
        assert found["question"] == "how many apps do we have?"
        cached = get_cached_results_tool(thread_ts=str(HERE))
        assert cached is not None
        assert cached["row_count"] == 3
        path = generate_csv_tool(cached["data"], tmp_path / "apps.csv")
        assert Path(path).read_text("utf-8").count("\n") == 4
        assert get_cached_results_tool(thread_ts=str(THERE)) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("How many apps?", "how-many-apps"),
        ("../../etc/passwd", "etc-passwd"),
        ("口袋菜谱", "口袋菜谱"),
        ("?!", "result"),
    ],
)
def test_file_names(text: str, name: str) -> None:
    assert slug(text) == name


def test_every_call_leaves_a_trace_even_when_it_finds_nothing(desk: Desk) -> None:
    tools_of(desk, HERE).get_sql_history_tool("how many apps")
    with pytest.raises(NoResult):
        tools_of(desk, THERE).get_cached_results_tool()
    request = Request("T:C1:2.0", HERE, "what was said about apps?", "U1", datetime.now(UTC), "shop")
    HistoryTools(desk.memory, Turn(request)).call("search_history", {"query": "apps"})
    mine = [(trace.call.tool, dict(trace.call.params)) for trace in desk.memory.traces.newest(HERE)]
    assert mine[-1] == ("get_sql_history_tool", {"query_description": "how many apps"})
    assert mine[0] == ("search_history", {"query": "apps", "limit": 5})
    (refused,) = desk.memory.traces.newest(THERE)
    assert '"success": false' in refused.result
