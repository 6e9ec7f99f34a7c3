"""Calls of Slack: what is tried again, after which pause, and what is looked for first."""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import IncompleteRead
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from ai.errors import SourceUnavailable
from bot.delivery import Calls, Lane, RateLimit, RateLimiter, TokenRefused
from bot.delivery.calls import FORGET_BEYOND, GATE_SECONDS, QUEUED_IN_CHANNEL, TokenGate, error_name

CASES = [json.loads(line) for line in Path(__file__).with_name("calls.jsonl").read_text("utf-8").splitlines()]
LANE = Lane("chat.update")
STATUSES = {"broken": 503, "limited": 429}


def response(data: Mapping[str, Any], status: int = 200, **headers: str) -> SlackResponse:
    return SlackResponse(
        client=None,
        http_verb="POST",
        api_url="",
        req_args={},
        data=dict(data),
        headers={name.replace("_", "-"): value for name, value in headers.items()},
        status_code=status,
    )


def refusal(code: str, status: int = 200, **headers: str) -> SlackApiError:
    return SlackApiError(code, response({"error": code}, status, **headers))  # type: ignore[no-untyped-call]


@dataclass
class Line:
    """A Slack that answers as it is told, on a clock that only waits move."""

    answers: list[str] = field(default_factory=list)
    now: float = 1000.0
    waits: list[float] = field(default_factory=list)
    called: int = 0
    repeated: int = 0
    rules: Mapping[str, list[RateLimit]] = field(default_factory=dict)

    def call(self) -> str:
        self.called += 1
        kind, _, seconds = self.answers.pop(0).partition(" ")
        if kind == "away":
            raise URLError("away")
        if kind == "cut":
            raise IncompleteRead(b"")
        if kind != "ok":
            raise refusal(kind, STATUSES.get(kind, 200), **({"Retry_After": seconds} if seconds else {}))
        return kind

    def wait(self, seconds: float) -> None:
        self.waits.append(round(seconds, 6))
        self.now += seconds

    def repeat(self) -> None:
        self.repeated += 1

    def calls(self) -> Calls:
        limiter = RateLimiter(self.rules, lambda: self.now, self.wait, self.repeat)
        return Calls(limiter, gate=TokenGate(clock=lambda: self.now))


@pytest.mark.parametrize("case", CASES, ids=[json.dumps(case) for case in CASES])
def test_a_call_is_repeated_where_that_helps(case: Mapping[str, Any]) -> None:
    line, looks = Line(list(case["answers"])), list(case.get("look", []))
    looked = 0

    def look() -> str | None:
        nonlocal looked
        looked += 1
        return (looks.pop(0) if looks else "") or None

    def once() -> str:
        return line.calls().once(LANE, line.call, look, look_first=case.get("look_first", False))

    if "raises" in case:
        with pytest.raises((SlackApiError, SourceUnavailable)) as found:
            once()
        assert type(found.value).__name__ == case["raises"]
        assert case.get("says", "") in str(found.value)
    else:
        assert once() == case["gives"]
    assert (line.waits, line.called, line.repeated) == (case["waits"], case["calls"], case.get("repeats", 0))
    assert looked == case.get("looks", looked)


def test_a_refused_token_closes_the_gate_for_a_while(caplog: pytest.LogCaptureFixture) -> None:
    line = Line(["invalid_auth", "invalid_auth", "ok", "ok", "invalid_auth"])
    calls = line.calls()

    def refused() -> None:
        with pytest.raises(TokenRefused, match="invalid_auth"):
            calls.repeat(LANE, line.call)

    assert calls.gate.is_open
    with caplog.at_level(logging.ERROR):
        refused()
        line.now += GATE_SECONDS - 0.1
        refused()
        assert (line.called, calls.gate.is_open) == (1, False)
        assert not calls.at_best(LANE, line.call)
        line.now += 0.1
        assert calls.gate.is_open
        refused()
        assert line.called == 2
        assert caplog.text.count("Accepted questions wait for it.") == 1
        line.now += GATE_SECONDS
        assert calls.repeat(LANE, line.call) == "ok"
        assert calls.repeat(LANE, line.call) == "ok"
        refused()
    assert caplog.text.count("Accepted questions wait for it.") == 2


