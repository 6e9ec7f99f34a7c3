"""Every example of seed 002: the operations of the tool `memory`, its formats, bounds and defaults."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.agents.toolbox.archives import LIST_HISTORY_TOOL, MEMORY_TOOL, ArchiveTool, usage
from ai.memory.archives.placeholder import parse
from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from tests.memories import THREAD, ask, opened, turn

PROJECT = "\n\nI need help setting up a new React project with a long list of requirements\nand more"
HEAD = re.compile(
    r"\[\[memory archived handle=mem://T1:C1:1764000000\.000100/[0-9a-f-]{36} "
    r"range=5\.\.30 messages=26 chars=\d+ tokens=\d+\]\]"
)
SAMPLE = """[[memory archived handle=mem://session-id/uuid range=5..30 messages=26 chars=12450]]
Summary: Initial project setup discussion and requirements gathering (26 msgs)
Preview: User: I need help setting up a new React project..."""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    """A conversation of 40 messages."""
    with opened(tmp_path, url="sqlite://") as store:
        for number in range(20):
            ask(store, number, PROJECT if number == 3 else f"question {number}")
            store.add_reply(THREAD, turn(number), f"answer {number}\n" + "detail " * 40)
        yield store


@pytest.fixture
def tool(memory: MemoryStore) -> ArchiveTool:
    return ArchiveTool(memory.archives, THREAD, memory.parts.limits.model)


def texts(memory: MemoryStore) -> list[str]:
    return [message.content for message in memory.archives.history(THREAD)]


def stored(tool: ArchiveTool, start: int = 5, end: int = 30, **more: object) -> str:
    told = tool.memory({"operation": "store", "start_index": start, "end_index": end, **more})
    return next(word for word in told.split() if word.startswith("mem://")).rstrip(".")


def test_store_replaces_the_range_by_a_placeholder(memory: MemoryStore, tool: ArchiveTool) -> None:
    before = texts(memory)
    held = memory.archives.history(THREAD)[5:31]
    told = tool.memory(
        {"operation": "store", "start_index": 5, "end_index": 30, "auto": True, "max_preview_chars": 200}
    )
    after = texts(memory)
    assert after[:5] == before[:5]
    assert after[6:] == before[31:]
    assert after[5] in told
    head, summary, preview = after[5].split("\n")
    assert HEAD.fullmatch(head)
    shown = parse(after[5])
    assert shown is not None
    assert shown.tokens == sum(message.tokens for message in held)
    assert shown.chars == sum(len(message.content) for message in held)
    assert summary == "Summary: answer 2 (26 msgs)"
    assert preview.startswith("Preview: Assistant: answer 2 detail")
    assert preview.endswith("...(truncated)")


def test_a_summary_is_the_first_line_that_is_not_empty(memory: MemoryStore, tool: ArchiveTool) -> None:
    stored(tool, 6, 9, auto=True)
    summary = next(text for text in texts(memory) if text.startswith("[[")).split("\n")[1]
    assert summary == "Summary: I need help setting up a new React project with a long list of requirements (4 msgs)"


def test_a_summary_that_is_given_stays(memory: MemoryStore, tool: ArchiveTool) -> None:
    stored(tool, summary="Use PostgreSQL;\nopen: which region?", auto=True)
    assert "\nSummary: Use PostgreSQL; open: which region? (26 msgs)\n" in texts(memory)[5]


def test_a_long_first_line_is_cut_at_140(memory: MemoryStore, tool: ArchiveTool) -> None:
    ask(memory, 50, "x" * 500)
    memory.add_reply(THREAD, turn(50), "ok")
    stored(tool, 40, 41, auto=True)
    assert f"\nSummary: {'x' * 140} (2 msgs)\n" in texts(memory)[40]


@pytest.mark.parametrize(("asked", "kept"), [(1, 40), (40, 40), (200, 200), (400, 400), (5000, 400)])
def test_a_preview_is_held_between_40_and_400(memory: MemoryStore, tool: ArchiveTool, asked: int, kept: int) -> None:
    stored(tool, max_preview_chars=asked)
    preview = texts(memory)[5].split("\nPreview: ")[1]
    assert preview.endswith("...(truncated)")
    assert kept - 1 <= len(preview.removesuffix("...(truncated)")) <= kept


def test_the_sample_of_the_seed_is_read_without_tokens() -> None:
    shown = parse(SAMPLE)
    assert shown is not None
    assert (shown.first, shown.last, shown.messages, shown.chars, shown.tokens) == (5, 30, 26, 12450, None)
    assert shown.summary == "Initial project setup discussion and requirements gathering (26 msgs)"
    assert parse("[[memory archived]]") is None


def test_load_tells_everything_and_changes_nothing(memory: MemoryStore, tool: ArchiveTool) -> None:
    before = memory.archives.history(THREAD)
    handle = stored(tool)
    after = texts(memory)
    told = tool.memory({"operation": "load", "memory_handle": handle})
    assert texts(memory) == after
    assert all(message.content in told for message in before[5:31])
    assert "### [5] Assistant" in told
    assert "### [30] User" in told
    assert memory.archives.load(THREAD, handle).messages == tuple(enumerate(before))[5:31]


def test_list_tells_all_placeholders(memory: MemoryStore, tool: ArchiveTool) -> None:
    first = stored(tool, 2, 5)
    second = stored(tool, 10, 20)
    automatic, *manual = tool.memory({"operation": "list"}).splitlines()
    assert automatic.startswith("[0] auto handle=mem://")
    assert [line.partition(" range=")[0] for line in manual] == [
        f"[2] manual handle={first}",
        f"[10] manual handle={second}",
    ]


def test_restore_appends_by_default_and_may_be_repeated(memory: MemoryStore, tool: ArchiveTool) -> None:
    before = texts(memory)
    handle = stored(tool)
    for at in (15, 41):
        told = tool.memory({"operation": "restore", "memory_handle": handle})
        assert told == f"Restored 26 messages at index {at}."
        assert texts(memory)[at : at + 26] == before[5:31]
    copied = memory.archives.history(THREAD)[-1]
    assert copied.turn_id.startswith(handle)


def test_the_example_of_restore(memory: MemoryStore, tool: ArchiveTool) -> None:
    before = texts(memory)
    handle = stored(tool)
    call = {"operation": "restore", "memory_handle": handle, "restore_insert_index": 100, "remove_placeholder": True}
    assert tool.memory(call) == "Restored 26 messages at index 14."
    assert texts(memory) == before[:5] + before[31:] + before[5:31]


def test_restore_in_place_is_as_if_nothing_had_been(memory: MemoryStore, tool: ArchiveTool) -> None:
    before, view = memory.archives.history(THREAD), memory.history(THREAD)
    handle = stored(tool)
    call = {"operation": "restore", "memory_handle": handle, "restore_insert_index": 5, "remove_placeholder": True}
    tool.memory(call)
    assert memory.archives.history(THREAD) == before
    assert [message.content for message in memory.history(THREAD)[1:]] == [message.content for message in view[1:]]


def test_a_placeholder_may_be_replaced(memory: MemoryStore, tool: ArchiveTool) -> None:
    handle = stored(tool)
    tool.memory({"operation": "restore", "memory_handle": handle, "replace_placeholder_with": "see below"})
    assert texts(memory)[5] == "see below"
    assert tool.memory({"operation": "prune"}).startswith("Pruned 1 archives without a placeholder; 0 remain.")
    assert texts(memory)[5] == "see below"


def test_a_restored_copy_is_archived_again_with_a_better_summary(memory: MemoryStore, tool: ArchiveTool) -> None:
    before = texts(memory)
    handle = stored(tool)
    tool.memory({"operation": "restore", "memory_handle": handle, "remove_placeholder": True})
    refined = stored(tool, 14, 39, summary="refined")
    assert refined != handle
    assert texts(memory)[:14] == before[:5] + before[31:]
    assert "Summary: refined (26 msgs)" in texts(memory)[14]
    loaded = memory.archives.load(THREAD, refined).messages
    assert [message.content for _, message in loaded] == before[5:31]


def test_a_part_of_a_restored_copy_is_archived(memory: MemoryStore, tool: ArchiveTool) -> None:
    before = texts(memory)
    handle = stored(tool)
    tool.memory({"operation": "restore", "memory_handle": handle})
    shown = texts(memory)
    part = stored(tool, 18, 20)
    after = texts(memory)
    assert [*after[:18], *after[19:]] == [*shown[:18], *shown[21:]]
    loaded = memory.archives.load(THREAD, part).messages
    assert [message.content for _, message in loaded] == before[8:11]


def test_prune_forgets_handles_and_keeps_messages(memory: MemoryStore, tool: ArchiveTool) -> None:
    kept, gone = stored(tool, 2, 5), stored(tool, 10, 20)
    tool.memory({"operation": "restore", "memory_handle": gone, "remove_placeholder": True})
    before = texts(memory)
    assert tool.memory({"operation": "prune"}) == f"Pruned 1 archives without a placeholder; 1 remain.\n- {gone}"
    assert tool.memory({"operation": "load", "memory_handle": gone}).startswith("Error: There is no archive")
    assert not tool.memory({"operation": "load", "memory_handle": kept}).startswith("Error")
    assert texts(memory) == before
    assert all(memory.question(turn(number)) for number in range(20))


def test_an_archive_inside_an_archive_is_kept_alive(memory: MemoryStore, tool: ArchiveTool) -> None:
    before = texts(memory)
    inner = stored(tool, 5, 10)
    outer = stored(tool, 3, 8)
    assert tool.memory({"operation": "prune"}).startswith("Pruned 0 archives without a placeholder; 2 remain.")
    call = {"operation": "restore", "remove_placeholder": True}
    tool.memory({**call, "memory_handle": outer, "restore_insert_index": 3})
    assert inner in texts(memory)[5]
    tool.memory({**call, "memory_handle": inner, "restore_insert_index": 5})
    assert texts(memory) == before


def test_what_was_folded_by_itself_can_be_loaded_and_restored(memory: MemoryStore, tool: ArchiveTool) -> None:
    before = texts(memory)
    (folded,) = memory.archives.list(THREAD)
    count = folded.placeholder.messages
    loaded = memory.archives.load(THREAD, folded.placeholder.handle)
    assert [message.content for _, message in loaded.messages] == before[:count]
    tool.memory({"operation": "restore", "memory_handle": folded.placeholder.handle})
    assert texts(memory) == before + before[:count]


def test_list_history_tells_indices_and_advises_above_70_percent(memory: MemoryStore) -> None:
    lines = ArchiveTool(memory.archives, THREAD, 128_000).list_history().splitlines()
    assert [line.split(" ")[0] for line in lines[:-1]] == [f"[{index}]" for index in range(40)]
    total = sum(message.tokens for message in memory.archives.history(THREAD))
    tight = ArchiveTool(memory.archives, THREAD, int(total / 0.8))
    advice = tight.list_history().splitlines()[-1]
    start, end = map(int, re.findall(r"\d+", advice)[:2])
    tight.memory({"operation": "store", "start_index": start, "end_index": end})
    used = usage(memory.archives.history(THREAD), int(total / 0.8))
    assert used.advised is None
    assert 0.5 < used.share < 0.65


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ({"operation": "forget"}, "operation is 'forget'; it is one of store, load, list, restore, prune."),
        ({}, "operation is None"),
        ({"operation": "store", "start_index": 5}, "end_index is missing"),
        (
            {"operation": "store", "start_index": 5, "end_index": 4},
            "There is no range 5..4: the messages have the indices 0..39.",
        ),
        ({"operation": "store", "start_index": 0, "end_index": 40}, "There is no range 0..40"),
        ({"operation": "store", "start_index": -1, "end_index": 4}, "start_index is -1"),
        ({"operation": "store", "start_index": "0", "end_index": 4}, "start_index is '0'"),
        (
            {"operation": "store", "start_index": 0, "end_index": 4, "max_preview_chars": "x"},
            "max_preview_chars is 'x'",
        ),
        ({"operation": "load"}, "memory_handle is missing"),
        ({"operation": "load", "memory_handle": "mem://x/y"}, "There is no archive mem://x/y in this thread"),
        ({"operation": "restore", "memory_handle": "mem://x/y"}, "There is no archive"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(
    memory: MemoryStore, tool: ArchiveTool, call: dict[str, object], problem: str
) -> None:
    before = texts(memory)
    assert tool.memory(call).startswith(f"Error: {problem}")
    assert texts(memory) == before


def test_the_question_that_is_being_answered_cannot_be_archived(memory: MemoryStore, tool: ArchiveTool) -> None:
    ask(memory, 30, "archive everything")
    told = tool.memory({"operation": "store", "start_index": 0, "end_index": 40})
    assert told == "Error: The message 40 is being answered now; let the range end before it."


def test_archives_are_of_one_thread(memory: MemoryStore, tool: ArchiveTool) -> None:
    handle = stored(tool)
    other = ThreadKey("T1", "C2", THREAD.thread_ts)
    ask(memory, 1, "hello", other)
    told = ArchiveTool(memory.archives, other, 128_000).memory({"operation": "load", "memory_handle": handle})
    assert told.startswith("Error: There is no archive")


def test_the_tools_are_described_as_functions() -> None:
    function = MEMORY_TOOL["function"]
    assert function["name"] == "memory"
    assert function["parameters"]["required"] == ["operation"]
    assert function["parameters"]["properties"]["operation"]["enum"] == ["store", "load", "list", "restore", "prune"]
    assert LIST_HISTORY_TOOL["function"]["name"] == "list_history"
