"""The examples of the seeds as they are written: names, calls without arguments, camelCase."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage

import config
from ai import compatible
from ai.agents.tools import generate_csv_tool, get_cached_results_tool, get_sql_history_tool
from ai.memory_store import MemoryStore, memory_store
from tests.memories import opened

THREAD_TS = "1234567890.123456"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with opened(tmp_path) as store, memory_store.bind(store):
        yield store


def test_seed_004_settings_are_attributes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (config.MAX_MESSAGES_PER_THREAD, config.MAX_CONVERSATION_TOKENS) == (10, 4000)
    assert (config.COMPRESSION_TRIGGER_RATIO, config.KEEP_RECENT_MESSAGES) == (0.8, 5)
    monkeypatch.setenv("KEEP_RECENT_MESSAGES", "7")
    assert config.KEEP_RECENT_MESSAGES == 7
    with pytest.raises(AttributeError):
        assert config.NO_SUCH_SETTING


def test_seed_004_a_store_without_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    store = MemoryStore()
    store.add_user_message(THREAD_TS, "how many apps do we have?")
    assert [message.content for message in store.get_messages(THREAD_TS)] == ["how many apps do we have?"]
    store.close()
    assert (tmp_path / "state.sqlite").exists()


@pytest.mark.usefixtures("memory")
def test_seed_004_a_result_becomes_a_file() -> None:
    memory_store.add_user_message(THREAD_TS, "how many apps do we have?")
    results = {"success": True, "data": [{"COUNT(*)": 49}]}
    memory_store.store_sql_query(THREAD_TS, "SELECT COUNT(*) FROM apps", "how many apps do we have?", results)
    history, cached = get_sql_history_tool(THREAD_TS, "all the apps"), get_cached_results_tool(THREAD_TS)
    assert history is not None
    assert cached is not None
    assert history["sql"] == "SELECT COUNT(*) FROM apps"
    path = Path(generate_csv_tool(cached["data"]))
    assert path.read_text("utf-8").split() == ["COUNT(*)", "49"]
    path.unlink()
    path.parent.rmdir()


@pytest.mark.usefixtures("memory")
def test_seed_001_names_in_camel_case() -> None:
    talk = [HumanMessage("Hi"), AIMessage("Hello"), HumanMessage("How many apps?")]
    window = compatible.getContextWindow(talk, 8000)
    assert (window["messages"], window["truncated"]) == (talk, False)
    assert not compatible.shouldSummarize(talk)
    memory_store.add_user_message(THREAD_TS, "Hi")
    assert compatible.getMemoryStats(THREAD_TS)["totalMessages"] == 1
    messages = memory_store.history(THREAD_TS)
    compatible.cacheRecentMessages(THREAD_TS, messages)
    assert compatible.getCachedMessages(THREAD_TS) == list(messages)
    compatible.invalidateCache(THREAD_TS)
    assert compatible.getCachedMessages(THREAD_TS) is None
