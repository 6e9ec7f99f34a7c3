"""Seed 004's router, agents and tools, called by its own names: a text, a thread, and the history when there is one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.agents.csv_export_agent import CsvExportAgent
from ai.agents.port import FileEvent, SqlEvent
from ai.agents.router_agent import RouterAgent
from ai.agents.sql_query_agent import SqlQueryAgent
from ai.agents.sql_retrieval_agent import SqlRetrievalAgent
from ai.agents.tools import generate_csv_tool, get_cached_results_tool, get_sql_history_tool
from ai.memory_store import memory_store
from tests.desk import Desk, open_desk

THREAD = "1234567890.123456"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with open_desk(tmp_path) as opened, memory_store.bind(opened.memory):
        for question in ("how many apps do we have?", "what about iOS?"):
            opened.orchestrator.process_message(question, THREAD)
        yield opened


def results(desk: Desk) -> list[object]:
    return [query.result for query in desk.memory.queries(THREAD)]


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ("how many apps do we have?", "sql_query"),
        ("export this as csv", "csv_export"),
        ("show me the SQL for all the apps", "sql_retrieval"),
    ],
)
def test_the_router_reads_and_stores_nothing(desk: Desk, message: str, intent: str) -> None:
    before = memory_store.get_messages(THREAD)
    router = RouterAgent(desk.services)
    assert router.classify_intent(message, THREAD, desk.memory.history(THREAD)).intent == intent
    assert router.classify_intent(message, THREAD).intent == intent
    assert memory_store.get_messages(THREAD) == before


def test_the_sql_agent_queries_and_stores_its_query(desk: Desk) -> None:
    agent = SqlQueryAgent(desk.services)
    answer = agent.query("and Android?", THREAD, desk.memory.history(THREAD))
    assert "There is" in answer.text
    assert [entry["question"] for entry in memory_store.get_sql_queries(THREAD)][-1] == "and Android?"


def test_the_retrieval_agent_shows_sql_and_runs_none(desk: Desk) -> None:
    before = results(desk)
    told = SqlRetrievalAgent(desk.services).retrieve("show me the SQL for all the apps", THREAD)
    (shown,) = [event for event in told.events if isinstance(event, SqlEvent)]
    assert shown.question == "how many apps do we have?"
    assert told.text.endswith(f"```sql\n{shown.sql}\n```")
    assert results(desk) == before


def test_the_csv_agent_exports_what_is_cached(desk: Desk) -> None:
    before = results(desk)
    told = CsvExportAgent(desk.services).export("export this as csv", THREAD)
    (file,) = [event for event in told.events if isinstance(event, FileEvent)]
    assert file.path.read_text("utf-8").splitlines()[1:] == ["2"]
    assert results(desk) == before


def test_the_tools_of_the_seed(desk: Desk, tmp_path: Path) -> None:
    described, last = get_sql_history_tool(THREAD, "all the apps"), get_sql_history_tool(THREAD)
    assert described is not None
    assert last is not None
    assert (described["question"], last["question"]) == ("how many apps do we have?", "what about iOS?")
    cached, older = get_cached_results_tool(THREAD), get_cached_results_tool(THREAD, "how many apps do we have?")
    assert cached is not None
    assert older is not None
    assert [(each["row_count"], [*each["data"][0].values()]) for each in (cached, older)] == [(1, [2]), (1, [3])]
    path = generate_csv_tool(cached["data"], tmp_path / "last.csv")
    assert Path(path).read_text("utf-8").splitlines()[1:] == ["2"]
    assert get_cached_results_tool("9.9") is None
