"""Accepted answers and rules are kept, counted and forgotten, on every database that the memory can be in."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from ai.errors import NotFound
from ai.memory.learned.verified import Verified
from ai.memory_store import Forgotten, MemoryStore
from ai.types import Place, Request, ThreadKey
from tests.memories import NOON, THREAD, ask, turn

HERE = Place("T1", "C1", "default", "shop")
ELSEWHERE = ThreadKey("T1", "C2", "1.2")


def accepted(number: int, normal: str = "apps", thread: ThreadKey = THREAD, by: str = "U2") -> Verified:
    return Verified(
        place=HERE,
        thread=thread,
        turn_id=turn(number, thread),
        question=f"how many {normal}?",
        normal=normal,
        sql="SELECT 1",
        reading="",
        meaning={"n": 1},
        day=date(2026, 1, 7),
        asked_by="U1",
        accepted_by=by,
        accepted_at=NOON,
        version=0,
        holds_under=("0",),
    )


def correction(number: int, said: str = "revenue excludes refunds", thread: ThreadKey = THREAD) -> Request:
    return Request(turn(number, thread), thread, said, "U1", NOON, "shop")


def test_one_person_makes_an_example_and_a_second_the_answer(memory: MemoryStore) -> None:
    book = memory.verified
    assert book.accept(accepted(1)).confirmed_by == ""
    assert book.accept(accepted(1)).confirmed_by == ""
    assert book.alike(HERE, "apps") is None
    assert [one.turn_id for one in book.newest(HERE, 10)] == [turn(1)]
    kept = book.accept(accepted(2, by="U3"))
    assert (kept.accepted_by, kept.confirmed_by) == ("U2", "U3")
    found = book.alike(HERE, "apps")
    assert found is not None
    assert (found.turn_id, found.meaning, found.day) == (turn(2), {"n": 1}, date(2026, 1, 7))
    assert len(book.newest(HERE, 10)) == 1
    assert book.alike(Place("T1", "D9", "D9", "shop"), "apps") is None
    book.holds([found.id], "0+1")
    assert book.of_source("shop", 10)[0].holds_under == ("0", "0+1")


def test_another_sql_of_one_person_does_not_replace_the_answer_for_all(memory: MemoryStore) -> None:
    book = memory.verified
    assert book.accept(accepted(1), is_final=True).confirmed_by == "U2"
    other = replace(accepted(2, by="U3"), sql="SELECT 2")
    assert book.accept(other).confirmed_by == ""
    assert book.alike(HERE, "apps") == next(one for one in book.newest(HERE, 10) if one.sql == "SELECT 1")
    assert book.accept(other, is_final=True).confirmed_by == "U3"
    assert [one.sql for one in book.newest(HERE, 10)] == ["SELECT 2"]


def test_an_objection_holds_until_it_is_taken_back(memory: MemoryStore) -> None:
    book = memory.verified
    book.accept(accepted(1), is_final=True)
    found = book.alike(HERE, "apps")
    assert found is not None
    objection = replace(accepted(2), accepted_by="", objected_by="U4")
    book.object(objection, [found.id], "period")
    book.object(objection, [found.id], "period")
    assert book.alike(HERE, "apps") is None
    assert book.newest(HERE, 10) == book.of_source("shop", 10) == ()
    assert book.take_back(HERE, "SELECT 1", "U5") == 0
    assert book.take_back(HERE, "SELECT 1", "U4") == 2
    assert book.alike(HERE, "apps") == found


def test_an_objection_concerns_its_own_answer_and_those_named(memory: MemoryStore) -> None:
    book = memory.verified
    for number, normal in enumerate(("apps", "teams", "users"), 1):
        book.accept(accepted(number, normal), is_final=True)
    teams = book.alike(HERE, "teams")
    assert teams is not None
    book.object(replace(accepted(1), objected_by="U4"), [teams.id], "period")
    assert [book.alike(HERE, normal) is None for normal in ("apps", "teams", "users")] == [True, True, False]
    book.object(replace(accepted(4, "shops"), accepted_by="", objected_by="U4"), (), "period")
    assert [one.normal for one in book.newest(HERE, 10)] == ["users"]


def test_a_rule_is_in_force_from_its_approval_to_its_end(memory: MemoryStore) -> None:
    book = memory.rules
    number = book.propose(correction(1), {"kind": "sentence"})
    assert book.propose(correction(1), {"kind": "other"}) == number
    rule = book.one("shop", number)
    assert (book.in_force("shop"), book.version("shop")) == ((), 0)
    assert book.approve(rule, "U2")
    assert not book.approve(rule, "U2")
    assert ([found.id for found in book.in_force("shop")], book.version("shop")) == ([number], 1)
    assert book.in_force("fleet") == ()
    assert book.revert(rule, "U2")
    assert not book.revert(rule, "U2")
    assert (book.in_force("shop"), book.version("shop")) == ((), 2)
    with pytest.raises(NotFound):
        book.one("fleet", number)


@pytest.mark.parametrize(
    ("how", "left", "in_force"),
    [("thread", 1, 0), ("asker", 0, 0), ("accepter", 0, 1), ("everything", 0, 0), ("expired", 1, 1)],
)
def test_forgetting_reaches_what_people_taught(memory: MemoryStore, how: str, left: int, in_force: int) -> None:
    for number in (1, 2):
        ask(memory, number, "how many apps?")
    ask(memory, 3, "how many teams?", ELSEWHERE)
    memory.verified.accept(accepted(1))
    memory.verified.accept(accepted(3, "teams", ELSEWHERE))
    rule = memory.rules.one("shop", memory.rules.propose(correction(2), {"kind": "sentence"}))
    memory.rules.approve(rule, "U2")
    memory.rules.propose(correction(1, "open"), {"kind": "sentence"})
    forget: dict[str, Callable[[], Forgotten]] = {
        "thread": lambda: memory.lifecycle.forget_thread(THREAD),
        "asker": lambda: memory.lifecycle.forget_person("U1"),
        "accepter": lambda: memory.lifecycle.forget_person("U2"),
        "everything": memory.lifecycle.forget_everything,
        "expired": lambda: memory.lifecycle.expire({"C1": 1.0}.get, NOON.replace(year=2030)),
    }
    forget[how]()
    assert len(memory.verified.of_source("shop", 10)) == left
    assert len(memory.rules.in_force("shop")) == in_force
    if how in ("thread", "asker"):
        assert (memory.rules.version("shop"), memory.rules.newest("shop", 10)) == (2, ())


def test_a_question_that_is_taken_back_takes_its_answer_along(memory: MemoryStore) -> None:
    ask(memory, 1, "how many apps?")
    memory.verified.accept(accepted(1))
    memory.lifecycle.take_back(turn(1), NOON)
    assert memory.verified.of_source("shop", 10) == ()
