"""Whatever is archived, restored and pruned, in whatever order: nothing is lost, and windows stay valid."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from ai.errors import UserError
from ai.memory_store import MemoryStore
from ai.types import LoggedMessage, ThreadKey
from tests.memories import NOON, opened

INDEX = st.integers(0, 12)
KINDS = st.sampled_from(["say", "say", "store", "store", "restore", "remove", "in place", "prune"])
STEPS = st.lists(st.tuples(KINDS, INDEX, INDEX), max_size=14)
CALM = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
LONG = settings(CALM, max_examples=10_000)


@dataclass
class Model:
    """What a thread ought to hold: its log as it was said, and what is in each archive by its handle."""

    memory: MemoryStore
    thread: ThreadKey
    log: list[LoggedMessage] = field(default_factory=list)
    held: dict[str, list[str]] = field(default_factory=dict)

    def shown(self) -> list[str]:
        return [message.content for message in self.memory.archives.history(self.thread)]

    def loaded(self, handle: str) -> list[str]:
        return [message.content for _, message in self.memory.archives.load(self.thread, handle).messages]

    def step(self, kind: str, first: int, second: int) -> None:
        before = self.shown()
        try:
            if kind == "say":
                self.say(1 + first % 3)
            elif kind == "store":
                self.store(before, first, second)
            elif kind == "prune":
                for handle in self.memory.archives.prune(self.thread).handles:
                    del self.held[handle]
                assert self.shown() == before
            elif self.held:
                self.restore(before, kind, list(self.held)[first % len(self.held)], second)
        except UserError:
            assert self.shown() == before

    def say(self, turns: int) -> None:
        for _ in range(turns):
            turn = str(uuid4())
            self.memory.receive(self.thread, turn, f"question {turn}", "U1", NOON)
            self.memory.add_reply(self.thread, turn, f"answer {turn}")

    def store(self, before: list[str], first: int, last: int) -> None:
        made = self.memory.archives.store(self.thread, first, last)
        after = self.shown()
        was_copy = made.handle in self.held
        self.held[made.handle] = self.loaded(made.handle)
        assert was_copy or made.text in after  # the placeholder of a copy may stand within another archive
        if len(self.held[made.handle]) == last - first + 1 and len(set(before)) == len(before):
            rest = [before[:first], before[last + 1 :]]
            if was_copy:  # it goes back to its placeholder, which now says what was said of it last
                old = f"[[memory archived handle={made.handle} "
                rest = [[made.text if text.startswith(old) else text for text in part] for part in rest]
            assert after == [*rest[0], *([] if was_copy else [made.text]), *rest[1]]

    def restore(self, before: list[str], kind: str, handle: str, index: int) -> None:
        stands = [n for n, text in enumerate(before) if text.startswith(f"[[memory archived handle={handle} ")]
        at = stands[0] if kind == "in place" and stands else index
        done = self.memory.archives.restore(self.thread, handle, index=at, remove_placeholder=kind != "restore")
        assert done.messages == len(self.held[handle])
        if kind == "restore":
            assert self.shown()[done.index : done.index + done.messages] == self.held[handle]

    def check(self) -> None:
        log = self.memory.archives.everything(self.thread)
        assert log[: len(self.log)] == tuple(self.log)
        assert [message.seq for message in log] == list(range(1, len(log) + 1))
        self.log = list(log)
        assert {handle: self.loaded(handle) for handle in self.held} == self.held
        assert [m.content for m in self.memory.windows.read(self.thread, 10**9).messages] == self.shown()
        assert self.memory.history(self.thread)[-1:] == self.memory.archives.history(self.thread)[-1:]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStore]:
    with opened(tmp_path_factory.mktemp("memory"), url="sqlite://") as memory:
        yield memory


def play(memory: MemoryStore, steps: list[tuple[str, int, int]]) -> None:
    model = Model(memory, ThreadKey("T", "C", str(uuid4())))
    model.say(3)
    for step in steps:
        model.step(*step)
        model.check()


@CALM
@given(steps=STEPS)
def test_archiving_is_a_view_and_loses_nothing(store: MemoryStore, steps: list[tuple[str, int, int]]) -> None:
    play(store, steps)


@pytest.mark.deep
@LONG
@given(steps=STEPS)
def test_archiving_loses_nothing_in_10000_sequences(store: MemoryStore, steps: list[tuple[str, int, int]]) -> None:
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
