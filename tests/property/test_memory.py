"""Whatever is said, in whatever order: the log keeps every byte, and the view stays within its limits."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ai.memory.limits import MemoryLimits
from ai.memory.log.segments import is_summary
from ai.memory_store import MemoryStore
from ai.types import LoggedMessage, ThreadKey
from tests.memories import NOON, opened

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=400) | st.integers(1, 900).map("apps ".__mul__)
TURN = st.integers(0, 15)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), TURN, TEXT),
        st.tuples(st.just("reply"), TURN, TEXT),
        st.tuples(st.just("trim"), st.just(0), st.just("")),
    ),
    max_size=40,
)
LIMITS = st.builds(
    MemoryLimits,
    max_messages=st.integers(2, 12),
    max_tokens=st.integers(100, 4000),
    trigger_ratio=st.sampled_from([0, 0.5, 0.8, 1]),
    keep_recent=st.integers(1, 8),
)
CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@dataclass
class Model:
    """What a memory ought to hold: the texts of each turn, turns in the order of their first message."""

    turns: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, turn: str, part: str, text: str) -> None:
        self.turns.setdefault(turn, {}).setdefault(part, text)

    def texts(self, turn: str) -> list[str]:
        return list(self.turns[turn].values())


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStore]:
    with opened(tmp_path_factory.mktemp("memory"), url="sqlite://") as memory:
        yield memory


def with_limits(store: MemoryStore, limits: MemoryLimits) -> MemoryStore:
    conversations = replace(store.parts.conversations, limits=limits)
    return MemoryStore(replace(store.parts, conversations=conversations, limits=limits))


def play(memory: MemoryStore, thread: ThreadKey, steps: list[tuple[str, int, str]]) -> Model:
    model = Model()
    for kind, number, text in steps:
        turn = f"{thread}:{number}"
        if kind == "ask":
            memory.receive(thread, turn, text, "U1", NOON)
            model.add(turn, "question", text)
        elif kind == "reply":
            part = f"reply-{len(text) % 3}"
            memory.add_reply(thread, turn, text, part)
            model.add(turn, part, text)
        else:
            memory._trim_messages(thread)
    return model


def by_turn(history: tuple[LoggedMessage, ...]) -> dict[str, list[str]]:
    turns: dict[str, list[str]] = {}
    for message in history:
        turns.setdefault(message.turn_id, []).append(message.content)
    return turns


def fresh_thread() -> ThreadKey:
    return ThreadKey("T", "C", str(uuid4()))


@CALM
@given(steps=STEPS, limits=LIMITS)
def test_the_log_keeps_every_byte_in_turn_order(
    store: MemoryStore, steps: list[tuple[str, int, str]], limits: MemoryLimits
) -> None:
    thread = fresh_thread()
    model = play(with_limits(store, limits), thread, steps)
    log = with_limits(store, MemoryLimits(trigger_ratio=0)).history(thread)
    assert by_turn(log) == {turn: model.texts(turn) for turn in model.turns}
    assert list(by_turn(log)) == list(model.turns)
    assert sorted(message.seq for message in log) == list(range(1, len(log) + 1))


@CALM
@given(steps=STEPS, limits=LIMITS)
def test_the_view_is_within_its_limits_and_splits_no_turn(
    store: MemoryStore, steps: list[tuple[str, int, str]], limits: MemoryLimits
) -> None:
    thread = fresh_thread()
    memory = with_limits(store, limits)
    model = play(memory, thread, steps)
    view = memory.history(thread)
    kept = by_turn(tuple(message for message in view if not is_summary(message)))
    assert list(kept) == list(model.turns)[len(model.turns) - len(kept) :]
    assert all(kept[turn] == model.texts(turn) for turn in kept)
    if limits.trigger_ratio == 0:
        assert len(kept) == len(model.turns)
    elif len(kept) > 1:
        assert len(view) <= limits.max_messages
        assert sum(message.tokens for message in view) <= limits.trigger


@CALM
@given(steps=STEPS, limits=LIMITS)
def test_summaries_are_made_from_the_log_and_never_from_summaries(
    store: MemoryStore, steps: list[tuple[str, int, str]], limits: MemoryLimits
) -> None:
    thread = fresh_thread()
    memory = with_limits(store, limits)
    model = play(memory, thread, steps)
    lines = [message for message in memory.history(thread) if is_summary(message)]
    assert len({line.turn_id for line in lines}) <= 1
    assert all(line.tokens == memory.parts.conversations.count(line.content) for line in lines)
    if lines and (asked := model.turns[next(iter(model.turns))].get("question")):
        assert lines[0].content.startswith(f"User asked: {asked[:100]}...")
    assert len(lines) <= len(model.turns)


@CALM
@given(steps=STEPS, limits=LIMITS)
def test_doing_everything_twice_changes_nothing(
    store: MemoryStore, steps: list[tuple[str, int, str]], limits: MemoryLimits
) -> None:
    thread = fresh_thread()
    memory = with_limits(store, limits)
    play(memory, thread, steps)
    before = memory.history(thread)
    play(memory, thread, steps)
    assert memory.history(thread) == before


@CALM
@given(steps=STEPS, limits=LIMITS, number=TURN)
def test_a_turn_sees_only_what_was_before_it(
    store: MemoryStore, steps: list[tuple[str, int, str]], limits: MemoryLimits, number: int
) -> None:
    thread = fresh_thread()
    memory = with_limits(store, limits)
    model = play(memory, thread, steps)
    turn = f"{thread}:{number}"
    view = memory.history(thread, before_turn=turn)
    earlier = list(model.turns)[: list(model.turns).index(turn)] if turn in model.turns else list(model.turns)
    assert {message.turn_id for message in view if not is_summary(message)} <= set(earlier)
    if earlier:
        assert view[-1].turn_id == earlier[-1]
