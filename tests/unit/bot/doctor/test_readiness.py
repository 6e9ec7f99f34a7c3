"""Parts tried side by side: each is told as it is, none is tried twice at once, and one that hangs holds up nobody."""

import logging
from contextlib import closing
from threading import Event

import pytest

from ai.errors import SourceUnavailable
from bot.doctor import Check, Readiness
from tests.wait import until


def away() -> str:
    raise SourceUnavailable("The disk is away; mount it.")


def broken() -> str:
    raise KeyError("a secret")


def test_each_part_is_told_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    with closing(Readiness([("well", lambda: "found"), ("away", away), ("broken", broken)])) as parts:
        with caplog.at_level(logging.ERROR):
            assert parts.checks() == [
                Check("well", "found", is_well=True),
                Check("away", "The disk is away; mount it.", is_well=False),
                Check("broken", "does not work; the log says why", is_well=False),
            ]
        assert parts.states() == {
            "well": "ok",
            "away": "The disk is away; mount it.",
            "broken": "does not work; the log says why",
        }
    assert {record.getMessage() for record in caplog.records} == {"the part broken cannot be tried"}
    assert all(record.exc_info for record in caplog.records)


@pytest.mark.parametrize(("fresh", "tries"), [(3_600.0, 1), (0.0, 2)])
def test_an_outcome_is_told_again_while_it_is_fresh(fresh: float, tries: int) -> None:
    tried = list[str]()

    def probe() -> str:
        tried.append("tried")
        return str(len(tried))

    with closing(Readiness([("part", probe)], fresh=fresh)) as parts:
        assert [parts.checks()[0].found for _ in range(2)] == ["1", str(tries)]


def test_a_part_that_hangs_holds_up_nobody_and_is_not_tried_again_before_it_ends() -> None:
    ends, tried = Event(), list[str]()

    def hangs() -> str:
        tried.append("tried")
        ends.wait(20)
        return "is back"

    with closing(Readiness([("part", hangs), ("well", lambda: "found")], patience=0.05, fresh=0.0)) as parts:
        slow = {"part": "does not answer within 0 s", "well": "ok"}
        assert [parts.states() for _ in range(3)] == [slow] * 3
        assert len(tried) == 1
        ends.set()
        until(lambda: parts.states() == {"part": "ok", "well": "ok"})


def test_all_parts_are_tried_at_once() -> None:
    first, second = Event(), Event()

    def one() -> str:
        first.set()
        return str(second.wait(20))

    def other() -> str:
        second.set()
        return str(first.wait(20))

    with closing(Readiness([("one", one), ("other", other)])) as parts:
        assert [check.found for check in parts.checks()] == ["True", "True"]


def test_nothing_to_try_is_nothing_to_mend() -> None:
    with closing(Readiness([])) as parts:
        assert parts.states() == {}
