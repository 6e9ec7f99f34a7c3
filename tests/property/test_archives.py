"""Whatever is archived, restored and pruned, in whatever order: nothing is lost, and windows stay valid."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from tests.cases import cases
from tests.memories import opened
from tests.postgres import postgres
from tests.property.archive_model import Conversation, Step
from tests.request_tokens import PER_MESSAGE, PER_REQUEST, request_tokens

INDEX = st.integers(0, 12)
KINDS = "say store store store restore append append_and_undo remove unarchive note prune clear".split()
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), INDEX, INDEX), max_size=16)
CALM = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
LONG = settings(CALM, max_examples=10_000)
MANY = settings(CALM, max_examples=50)
FEW = settings(CALM, max_examples=8)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStore]:
    with opened(tmp_path_factory.mktemp("memory"), url="sqlite://") as memory:
        yield memory


@pytest.fixture(scope="module")
def store_on_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStore]:
    with postgres() as server, opened(tmp_path_factory.mktemp("memory"), url=server.new_database()) as memory:
        yield memory


def play(memory: MemoryStore, steps: list[Step]) -> None:
    conversation = Conversation(memory, ThreadKey("T", "C", str(uuid4())))
    conversation.say(3)
    for step in steps:
        conversation.step(*step)
        conversation.check()


@pytest.mark.parametrize("steps", cases(Path(__file__).with_name("archives.jsonl")))
def test_what_once_went_wrong(store: MemoryStore, steps: dict[str, Any]) -> None:
    play(store, [tuple(step) for step in steps["steps"]])


@MANY
@given(steps=STEPS)
def test_archiving_is_a_view_and_loses_nothing(store: MemoryStore, steps: list[Step]) -> None:
    play(store, steps)


@FEW
@given(steps=STEPS)
def test_archiving_loses_nothing_on_postgres(store_on_postgres: MemoryStore, steps: list[Step]) -> None:
    play(store_on_postgres, steps)


@pytest.mark.deep
@LONG
@given(steps=STEPS)
def test_archiving_loses_nothing_in_10000_sequences(store: MemoryStore, steps: list[Step]) -> None:
    play(store, steps)


@st.composite
def histories(draw: st.DrawFn) -> list[BaseMessage]:
    """Conversations with tool calls, each followed by its results."""
    messages: list[BaseMessage] = []
    for turn in range(draw(st.integers(1, 6))):
        messages.append(HumanMessage("word " * draw(st.integers(0, 300))))
        for call in range(draw(st.integers(0, 3))):
            ids = [f"{turn}-{call}-{n}" for n in range(draw(st.integers(1, 3)))]
            calls = [{"name": "run", "args": {"sql": "x " * draw(st.integers(0, 40))}, "id": one} for one in ids]
            messages.append(AIMessage("", tool_calls=calls))
            messages += [ToolMessage("row " * draw(st.integers(0, 300)), tool_call_id=one) for one in ids]
        if draw(st.booleans()):
            messages.append(AIMessage("done " * draw(st.integers(0, 100))))
    return messages


def is_valid(messages: tuple[BaseMessage, ...]) -> bool:
    """Whether every tool result follows its call, and every call has its results."""
    waiting: set[str] = set()
    for message in messages:
        if isinstance(message, ToolMessage):
            if message.tool_call_id not in waiting:
                return False
            waiting.discard(message.tool_call_id)
        elif waiting:
            return False
        elif isinstance(message, AIMessage):
            waiting = {str(call["id"]) for call in message.tool_calls}
    return not waiting and isinstance(messages[0], HumanMessage)


def check_window(memory: MemoryStore, messages: list[BaseMessage], budget: int) -> None:
    window = memory.windows.get_context_window(messages, budget)
    assert window.messages
    assert is_valid(window.messages)
    assert window.total_tokens <= budget
    count = memory.parts.conversations.count
    assert sum(count(str(message.text)) for message in window.messages) <= window.total_tokens
    said = [("user", str(message.text)) for message in window.messages]  # each role is one token
    assert request_tokens(count, said) <= budget + PER_REQUEST + len(said) * (PER_MESSAGE + 1)


@CALM
@given(messages=histories(), budget=st.integers(0, 1200))
def test_windows_are_valid_and_within_budget(store: MemoryStore, messages: list[BaseMessage], budget: int) -> None:
    check_window(store, messages, budget)


@pytest.mark.deep
@LONG
@given(messages=histories(), budget=st.integers(0, 1200))
def test_10000_windows_are_valid_and_within_budget(
    store: MemoryStore, messages: list[BaseMessage], budget: int
) -> None:
    check_window(store, messages, budget)
