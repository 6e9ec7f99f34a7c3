"""The function names of seed 001 over the memory of the process."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from ai import compatible
from ai.memory.limits import MemoryLimits
from ai.memory_store import memory_store
from ai.types import ThreadKey
from tests.memories import opened

CHAT = "T1/C1/1.1"


def test_the_names_of_the_first_seed_answer(tmp_path: Path) -> None:
    with opened(tmp_path) as memory, memory_store.bind(memory):
        assert compatible.getMemoryStats(CHAT) == {
            "totalMessages": 0,
            "totalTokens": 0,
            "oldestMessage": None,
            "newestMessage": None,
        }
        assert compatible.getCachedMessages(CHAT) is None
        memory.add_user_message(CHAT, "how many apps?")
        memory.add_assistant_message(CHAT, "There are 49.")
        messages = memory.history(ThreadKey.of(CHAT))
        sizes = [message.tokens for message in messages]
        stats = compatible.getMemoryStats(CHAT)
        assert (stats["totalMessages"], stats["totalTokens"]) == (2, sum(sizes))
        assert datetime.now(UTC) >= stats["newestMessage"] >= stats["oldestMessage"]
        compatible.cacheRecentMessages(CHAT, messages)
        assert compatible.getCachedMessages(CHAT) == [*messages]
        compatible.invalidateCache(CHAT)
        assert compatible.getCachedMessages(CHAT) is None


def test_the_newest_messages_fit_a_budget(tmp_path: Path) -> None:
    said = [HumanMessage("how many apps are there today?"), AIMessage("There are 49.")]
    with opened(tmp_path) as memory, memory_store.bind(memory):
        whole = compatible.getContextWindow(said)
        assert (whole["messages"], whole["truncated"]) == (said, False)
        assert compatible.getContextWindow(said, whole["totalTokens"]) == whole
        cut = compatible.getContextWindow(said, whole["totalTokens"] - 1)
        assert [message.content for message in cut["messages"]] == ["how many apps are there today", "There are 49."]
        assert (cut["totalTokens"], cut["truncated"]) == (whole["totalTokens"] - 1, True)


@pytest.mark.parametrize(("count", "is_long"), [(2, False), (3, True)])
def test_many_messages_are_worth_a_summary(tmp_path: Path, count: int, *, is_long: bool) -> None:
    with opened(tmp_path, MemoryLimits(many_messages=2)) as memory, memory_store.bind(memory):
        assert compatible.shouldSummarize([HumanMessage("hello")] * count) is is_long
