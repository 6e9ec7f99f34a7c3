"""What an event says, which bodies have the shape of one, and for whom they are."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bot.inbound import read_message
from bot.inbound.messages import said_in
from bot.inbound.shapes import is_for, is_sound
from tests.cases import cases


@pytest.mark.parametrize("line", cases(Path(__file__).with_name("inbound.jsonl")))
def test_read_message(line: dict[str, Any]) -> None:
    inbound = read_message(line["event"], {}, "T1", "UBOT")
    if line["read"] is None:
        assert inbound is None
        return
    assert inbound is not None
    found = asdict(inbound) | {"thread": str(inbound.thread), "mentions": list(inbound.mentions)}
    assert {name: found[name] for name in line["read"]} == line["read"]


@pytest.mark.parametrize("line", cases(Path(__file__).with_name("shapes.jsonl")))
def test_a_body_has_a_shape_that_slack_sends(line: dict[str, Any]) -> None:
    assert is_sound(line["body"]) is line["is_sound"]


@pytest.mark.parametrize(
    ("named", "is_ours"),
    [
        (None, True),
        ([], True),
        ([{"team_id": "T1"}], True),
        ([{"team_id": "T2"}, {"enterprise_id": "E1"}], True),
        ([{"team_id": "T2", "enterprise_id": "E2"}], False),
    ],
)
def test_an_event_is_for_the_installations_that_it_names(named: list[dict[str, str]] | None, *, is_ours: bool) -> None:
    assert is_for({"authorizations": named}, {"T1", "E1"}) is is_ours


def test_an_event_is_about_a_message() -> None:
    new, old = {"ts": "2.1"}, {"ts": "1.1"}
    assert said_in({"message": new, "previous_message": old}) == new
    assert said_in({"previous_message": old}) == old
    assert said_in({"ts": "3.1"}) == {"ts": "3.1"}
