"""Seed 004, the memory: its examples and its interface, word for word."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from ai.memory.limits import MemoryLimits
from ai.memory_store import MemoryStore, memory_store
from ai.types import ThreadKey
from config import child_environment
from tests.memories import opened
from tests.paths import ROOT

THREAD_TS = "1234567890.123456"
COUNT_ALL = "SELECT COUNT(*) FROM app_portfolio"
COUNT_IOS = "SELECT COUNT(*) FROM app_portfolio WHERE platform = 'iOS'"
FORTY_NINE = {"success": True, "data": [{"COUNT(*)": 49}]}
TWENTY_ONE = {"success": True, "data": [{"COUNT(*)": 21}]}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with opened(tmp_path) as store, memory_store.bind(store):
        yield memory_store


def ask(memory: MemoryStore, question: str, sql: str, results: dict[str, object], answer: str) -> None:
    memory.add_user_message(THREAD_TS, question)
    memory.store_sql_query(thread_ts=THREAD_TS, sql_query=sql, question=question, results=results)
    memory.add_assistant_message(THREAD_TS, answer)


def converse(memory: MemoryStore, turns: int, words: int = 1) -> None:
    for number in range(turns):
        memory.add_user_message(THREAD_TS, f"question {number} " + "apps " * words)
        memory.add_assistant_message(THREAD_TS, f"answer {number} " + "apps " * words)


def alternating(count: int) -> list[BaseMessage]:
    return [HumanMessage(f"q{n // 2}") if n % 2 == 0 else AIMessage(f"a{n // 2}") for n in range(count)]


def texts(messages: list[BaseMessage]) -> list[str]:
    return [str(message.text) for message in messages]


def test_example_1_simple_query_flow(memory: MemoryStore) -> None:
    assert memory.get_messages(THREAD_TS) == []
    ask(memory, "how many apps do we have?", COUNT_ALL, FORTY_NINE, "49")
    assert memory._store[THREAD_TS].messages == [HumanMessage("how many apps do we have?"), AIMessage("49")]
    (kept,) = memory._sql_queries[THREAD_TS]
    assert set(kept) == {"sql", "question", "results", "timestamp"}
    assert (kept["sql"], kept["question"], kept["results"]) == (COUNT_ALL, "how many apps do we have?", FORTY_NINE)
    assert datetime.fromisoformat(kept["timestamp"]).tzinfo is not None


def test_example_2_follow_up_question(memory: MemoryStore) -> None:
    ask(memory, "how many apps do we have?", COUNT_ALL, FORTY_NINE, "49")
    assert memory.get_messages(THREAD_TS) == [HumanMessage("how many apps do we have?"), AIMessage("49")]
    ask(memory, "what about iOS?", COUNT_IOS, TWENTY_ONE, "21")
    assert memory.get_messages(THREAD_TS) == [
        HumanMessage("how many apps do we have?"),
        AIMessage("49"),
        HumanMessage("what about iOS?"),
        AIMessage("21"),
    ]
    assert [query["sql"] for query in memory.get_sql_queries(THREAD_TS)] == [COUNT_ALL, COUNT_IOS]


def test_example_3_csv_export_uses_the_cached_results(memory: MemoryStore) -> None:
    ask(memory, "how many apps do we have?", COUNT_ALL, FORTY_NINE, "49")
    ask(memory, "what about iOS?", COUNT_IOS, TWENTY_ONE, "21")
    last = memory.get_last_sql_query(THREAD_TS)
    assert last is not None
    assert last["sql"] == COUNT_IOS
    assert last["results"] == memory.get_last_query_results(THREAD_TS) == TWENTY_ONE


def test_example_4_sql_by_description(memory: MemoryStore) -> None:
    ask(memory, "how many apps do we have?", COUNT_ALL, FORTY_NINE, "49")
    ask(memory, "what about iOS?", COUNT_IOS, TWENTY_ONE, "21")
    found = memory.find_query(THREAD_TS, "all the apps").query
    assert found is not None
    assert (found.question, found.sql) == ("how many apps do we have?", COUNT_ALL)
    last = memory.find_query(THREAD_TS, None).query
    assert last is not None
    assert last.sql == COUNT_IOS


def test_example_5_conversation_compression(tmp_path: Path) -> None:
    with opened(tmp_path, MemoryLimits(trigger_ratio=0)) as uncompressed:
        converse(uncompressed, 7, words=330)
        before = uncompressed.get_messages(THREAD_TS)
    with opened(tmp_path) as memory:
        memory.add_user_message(THREAD_TS, "another question")
        view, tokens = memory.get_messages(THREAD_TS), sum(m.tokens for m in memory.history(THREAD_TS))
    assert (len(before), len(view)) == (14, 7)
    assert view[2:] == [*before[-4:], HumanMessage("another question")]
    assert [message.additional_kwargs["memory"] for message in view[:2]] == ["summary", "summary"]
    assert all(message.additional_kwargs["handle"].startswith("mem://") for message in view[:2])
    assert [text[:25] for text in texts(view[:2])] == ["User asked: question 0 ap", "User asked: question 4 ap"]
    assert tokens < 2500


def test_a_thread_of_few_long_messages_is_compressed_too(memory: MemoryStore) -> None:
    converse(memory, 4, words=600)
    view = memory.history(THREAD_TS)
    assert len(view) <= 8
    assert sum(message.tokens for message in view) <= 4000 * 0.8
    assert view[-1].content.startswith("answer 3 ")


def test_a_thread_of_ten_messages_is_shown_as_it_is(memory: MemoryStore) -> None:
    converse(memory, 5)
    assert texts(memory.get_messages(THREAD_TS))[:2] == ["question 0 apps ", "answer 0 apps "]
    assert len(memory.get_messages(THREAD_TS)) == 10


def test_compression_keeps_the_last_five_and_summarises_the_rest(memory: MemoryStore) -> None:
    messages = alternating(10)
    compressed = memory._compress_old_messages(THREAD_TS, messages, keep_recent=5)
    assert texts(compressed[:2]) == ["User asked: q0... Response: a0...", "User asked: q1... Response: a1..."]
    assert compressed[-5:] == messages[-5:]
    assert all(isinstance(message, HumanMessage) for message in compressed[:2])


@pytest.mark.parametrize("count", range(16))
def test_compression_takes_a_list_of_any_length(memory: MemoryStore, count: int) -> None:
    messages = alternating(count)
    compressed = memory._compress_old_messages(THREAD_TS, messages)
    kept = min(5, count)
    assert compressed[len(compressed) - kept :] == messages[count - kept :]


def test_a_summary_line_keeps_a_hundred_characters_and_the_figures(memory: MemoryStore) -> None:
    question = "how many apps do we have in " + "very " * 40 + "many countries?"
    ask(memory, question, COUNT_ALL, FORTY_NINE, "49 apps, " + "which is a lot, " * 20)
    messages = [*memory.get_messages(THREAD_TS), *alternating(6)]
    line = memory._compress_old_messages(THREAD_TS, messages)[0]
    response = messages[1].text[:100]
    assert line.text == f"User asked: {question[:100]}... Response: {response}... [q1: 1 row; 49]"


def test_a_summary_is_never_summarised(memory: MemoryStore) -> None:
    once = memory._compress_old_messages(THREAD_TS, alternating(10))
    twice = memory._compress_old_messages(THREAD_TS, [*once, *alternating(4)])
    assert twice[:2] == once[:2]
    assert not any("User asked: User asked" in text for text in texts(twice))


def test_compression_can_be_switched_off(tmp_path: Path) -> None:
    with opened(tmp_path, MemoryLimits(trigger_ratio=0)) as memory:
        converse(memory, 20)
        assert len(memory.get_messages(THREAD_TS)) == 40


def test_nothing_is_lost_by_compression(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        converse(memory, 20)
        assert len(memory.get_messages(THREAD_TS)) <= 10
    with opened(tmp_path, MemoryLimits(trigger_ratio=0)) as memory:
        assert len(memory.get_messages(THREAD_TS)) == 40


def test_thread_isolation(memory: MemoryStore) -> None:
    memory.add_user_message("thread_1", "how many apps?")
    memory.add_assistant_message("thread_1", "49")
    memory.add_user_message("thread_2", "what about iOS?")
    assert texts(memory.get_messages("thread_2")) == ["what about iOS?"]
    assert texts(memory.get_messages("thread_1")) == ["how many apps?", "49"]


def test_one_timestamp_in_two_channels_is_two_threads(memory: MemoryStore) -> None:
    one, other = ThreadKey("T1", "C1", THREAD_TS), ThreadKey("T1", "C2", THREAD_TS)
    memory.store_sql_query(one, COUNT_ALL, "how many apps do we have?", FORTY_NINE)
    memory.add_user_message(one, "how many apps do we have?")
    assert memory.get_messages(other) == memory.get_messages(THREAD_TS) == []
    assert memory.get_sql_queries(other) == memory.get_sql_queries(THREAD_TS) == []
    assert memory.find_query(other, "all the apps").query is None
    assert texts(memory.get_messages("T1/C1/1234567890.123456")) == ["how many apps do we have?"]


def test_the_last_ten_queries_are_kept(memory: MemoryStore) -> None:
    for number in range(12):
        memory.store_sql_query(THREAD_TS, f"SELECT {number}", f"question {number}", FORTY_NINE)
    kept = memory.get_sql_queries(THREAD_TS)
    assert [query["sql"] for query in kept] == [f"SELECT {number}" for number in range(2, 12)]
    assert all(query["results"] == FORTY_NINE for query in kept)
    bodies = list(memory.parts.results.root.glob("*.arrow"))
    assert len(bodies) == 10


def test_a_query_without_results_is_kept(memory: MemoryStore) -> None:
    memory.store_sql_query(THREAD_TS, COUNT_ALL, "how many apps do we have?")
    assert memory.get_sql_queries(THREAD_TS)[0]["results"] is None
    assert memory.get_last_query_results(THREAD_TS) is None


def test_a_failed_query_is_not_a_result(memory: MemoryStore) -> None:
    memory.store_sql_query(THREAD_TS, COUNT_ALL, "how many apps do we have?", FORTY_NINE)
    memory.store_sql_query(THREAD_TS, "SELECT nothing", "and now?", {"success": False, "error": "no such column"})
    assert memory.get_last_query_results(THREAD_TS) == FORTY_NINE


def test_nothing_is_known_of_a_new_thread(memory: MemoryStore) -> None:
    assert memory.get_sql_queries("new") == []
    assert memory.get_last_sql_query("new") is None
    assert memory.get_last_query_results("new") is None
    assert "new" not in memory._store
    assert "new" not in memory._sql_queries
    assert memory.get_memory("new").messages == []


def test_the_dictionaries_of_the_seed_show_what_is_stored(memory: MemoryStore) -> None:
    ask(memory, "how many apps do we have?", COUNT_ALL, FORTY_NINE, "49")
    memory.add_user_message("T1/C1/1.2", "hello")
    assert list(memory._store) == [THREAD_TS, "T1/C1/1.2"]
    assert list(memory._sql_queries) == [THREAD_TS]
    assert (len(memory._store), len(memory._sql_queries)) == (2, 1)


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abc", 0), ("abcd", 1), ("x" * 4001, 1000), ("我们有多少", 1)])
def test_estimated_tokens_are_a_quarter_of_the_characters(memory: MemoryStore, text: str, tokens: int) -> None:
    assert memory._estimate_tokens(text) == tokens
    assert memory._estimate_message_tokens([HumanMessage(text), AIMessage(text)]) == 2 * tokens


def test_trimming_again_changes_nothing(memory: MemoryStore) -> None:
    converse(memory, 8)
    before = memory.get_messages(THREAD_TS)
    memory._trim_messages(THREAD_TS)
    memory._trim_messages("new")
    assert memory.get_messages(THREAD_TS) == before


def test_limits_are_those_of_the_seed() -> None:
    limits = MemoryLimits()
    assert (limits.max_messages, limits.max_tokens, limits.trigger, limits.keep_recent) == (10, 4000, 3200, 5)


UNBOUND = """
from ai.memory_store import memory_store
memory_store.add_user_message("1.2", "hello")
print([message.content for message in memory_store.get_messages("1.2")])
memory_store.close()
"""


@pytest.mark.parametrize("settings", [{}, {"STATE_URL": "sqlite:///elsewhere.sqlite"}], ids=["data", "url"])
def test_unbound_it_opens_what_the_settings_name(tmp_path: Path, settings: dict[str, str]) -> None:
    environment = child_environment(DATA_DIR="data", PYTHONPATH=str(ROOT), **settings)
    for told in ("['hello']", "['hello', 'hello']"):
        command = [sys.executable, "-c", UNBOUND]
        run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        assert run.stdout.strip() == told
    assert (tmp_path / ("elsewhere.sqlite" if settings else "data/state.sqlite")).exists()


def test_a_binding_ends_with_its_block(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with opened(tmp_path / "one") as one, memory_store.bind(one):
        with opened(tmp_path / "two") as two, memory_store.bind(two):
            memory_store.add_user_message(THREAD_TS, "to two")
        assert memory_store.get_messages(THREAD_TS) == []
        assert memory_store.parts is one.parts
