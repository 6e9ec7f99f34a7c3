"""Trust by circle: outsiders teach nobody, a member their channels, an owner or two members the workspace."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path

import pytest

from ai.agents.port import run_now, said
from ai.agents.querying.verdicts import Person, Verdicts
from ai.analysts.port import Example
from ai.errors import NoResult, NotAllowed
from ai.types import OUTSIDERS, Readers, Request, ThreadKey
from tests.desk import Desk, open_desk

TODAY = date(2026, 11, 20)
NUMBERS = count(1)
ALONE = Readers()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with open_desk(tmp_path, owners=["OWNER"]) as opened:
        yield opened


def request(
    text: str, channel: str, user: str = "MEMBER", roles: tuple[str, ...] = (), readers: Readers = ALONE
) -> Request:
    turn_id = f"T:{channel}:{next(NUMBERS)}"
    return Request(
        turn_id, ThreadKey("T", channel, turn_id), text, user, datetime.now(UTC), "shop", roles=roles, readers=readers
    )


def ask(desk: Desk, wanted: Request) -> tuple[str, int]:
    """Return the answer and the number of its query, 0 for none."""
    desk.memory.receive(wanted.thread, wanted.turn_id, wanted.text, wanted.user, wanted.asked_at)
    told = "\n".join(map(said, desk.orchestrator.answer(wanted, run_now)))
    queries = desk.memory.queries(wanted.thread)
    return told, queries[0].id if queries else 0


def accept(desk: Desk, query_id: int, user: str = "MEMBER", channel: str = "C1", roles: tuple[str, ...] = ()) -> None:
    person = Person(user, roles, "default", user == "OWNER", channel)
    Verdicts(desk.memory, desk.context).accept(query_id, TODAY, person)


def examples(desk: Desk, channel: str, *members: str, user: str = "ASKER") -> tuple[Example, ...]:
    wanted = request("how many apps are there?", channel, user, readers=Readers(includes=lambda one: one in members))
    return desk.context.accepted.examples(wanted, desk.database)


@pytest.mark.parametrize("role", sorted(OUTSIDERS))
def test_the_words_of_outsiders_teach_nobody(desk: Desk, role: str) -> None:
    _, number = ask(desk, request("how many apps are there?", "C1"))
    verdicts, outsider = Verdicts(desk.memory, desk.context), Person("OUT", (role,), "default", False, "C1")
    for judge in (verdicts.accept, verdicts.reject):
        with pytest.raises(NotAllowed, match="Only members"):
            judge(number, TODAY, outsider)
    assert examples(desk, "C1") == ()
    told, _ = ask(desk, request("by good apps we mean apps.platform = 'iOS'", "C1", "OUT", (role,)))
    assert "Only members" in told
    assert desk.memory.rules.newest("shop", 5) == ()


def test_what_a_member_accepts_holds_where_they_are(desk: Desk) -> None:
    _, number = ask(desk, request("how many apps are there?", "C1"))
    accept(desk, number)
    assert len(examples(desk, "C1")) == 1
    assert len(examples(desk, "C2", "MEMBER")) == 1
    assert len(examples(desk, "C2", user="MEMBER")) == 1
    assert examples(desk, "C2", "SOMEBODY") == ()


@pytest.mark.parametrize("second", ["OWNER", "COLLEAGUE"])
def test_the_workspace_needs_an_owner_or_a_second_person(desk: Desk, second: str) -> None:
    _, number = ask(desk, request("how many apps are there?", "C1"))
    accept(desk, number)
    assert desk.context.accepted.answer(request("how many apps are there?", "C2"), desk.database) is None
    accept(desk, number, second)
    assert desk.context.accepted.answer(request("how many apps are there?", "C2"), desk.database) is not None
    assert len(examples(desk, "C2")) == 1


def test_a_press_from_another_channel_judges_nothing(desk: Desk) -> None:
    _, number = ask(desk, request("how many apps are there?", "C1"))
    accept(desk, number, "OWNER")
    verdicts, elsewhere = Verdicts(desk.memory, desk.context), Person("EVE", (), "default", False, "C2")
    with pytest.raises(NotAllowed, match="another channel"):
        verdicts.accept(number, TODAY, elsewhere)
    with pytest.raises(NotAllowed, match="another channel"):
        verdicts.reject(number, TODAY, elsewhere)
    with pytest.raises((NotAllowed, NoResult)):
        verdicts.take_back(number, elsewhere)
    assert desk.context.accepted.answer(request("how many apps are there?", "C1"), desk.database) is not None


@pytest.mark.slow
def test_poisoned_answers_reach_no_other_channel(desk: Desk) -> None:
    for text in POISONED:
        _, number = ask(desk, request(text, "C1", "EVE"))
        if number:
            accept(desk, number, "EVE")
    assert len(examples(desk, "C1")) > 0
    assert examples(desk, "C2") == ()
    answers = [desk.context.accepted.answer(request(text, "C2"), desk.database) for text in POISONED]
    assert answers == [None] * len(POISONED)


POISONED = [
    f"{verb} {what} {where}"
    for verb in ("how many", "count the", "list the", "show the", "what are the")
    for what in ("apps", "names of apps", "iOS apps", "Android apps", "platforms of apps")
    for where in (
        "are there?",
        "we have?",
        "please",
        "by platform",
        "sorted by name",
        "called Ada",
        "there are",
        "now?",
    )
]
