"""Every example of seed 001: sliding window, cache, statistics, and the edge cases that it names."""

import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from ai.memory.views.fitting import ContextWindow
from ai.memory_store import MemoryStore
from tests.memories import NOON, THREAD, ask, opened, turn


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with opened(tmp_path, url="sqlite://") as store:
        yield store


def conversation(sizes: list[int]) -> list[BaseMessage]:
    """Messages in turn of a person and of the bot, sized as given."""
    kinds = (HumanMessage, AIMessage)
    return [
        kinds[place % 2](f"M{place + 1}", additional_kwargs={"token_count": size}) for place, size in enumerate(sizes)
    ]


def names(window: ContextWindow[BaseMessage]) -> list[str]:
    return [str(message.text) for message in window.messages]


def test_the_worked_example_includes_m35_to_m50(memory: MemoryStore) -> None:
    sizes = [200] * 33 + [240, 220] + [510] * 13 + [600, 350]
    assert sum(sizes[34:]) == 7800
    window = memory.windows.get_context_window(conversation(sizes), 8000)
    assert names(window) == [f"M{number}" for number in range(35, 51)]
    assert (window.total_tokens, window.truncated) == (7800, True)


def test_the_usual_budget_is_8000(memory: MemoryStore) -> None:
    assert len(memory.windows.get_context_window(conversation([100] * 100)).messages) == 80


def test_all_messages_fit(memory: MemoryStore) -> None:
    window = memory.windows.get_context_window(conversation([200] * 5), 8000)
    assert (len(window.messages), window.total_tokens, window.truncated) == (5, 1000, False)


def test_the_first_message_is_just_included(memory: MemoryStore) -> None:
    assert memory.windows.get_context_window([]).messages == ()
    window = memory.windows.get_context_window([HumanMessage("Hi, this is message 1")])
    assert names(window) == ["Hi, this is message 1"]
    assert not window.truncated


def test_a_message_of_9000_tokens_is_shown_head_and_tail(memory: MemoryStore) -> None:
    essay = HumanMessage("BEGIN " + "word " * 9000 + "END")
    window = memory.windows.get_context_window([*conversation([50, 50]), essay], 8000)
    (shown,) = names(window)
    assert shown.startswith("BEGIN word")
    assert shown.endswith("word END")
    assert "shortened" in shown
    assert 7000 < window.total_tokens == memory.parts.conversations.count(shown) <= 8000
    assert window.truncated


def test_a_stored_message_of_9000_tokens_leads_to_the_rest_of_it(memory: MemoryStore) -> None:
    ask(memory, 1, "Write a 5000 word essay: " + "word " * 9000)
    window = memory.windows.read(THREAD, 8000)
    (shown,) = window.messages
    assert window.total_tokens <= 8000
    handle = next(part for part in shown.content.split() if part.startswith("mem://"))
    ((_, whole),) = memory.archives.load(THREAD, handle).messages
    assert whole == memory.question(turn(1))


@pytest.mark.parametrize(
    ("sizes", "summarise"), [([1] * 50, False), ([1] * 51, True), ([5000] * 3, False), ([5000] * 3 + [1], True)]
)
def test_more_than_50_messages_or_15000_tokens_are_to_be_summarised(
    memory: MemoryStore, sizes: list[int], summarise: bool
) -> None:
    assert memory.windows.should_summarize(conversation(sizes)) is summarise


def test_statistics_are_of_the_stored_counts(memory: MemoryStore) -> None:
    assert memory.windows.get_memory_stats(THREAD).oldest_message is None
    for number in range(50):
        ask(memory, number, f"question {number}")
    stats = memory.windows.get_memory_stats(THREAD)
    assert stats.total_messages == 50
    assert stats.total_tokens == sum(m.tokens for m in memory.archives.history(THREAD))
    assert (stats.oldest_message, stats.newest_message) == (NOON, NOON + timedelta(seconds=49))


def test_both_lines_of_the_log_have_their_fields(memory: MemoryStore, caplog: pytest.LogCaptureFixture) -> None:
    ask(memory, 1, "how many apps do we have?")
    with caplog.at_level(logging.DEBUG, "ai.memory.views.windows"):
        memory.windows.get_context_window(conversation([1000] * 10), 8000)
        memory.windows.read(THREAD)
    built, prepared = (json.loads(message.partition("{")[1] + message.partition("{")[2]) for message in caplog.messages)
    assert caplog.messages[0].startswith("Context window built")
    assert built == {"totalMessages": 10, "windowSize": 8, "totalTokens": 8000, "truncated": True}
    assert caplog.messages[1].startswith("Context prepared")
    assert prepared == {"totalMessages": 1, "contextMessages": 1, "totalTokens": 7, "truncated": False}


def test_recent_messages_are_cached_until_something_is_said(memory: MemoryStore) -> None:
    ask(memory, 1, "first")
    assert memory.windows.get_cached_messages(THREAD) is None
    messages = memory.archives.history(THREAD)
    memory.windows.cache_recent_messages(THREAD, messages)
    assert memory.windows.get_cached_messages(THREAD) == messages
    ask(memory, 2, "second")
    assert memory.windows.get_cached_messages(THREAD) is None
    assert [message.content for message in memory.windows.read(THREAD).messages] == ["first", "second"]
    assert memory.windows.get_cached_messages(THREAD) is not None
    memory.windows.invalidate_cache(THREAD)
    assert memory.windows.get_cached_messages(THREAD) is None


def test_long_conversations_cost_about_half(memory: MemoryStore) -> None:
    """50 messages of 15,000 tokens become about 18 of 7,850, says the seed: 47 % less."""
    for number in range(25):
        ask(memory, number, "word " * 420)
        memory.add_reply(THREAD, turn(number), "word " * 420)
    everything = memory.windows.get_memory_stats(THREAD)
    window = memory.windows.read(THREAD)
    assert everything.total_messages == 50
    assert 18 <= len(window.messages) < 25
    assert window.total_tokens < 0.53 * everything.total_tokens
