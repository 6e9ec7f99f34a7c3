"""What a person says of themselves holds in their own questions, is named there, listed and forgotten."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from ai.agents.port import Answer, SqlEvent, TableEvent, run_now
from ai.agents.wishes.preferences import preference_wish, reworded, with_own_weeks
from ai.types import Request
from tests.desk import Desk, open_desk
from tests.memories import THREAD

TODAY = date(2026, 11, 25)  # a Wednesday


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with open_desk(tmp_path) as opened:
        yield opened


def say(desk: Desk, user: str, text: str) -> Answer:
    at = datetime.now(UTC)
    request = Request(f"T1:C1:{at.timestamp()}", THREAD, text, user, at, "shop")
    desk.memory.receive(THREAD, request.turn_id, text, user, at)
    return Answer(tuple(desk.orchestrator.answer(request, run_now)))


def test_a_word_of_ones_own_changes_ones_own_answers_alone(desk: Desk) -> None:
    assert "Noted for you alone" in say(desk, "U1", "remember that by app I mean iOS apps").text
    own = say(desk, "U1", "how many apps are there?").text
    assert "There are 2 apps on iOS." in own
    assert "As you told me: by “app” you mean “iOS apps”" in own
    other = say(desk, "U2", "how many apps are there?").text
    assert "3 apps" in other
    assert "As you told me" not in other
    assert "by “app” you mean “iOS apps”" in say(desk, "U1", "what do you remember about me?").text
    assert "I remember nothing about you" in say(desk, "U2", "what do you remember about me?").text
    assert "Forgotten: by “app”" in say(desk, "U1", "forget that").text
    assert "3 apps" in say(desk, "U1", "how many apps are there?").text
    assert "I keep no notes about you" in say(desk, "U1", "forget that").text


def test_the_answer_of_one_person_is_not_accepted_for_all(desk: Desk) -> None:
    say(desk, "U1", "by app I mean iOS apps")
    say(desk, "U1", "how many apps are there?")
    (query,) = desk.memory.queries(THREAD)
    assert "iOS" in query.question, "what was answered is what is kept, and so what people accept"


def test_a_table_is_always_shown_to_whoever_wants_one(desk: Desk) -> None:
    assert not [event for event in say(desk, "U1", "how many apps are there?").events if isinstance(event, TableEvent)]
    say(desk, "U1", "always show a table")
    assert [event for event in say(desk, "U1", "how many apps are there?").events if isinstance(event, TableEvent)]
    assert not [event for event in say(desk, "U2", "how many apps are there?").events if isinstance(event, TableEvent)]


def test_preferences_are_few_replaced_and_forgotten_with_their_person(desk: Desk) -> None:
    say(desk, "U1", "my week starts on Sunday")
    say(desk, "U1", "my week starts on Saturday")
    told = say(desk, "U1", "what do you remember about me?").text
    assert "Saturday" in told
    assert "Sunday" not in told
    for number in range(25):
        said = say(desk, "U1", f"by w{number} I mean thing {number}").text
    assert "already" in said
    desk.memory.lifecycle.forget_person("U1")
    assert "I remember nothing about you" in say(desk, "U1", "what do you remember about me?").text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("how many apps?", "how many iOS apps?"),
        ("is this app an iOS app?", "is this iOS app an iOS app?"),
        ("the iOS apps", "the iOS apps"),
        ("apple pie", "apple pie"),
        ("app-store apps", "app-store iOS apps"),
    ],
)
def test_a_word_is_replaced_where_it_stands_alone(text: str, told: str) -> None:
    assert reworded(text, "app", "iOS apps") == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("orders last week", "orders from 2026-11-15 to 2026-11-21"),
        ("orders this week", "orders from 2026-11-22 to 2026-11-28"),
        ("orders per week", "orders per week"),
    ],
)
def test_weeks_begin_on_the_day_of_the_person(text: str, told: str) -> None:
    assert with_own_weeks(text, "sunday", TODAY) == told
    assert with_own_weeks(text, "Monday", TODAY) == text


@pytest.mark.parametrize(
    "text",
    [
        "by active users we mean users.status = 'A'",
        "by active users I mean users.status = 'A'",
        "forget this thread",
        "show a table",
        "what do you know about apps?",
        "which week has the most orders?",
    ],
)
def test_other_wishes_are_none_of_ones_own(text: str) -> None:
    assert preference_wish(text) is None


def test_the_sql_names_what_was_meant(desk: Desk) -> None:
    say(desk, "U1", "when I say app I mean iOS apps")
    say(desk, "U1", "how many apps are there?")
    shown = [event for event in say(desk, "U1", "show me the SQL").events if isinstance(event, SqlEvent)]
    assert "iOS" in shown[0].sql
