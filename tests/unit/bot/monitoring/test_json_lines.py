"""A line of JSON tells what happened, and nothing that somebody wrote."""

import json
import logging
import sys
from typing import Any

import pytest

from bot.monitoring.json_lines import JsonLines
from bot.monitoring.watched import TURN

MARK = "ZQXMARK"


def line(wording: str, *args: object, name: str = "bot.turn", **more: Any) -> dict[str, Any]:
    record = logging.LogRecord(name, logging.WARNING, __file__, 1, wording, args, more.pop("error", None), "said")
    record.__dict__.update(more)
    read: dict[str, Any] = json.loads(JsonLines().format(record))
    return read


CASES = [
    ("the %s hangs", ("worker 1",), "the worker 1 hangs"),
    ("turn %s: %s", ("T1:C1:17.5", "answered"), "turn T1:C1:17.5: answered"),
    ("turn %s: %s", ("T1:C1:17.5", f"{MARK} is unknown"), "turn T1:C1:17.5: …"),
    ("%s", (ValueError(MARK),), "ValueError"),
    ("%s", (MARK.lower(),), "…"),
    ("Slack wants %s called less often: not for the next %g s", ("chat.postMessage", 3.0), None),
    ("took in %d messages", (3,), "took in 3 messages"),
    ("nothing is 100% sure", (), "nothing is 100% sure"),
    ("nothing is 100% sure of %s", ("T1:C1:17.5",), "nothing is 100% sure of %s"),
    ("%s %s %s", ("asked back", "undeliverable", "forgotten"), "asked back undeliverable forgotten"),
    ("%s, %s", ("receiver", "worker 12"), "receiver, worker 12"),
    ("%s, %s", ("worker", "worker 123"), "…, …"),
    ("%s, %s", ("assistant.threads.setStatus", "views.open"), "assistant.threads.setStatus, views.open"),
    ("%s, %s", ("T1:C1:1764000000.000100:e1764000001.5", "TC1:D0ANA:9"), None),
    ("%s of %d and %s", (None, 3, ("T1:C1:1",)), "… of 3 and …"),
    ("%(what)s", ({"what": "x"},), "%(what)s"),
]


@pytest.mark.parametrize(("wording", "args", "event"), CASES)
def test_an_event_holds_what_nobody_made_up(wording: str, args: tuple[object, ...], event: str | None) -> None:
    assert line(wording, *args)["event"] == (event or wording % args)


@pytest.mark.parametrize("name", ["ai.memory.log", "bot.turn"])
def test_a_line_of_ours_has_its_place_its_level_and_its_words(name: str) -> None:
    told = line("took in %d messages", 3, name=name, created=1764000000.25)
    assert told == {
        "time": "2025-11-24T16:00:00.250+00:00",
        "level": "WARNING",
        "logger": name,
        "event": "took in 3 messages",
    }


@pytest.mark.parametrize("name", ["sqlalchemy.engine", "botocore", "aiohttp.access", "root"])
def test_a_line_of_a_library_is_told_by_its_place(name: str) -> None:
    told = line(f"select {MARK}", name=name)
    assert told["event"] == "test_json_lines.said"
    assert MARK not in json.dumps(told)


def test_an_error_is_its_kinds_and_places() -> None:
    try:
        int(MARK)
    except ValueError:
        told = line("turn %s failed", "T1:C1:17.5", error=sys.exc_info())
    assert told["error"] == ["ValueError"]
    assert told["at"][-1].endswith("test_an_error_is_its_kinds_and_places")
    assert MARK not in json.dumps(told)


def test_an_error_tells_its_causes_and_the_last_places_of_a_long_way() -> None:
    def deep(more: int) -> None:
        if more:
            deep(more - 1)
        raise KeyError(MARK) from ValueError(MARK)

    try:
        deep(20)
    except KeyError:
        told = line("turn %s failed", "T1:C1:17.5", error=sys.exc_info())
    assert told["error"] == ["KeyError", "ValueError"]
    first = deep.__code__.co_firstlineno
    assert told["at"] == [f"test_json_lines.py:{first + 2} deep"] * 11 + [f"test_json_lines.py:{first + 3} deep"]


def test_a_line_in_a_turn_names_it() -> None:
    before = TURN.set("T1:C1:17.5")
    try:
        told = line("turn %s: %s", "T1:C1:17.5", "answered", facts={"outcome": "answered", "seconds": 0.5})
    finally:
        TURN.reset(before)
    assert (told["turn"], told["outcome"], told["seconds"]) == ("T1:C1:17.5", "answered", 0.5)
    assert told["time"].endswith("+00:00")
    assert "turn" not in line("connected")
