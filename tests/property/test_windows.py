"""A window that is continued by what was said since is the one that would be read from the store."""

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from ai.memory.limits import MemoryLimits
from ai.memory_store import MemoryStore
from tests.memories import NOON, THREAD, opened, turn

NARROW = MemoryLimits(max_tokens=40, window=60, ceiling=80)
EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["ask", "ask", "reply", "reply", "late reply", "edit", "take back", "clear", "query"]),
        st.sampled_from([1, 8, 25, 90]),  # words: within the window, and beyond it
        st.booleans(),  # whether the window is read afterwards
    ),
    max_size=12,
)


def happen(memory: MemoryStore, number: int, event: str, words: int) -> None:
    """One event in the thread; `number` is its own, and with it that of a question."""
    text = " ".join(f"word{number}" for _ in range(words))
    at = NOON + timedelta(seconds=number)
    match event:
        case "ask":
            memory.receive(THREAD, turn(number), text, "U1", at)
        case "reply" | "late reply":
            asked = memory.parts.conversations.latest_turn(THREAD) if event == "reply" else turn(0)
            memory.add_reply(THREAD, asked, text, f"reply-{number}")
        case "edit":
            memory.lifecycle.change(turn(number // 2), text, at)
        case "take back":
            memory.lifecycle.take_back(turn(number // 2), at)
        case "clear":
            memory.clear(THREAD)
        case "query":
            memory.store_sql_query(THREAD, "SELECT 1", text)


@given(EVENTS)
@settings(max_examples=60, deadline=None)
def test_a_continued_window_is_the_one_in_the_store(events: list[tuple[str, int, bool]]) -> None:
    with TemporaryDirectory() as folder, opened(Path(folder), NARROW, "sqlite://") as memory:
        for number, (event, words, is_read) in enumerate([("ask", 8, True), *events, ("reply", 8, True)]):
            happen(memory, number, event, words)
            if is_read:
                continued = memory.windows.read(THREAD)
                memory.windows.cache.clear()
                assert memory.windows.read(THREAD) == continued