def test_what_need_not_be_is_called_once_and_where_there_is_room() -> None:
    line = Line(["ok", "channel_not_found", "away", "limited 9", "ok"], rules={"chat.update": [RateLimit(1.0, 10)]})
    calls = line.calls()
    assert [calls.at_best(LANE, line.call) for _ in range(3)] == [True, False, False]
    assert not calls.at_best(LANE, line.call)
    assert calls.at_best(LANE, line.call)  # no room is no refusal
    assert (line.called, line.waits) == (4, [])
    line.now += 9 + 9
    assert calls.at_best(LANE, line.call)
    assert line.called == 5


def test_pages_are_read_to_the_last_one() -> None:
    pages = {"": "b", "b": "c", "c": ""}
    asked = []

    def call(cursor: str) -> SlackResponse:
        asked.append(cursor)
        return response({"at": cursor, "response_metadata": {"next_cursor": pages[cursor]}})

    calls = Line().calls()
    assert [page["at"] for page in calls.pages(LANE, call)] == ["", "b", "c"]
    assert asked == ["", "b", "c"]
    assert len(list(calls.pages(LANE, lambda _: response({"ok": True})))) == 1


def test_a_closed_pace_waits_for_nothing() -> None:
    limiter = RateLimiter({})
    limiter.close()
    with pytest.raises(SourceUnavailable, match="The bot is closing"):
        limiter.rest(0.05)


def test_a_channel_is_full_while_answers_wait_for_it() -> None:
    lane, full = Lane("chat.postMessage", "C1"), list[bool]()
    limiter: RateLimiter

    def wait_behind(others: int) -> Callable[[float], None]:
        def pause(seconds: float) -> None:
            full.append(limiter.is_full("C1"))
            if others:
                waiting.append(others)
                object.__setattr__(limiter, "pause", wait_behind(others - 1))
                limiter.wait(lane)
            line.now += seconds

        return pause

    line, waiting = Line(), list[int]()
    rules = {"chat.postMessage": [RateLimit(1.0, 1, per_channel=True)]}
    limiter = RateLimiter(rules, lambda: line.now, wait_behind(QUEUED_IN_CHANNEL))
    limiter.wait(lane)
    assert not limiter.is_full("C1")
    limiter.wait(lane)
    assert full[: QUEUED_IN_CHANNEL + 1] == [False] * (QUEUED_IN_CHANNEL - 1) + [True, True]
    assert not limiter.is_full("C1")
    assert not limiter.is_full("C2")
    assert not limiter._waiting


def test_buckets_that_are_full_again_are_forgotten() -> None:
    line = Line()
    limiter = RateLimiter({"chat.postMessage": [RateLimit(1.0, 1, per_channel=True)]}, lambda: line.now, line.wait)
    for number in range(FORGET_BEYOND):
        limiter.wait(Lane("chat.postMessage", str(number)))
    assert len(limiter._spent_until) == FORGET_BEYOND
    line.now += 0.5
    limiter.wait(Lane("chat.postMessage", "new"))
    assert len(limiter._spent_until) == FORGET_BEYOND + 1
    line.now += 0.5
    limiter.wait(Lane("chat.postMessage", "newer"))
    assert {lane.channel for lane in limiter._spent_until} == {"new", "newer"}


def test_a_longer_refusal_is_not_shortened_by_a_later_one() -> None:
    line = Line()
    limiter = RateLimiter({}, lambda: line.now, line.wait)
    limiter.hold(LANE, 30)
    limiter.hold(LANE, 5)
    limiter.wait(LANE)
    assert line.waits == [30]


def test_errors_are_named_by_their_code_or_their_kind() -> None:
    assert error_name(refusal("is_archived")) == "is_archived"
    assert error_name(refusal("")) == "SlackApiError"
    assert error_name(URLError("gone")) == "URLError"
