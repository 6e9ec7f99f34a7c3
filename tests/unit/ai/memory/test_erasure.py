"""What was forgotten is nowhere in the files."""

from pathlib import Path

import pytest

from ai.memory.learned.verified import Verified
from ai.memory.workspaces import Snapshot, StateOrigin, TracedCall
from ai.memory_store import MemoryStore, QueryOrigin
from ai.results.table import ResultColumn
from ai.types import Place, Request
from tests.memories import NOON, THREAD, ask, opened, said, turn

SECRET = "zebrafish"


def fill(memory: MemoryStore) -> None:
    """A thread in which the secret is everywhere: messages, summaries, archives, a query, a result, the index."""
    for number in range(1, 16):
        ask(memory, number, f"{SECRET} question {number}")
        memory.add_reply(THREAD, turn(number), f"{SECRET} answer {number}")
    memory.archives.store(THREAD, 2, 9, summary=f"about {SECRET}")
    memory.store_sql_query(THREAD, f"SELECT '{SECRET}'", f"{SECRET}?", {"success": True, "data": [{"a": SECRET}]})
    memory.save_refusal(QueryOrigin(THREAD, turn(3), "sql", "shop", f"{SECRET}?", SECRET), SECRET, (SECRET,))
    memory.answers.keep_phrasing(THREAD, turn(3), f"There is 1 {SECRET}.")
    memory.receipts.keep(THREAD, turn(3), {"sql": f"SELECT '{SECRET}'"})
    correction = Request(turn(2), THREAD, f"{SECRET} excludes tests", "U1", NOON, "shop")
    memory.rules.propose(correction, {"kind": "sentence", "text": correction.text})
    place, asked = Place("T1", "C1", "default", "shop"), f"{SECRET}?"
    memory.verified.accept(
        Verified(place, THREAD, turn(1), asked, asked, SECRET, SECRET, None, NOON.date(), "U1", "U2", NOON, 0, ("0",))
    )
    memory.windows.read(THREAD)
    while memory.search.step():
        pass
    memory.parts.results.write("kept", [ResultColumn("n")], [[(1,)]], max_rows=9, max_bytes=10_000)


def found_in(folder: Path) -> dict[str, int]:
    counts = {file.name: file.read_bytes().count(SECRET.encode()) for file in folder.rglob("*") if file.is_file()}
    return {name: count for name, count in counts.items() if count}


@pytest.mark.parametrize("how", ["thread", "person", "everything", "expired"])
def test_no_byte_is_left(tmp_path: Path, how: str) -> None:
    with opened(tmp_path) as memory:
        fill(memory)
        ask(memory, 1, "somebody else", thread := type(THREAD)("T1", "C2", "1.1"))
        assert found_in(tmp_path), "the search finds nothing where there is something"
        if how == "thread":
            forgotten = memory.lifecycle.forget_thread(THREAD)
        elif how == "person":
            forgotten = memory.lifecycle.forget_person("U1")
        elif how == "everything":
            forgotten = memory.lifecycle.forget_everything()
        else:
            forgotten = memory.lifecycle.expire({"C1": 1.0}.get, NOON.replace(year=2030))
        assert forgotten.scrubbed
        assert found_in(tmp_path) == {}
        assert said(memory, thread) == (["somebody else"] if how in ("thread", "expired") else [])
        assert memory.parts.results.describe("kept").row_count == 1
    assert found_in(tmp_path) == {}


def test_a_message_that_was_taken_back_leaves_no_byte(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        for number in range(1, 20):
            ask(memory, number, SECRET if number == 3 else f"question {number}")
        while memory.search.step():
            pass
        memory.archives.store(THREAD, 1, 4, auto=True)
        memory.lifecycle.take_back(turn(3), NOON)
        assert found_in(tmp_path) == {}


@pytest.mark.parametrize("note", [None, f"see what was said about {SECRET}"])
def test_what_was_written_about_a_message_goes_with_it(tmp_path: Path, note: str | None) -> None:
    with opened(tmp_path) as memory:
        for number in range(1, 6):
            ask(memory, number, SECRET if number == 3 else f"question {number}")
        handle = memory.archives.store(THREAD, 1, 3, summary=f"about {SECRET}").handle
        if note:
            memory.archives.restore(THREAD, handle, replace_with=note)
        assert found_in(tmp_path)
        memory.lifecycle.change(turn(3), "x" * len(SECRET), NOON)
        assert found_in(tmp_path) == {}
        assert "x" * len(SECRET) in "".join(message.content for message in memory.archives.history(THREAD))


def test_words_of_a_person_leave_what_others_were_told(tmp_path: Path) -> None:
    words = f"the **{SECRET}** moves to the other tank on Monday"
    other, place = type(THREAD)("T1", "C1", "2.2"), Place("T1", "C1", "default", "")
    with opened(tmp_path) as memory:
        ask(memory, 1, words)
        memory.receive(other, "T1:C1:q2", "what did Ben say about the tank?", "U2", NOON)
        quoted = f"On January 7th, said by U1: “the \\*\\*{SECRET}\\*\\* moves to the other tank on Monday” (12:00)"
        memory.add_reply(other, "T1:C1:q2", quoted)
        for number in range(2, 16):
            memory.receive(other, f"T1:C1:x{number}", f"and {number}?", "U2", NOON)
            memory.add_reply(other, f"T1:C1:x{number}", f"answer {number}")
        memory.archives.store(other, 0, 2, summary=f"Ben: {words}")
        memory.save_query(QueryOrigin(other, "T1:C1:x3", "resume_state", "", words, ""), "SELECT 1", ran=True)
        memory.answers.keep_phrasing(other, "T1:C1:x4", f"As Ben said: {words}")
        asked = TracedCall("search_history", {"query": "tank"}, other, place, "T1:C1:x5")
        memory.traces.run(asked, lambda: [words], list)
        memory.states.create(place, Snapshot("tanks", words, "count", (), ()), StateOrigin(other, "T1:C1:x6", "U2"))
        memory.states.create(place, Snapshot("mine", "clean", "count", (), ()), StateOrigin(other, "T1:C1:x7", "U2"))
        while memory.search.step():
            pass
        assert found_in(tmp_path)
        forgotten = memory.lifecycle.forget_person("U1")
        assert forgotten.scrubbed
        assert found_in(tmp_path) == {}
        assert [state.snapshot.name for state in memory.states.all(place)] == ["mine"]
        replies = [message.content for message in memory.archives.everything(other) if message.role == "assistant"]
        assert replies[0] == "(What was quoted here is forgotten.)"
        assert replies[1:] == [f"answer {number}" for number in range(2, 16)]
        assert memory.lifecycle.knows_person("U2")
        assert not memory.lifecycle.knows_person("U1")


def test_what_somebody_else_said_too_is_theirs(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        ask(memory, 1, f"how many {SECRET} are there in all?")
        memory.receive(THREAD, "T1:C1:b", f"How many {SECRET} are there in all?", "U2", NOON)
        memory.add_reply(THREAD, "T1:C1:b", f"You asked: how many {SECRET} are there in all?")
        memory.lifecycle.forget_person("U1")
        assert [message.content.count(SECRET) for message in memory.archives.everything(THREAD)] == [1, 1]
