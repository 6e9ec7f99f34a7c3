"""The log of access and the moves of members, on every database of the memory."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, text, update
from sqlalchemy.exc import DBAPIError

from ai.memory.keeping.access import ACCESS, FORGOTTEN
from ai.memory_store import AccessEntry, MemoryStore
from ai.types import ThreadKey

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
THREAD = ThreadKey("T", "C1", "1.0")


def entry(turn: str, person: str = "U1", at: datetime = NOON, **facts: Any) -> AccessEntry:
    return AccessEntry(at, THREAD, turn, person, facts.pop("outcome", "told"), "reply", "shop", "boss", **facts)


def test_entries_come_back_by_person_and_day(memory: MemoryStore) -> None:
    later = entry("t2", "U2", NOON + timedelta(days=1), tables=("apps",), readers=3, hidden_from=2)
    for one in (entry("t1"), entry("t1"), later):  # a repeated step adds nothing
        memory.access.add(one)
    assert memory.access.of() == (entry("t1"), later)
    assert memory.access.of("U2") == (later,)
    assert memory.access.of(since=NOON + timedelta(hours=1)) == (later,)


@pytest.mark.parametrize(
    "change", [update(ACCESS).values(person="U9"), delete(ACCESS), text("UPDATE access SET outcome = 'refused'")]
)
def test_entries_are_never_changed(memory: MemoryStore, change: Any) -> None:
    memory.access.add(entry("t1"))
    with pytest.raises(DBAPIError), memory.parts.engine.begin() as connection:
        connection.execute(change)
    assert memory.access.of() == (entry("t1"),)


def test_a_forgotten_person_is_a_pseudonym(memory: MemoryStore) -> None:
    for one in (entry("t1"), entry("t2"), entry("t3", "U2")):
        memory.access.add(one)
    memory.lifecycle.forget_person("U1")
    found = memory.access.of()
    (pseudonym,) = {one.person for one in found} - {"U2"}
    assert pseudonym.startswith(FORGOTTEN)
    assert [(one.turn_id, one.thread.channel) for one in found if one.person == pseudonym] == [("", "")] * 2
    assert [one.right for one in found] == ["boss"] * 3


def test_retention_ends_entries(memory: MemoryStore) -> None:
    for one in (entry("t1"), entry("t2", at=NOON + timedelta(days=9))):
        memory.access.add(one)
    memory.lifecycle.expire({"C1": 5.0}.get, NOON + timedelta(days=10))
    assert [one.turn_id for one in memory.access.of()] == ["t2"]


def test_a_reply_is_private_until_it_was_told_to_all(memory: MemoryStore) -> None:
    assert not memory.access.is_private("t1")
    memory.access.add(entry("t1", outcome="told privately", hidden_from=2))
    assert memory.access.is_private("t1")
    memory.access.add(entry("t1", outcome="shared", hidden_from=2))
    shared = memory.access.shared("t1")
    assert shared is not None
    assert shared.hidden_from == 2
    assert memory.access.is_private("t1")
    memory.access.add(entry("t1", hidden_from=2))
    assert not memory.access.is_private("t1")


def test_moves_are_told_in_order_and_go_with_the_person(memory: MemoryStore) -> None:
    for person, at, is_in in (("U1", 5.0, True), ("U2", 6.0, True), ("U1", 7.0, False)):
        memory.moves.add("T", "C1", person, at, is_in=is_in)
    first, *rest = memory.moves.after("T", "C1", 0)
    assert [(one.person, one.is_in) for one in rest] == [("U2", True), ("U1", False)]
    assert list(memory.moves.after("T", "C1", first.id)) == rest
    assert list(memory.moves.after("T", "C2", 0)) == []
    memory.lifecycle.forget_person("U1")
    assert [one.person for one in memory.moves.after("T", "C1", 0)] == ["U2"]
