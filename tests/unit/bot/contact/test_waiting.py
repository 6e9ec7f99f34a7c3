"""An event that waits: what it waits for, who is told of it, with which words, and when again."""

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.contact.waiting import Waiting, waiting
from bot.listeners import Intake
from local_slack.testing import ANA, GENERAL, MENTION
from tests.cases import cases
from tests.fakes import KeptQueue
from tests.intakes import TEAM, intake_of
from tests.memories import opened

SAID = {"user": ANA, "channel": GENERAL, "ts": "100.1", "event_ts": "100.1", "text": f"{MENTION} how many apps?"}


@pytest.fixture(scope="module")
def intake(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with opened(tmp_path_factory.mktemp("memory")) as memory:
        yield intake_of(memory, KeptQueue())


def event_of(intake: Intake, **facts: Any) -> Waiting:
    return waiting({"type": "event_callback", "team_id": TEAM, "event": {**SAID, **facts}}, intake)


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("events.jsonl")))
def test_an_event_waits_for_what_came_before(intake: Intake, case: dict[str, Any]) -> None:
    event = event_of(intake, **case["event"])
    assert event.thread.thread_ts == case["thread"]
    assert event.thread.channel == case["event"].get("channel", GENERAL)
    assert (event.waits_for_gaps, event.asker is not None, event.joins) == (case["waits"], case["tells"], case["joins"])
    assert event.said_at == case.get("said", 100.1)


def reached(*, reaches: bool) -> "Future[bool]":
    told: Future[bool] = Future()
    told.set_result(reaches)
    return told


NOON = 1_700_049_600.0  # of a day, in UTC


def test_whoever_asked_is_told_and_more_and_more_rarely_again(intake: Intake) -> None:
    event = event_of(intake, type="app_mention")
    event.tell_at = NOON + 2
    heard = {}
    for second in range(0, 3 * 3_600, 10):
        if word := event.word(NOON + second):
            heard[second] = word
            event.telling = reached(reaches=True)
    said = (
        "I could not write your question down; I will look again at <!date^{}^{{time}}|{} UTC>. You need not ask again."
    )
    assert heard == {
        10: said.format(1_700_049_720, "12:02"),
        120: said.format(1_700_050_320, "12:12"),
        720: said.format(1_700_053_920, "13:12"),
        4_320: said.format(1_700_057_520, "14:12"),
        7_920: said.format(1_700_061_120, "15:12"),
    }


def test_whoever_was_not_reached_is_told_a_second_later_the_same(intake: Intake) -> None:
    event = event_of(intake, type="app_mention")
    event.tell_at = NOON + 10
    first = event.word(NOON + 10)
    event.telling = reached(reaches=False)
    assert event.word(NOON + 10.5) is None
    assert event.word(NOON + 11.4) is None
    assert event.word(NOON + 11.5) == first
    event.telling = Future()
    assert event.word(NOON + 13) is None


def test_whoever_waits_for_a_gap_is_told_why(intake: Intake) -> None:
    event = event_of(intake, type="app_mention", thread_ts="99.1")
    event.is_held, event.tell_at = True, NOON
    assert event.word(NOON) == (
        "I was away and first look for what was said here before; your answer follows. You need not ask again."
    )
    assert replace(event, asker=None).word(NOON + 9_999) is None


def test_each_delivery_of_an_event_has_one_key(intake: Intake) -> None:
    first, again, other = (event_of(intake, type="app_mention", ts=ts) for ts in ("100.1", "100.1", "100.2"))
    assert first.key == again.key != other.key
    assert 0 < first.tell_at - first.since <= 2
