"""The history of a thread, with the surface that LangChain's have."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from ai.memory.langchain import ThreadHistory
from ai.memory_store import MemoryStore
from tests.memories import THREAD, opened


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with opened(tmp_path, url="sqlite://") as store:
        yield store


@pytest.fixture
def history(memory: MemoryStore) -> ThreadHistory:
    return memory.get_memory(THREAD)


def test_messages_are_added_and_read(history: ThreadHistory) -> None:
    history.add_user_message("how many apps?")
    history.add_ai_message(AIMessage("49"))
    history.add_message(HumanMessage("and iOS?"))
    history.add_messages([AIMessage("21"), HumanMessage([{"type": "text", "text": "thanks"}])])
    assert [(message.type, message.text) for message in history.messages] == [
        ("human", "how many apps?"),
        ("ai", "49"),
        ("human", "and iOS?"),
        ("ai", "21"),
        ("human", "thanks"),
    ]
    assert str(history).splitlines()[:2] == ["human: how many apps?", "ai: 49"]


def test_two_histories_of_a_thread_are_one(memory: MemoryStore, history: ThreadHistory) -> None:
    history.add_user_message("hello")
    assert memory.get_memory(str(THREAD)).messages == history.messages == memory.get_messages(THREAD)


def test_clearing_begins_anew(memory: MemoryStore, history: ThreadHistory) -> None:
    history.add_user_message("hello")
    history.clear()
    assert history.messages == []
    history.add_ai_message("welcome back")
    assert [message.text for message in history.messages] == ["welcome back"]
    assert memory.knows(THREAD)


def test_the_async_twins_do_the_same(history: ThreadHistory) -> None:
    async def converse() -> list[str]:
        await history.aadd_messages([HumanMessage("hello"), AIMessage("hi")])
        told = [str(message.text) for message in await history.aget_messages()]
        await history.aclear()
        return told

    assert asyncio.run(converse()) == ["hello", "hi"]
    assert history.messages == []


def test_what_the_view_shows_can_be_added_back_without_its_summaries(
    memory: MemoryStore, history: ThreadHistory
) -> None:
    for number in range(12):
        history.add_user_message(f"question {number}")
    shown = history.messages
    other = memory.get_memory("copy")
    other.add_messages(shown)
    assert [m.text for m in other.messages] == [m.text for m in shown if not m.additional_kwargs]


def test_it_derives_from_nothing_of_langchain(history: ThreadHistory) -> None:
    assert type(history).__mro__ == (ThreadHistory, object)
