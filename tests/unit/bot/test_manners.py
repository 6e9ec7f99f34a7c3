"""What a message in a thread shows of whom it is for, and the verdict."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ai.types import LoggedMessage, Role, ThreadKey
from bot.inbound import Inbound
from bot.listeners.manners import Line, wants_answer
from bot.listeners.manners.features import _rows, features
from bot.listeners.manners.talk import is_meant
from bot.people import AuthorOrigin
from tests.cases import cases

MINUTES = 2.0
THREAD = ThreadKey("T", "C", "1.0")


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("manners.jsonl")))
def test_a_line_in_a_thread(case: dict[str, Any]) -> None:
    thread, said = [Line(*line) for line in case["thread"]], Line(*case["says"])
    found = features(thread, said, case.get("minutes", MINUTES))
    assert [name for name in case.get("has", ()) if not found[name]] == []
    assert [name for name in case.get("lacks", ()) if found[name]] == []
    if "stands" in case:  # all that its place and its words show, beside the patterns
        assert {name for name, holds in found.items() if holds} - {row.name for row in _rows()} == {
            *case["stands"],
            "always",
        }
    if "is_for_us" in case:
        assert wants_answer(thread, said, MINUTES, lambda _: "names_data" in case) == case["is_for_us"]


def logged(number: int, text: str, role: Role = "user") -> LoggedMessage:
    at = datetime(2026, 11, 1, 12, number, tzinfo=UTC)
    return LoggedMessage(THREAD, number, f"T:C:{number}.0", role, text, "ANA" * (role == "user"), 1, at)


def test_a_message_that_comes_again_is_not_what_was_said_before_it() -> None:
    answer = replace(logged(2, "West is first with $412,300.", "assistant"), turn_id="T:C:1.0")
    lately = [logged(1, "revenue by region"), answer, itself := logged(3, "and royal mail")]
    inbound = Inbound(
        itself.turn_id, THREAD, itself.content, "ANA", itself.created_at, is_direct=False, is_reply=True,
        origin=AuthorOrigin(frozenset()), mentions=(),
    )  # fmt: skip
    assert is_meant(inbound, lately, str, names_nothing)
    assert is_meant(inbound, lately[:2], str, names_nothing)
    assert not is_meant(replace(inbound, turn_id="T:C:4.0"), lately, str, names_nothing)


def names_nothing(_: str) -> bool:
    return False


REVENUE = [Line("ANA", "@datathread revenue by platform"), Line("", "iOS has the most revenue ($3.31M).")]
BEN = Line("BEN", "nice")


@pytest.mark.parametrize(
    ("thread", "said", "is_for_us"),
    [
        (REVENUE, "the web ones", True),
        (REVENUE, "cpi of the second one", True),
        (REVENUE, "brb", False),
        ([*REVENUE, BEN], "the web ones", False),
        (REVENUE, "I will ask the web ones tomorrow", False),
        (REVENUE, "ok new q: what sold best in october", True),
    ],
)
def test_a_few_words_of_the_data_are_for_us_where_nobody_else_talks(
    thread: list[Line], said: str, *, is_for_us: bool
) -> None:
    line = Line("ANA", said)
    assert wants_answer(thread, line, MINUTES, {"the web ones", "cpi of the second one"}.__contains__) == is_for_us
