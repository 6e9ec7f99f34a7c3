"""Slack's pace: a burst, then an even rate, per channel or for all; after a 429 nobody calls."""

from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from ai.errors import SourceUnavailable
from bot.delivery import SLACK_LIMITS, Lane, RateLimit, RateLimiter, TokenRefused, shared
from bot.delivery.calls import FORGET_BEYOND, Calls, TokenGate, error_name, retry_after

Headers = dict[str, str | list[str]]

POST, OTHER, UPDATE = Lane("chat.postMessage", "C1"), Lane("chat.postMessage", "C2"), Lane("chat.update")


@dataclass
class Time:
    """A clock that stands still until somebody waits."""

    now: float = 100.0
    waited: list[float] = field(default_factory=list)

    def wait(self, seconds: float) -> None:
        self.waited.append(round(seconds, 3))
        self.now += seconds


def pace(**rules: RateLimit) -> tuple[RateLimiter, Time]:
    time = Time()
    named = {name.replace("_", "."): (rule,) for name, rule in rules.items()} or SLACK_LIMITS
    return RateLimiter(named, lambda: time.now, time.wait), time


def refusal(error: str, status: int = 200, headers: Headers | None = None) -> SlackApiError:
    response = SlackResponse(
        client=None,
        http_verb="POST",
        api_url="",
        req_args={},
        data={"error": error},
        headers=headers or {},
        status_code=status,
    )
    return SlackApiError("no", response)  # type: ignore[no-untyped-call]


def test_a_burst_and_then_an_even_rate_in_each_channel() -> None:
    limits, time = pace()
    for _ in range(8):
        limits.wait(POST)
    assert time.waited == [1, 1, 1]
    limits.wait(OTHER)
    assert time.waited == [1, 1, 1]


def test_channels_together_keep_to_the_rate_of_the_workspace() -> None:
    limits, time = pace()
    for number in range(40):
        limits.wait(Lane("chat.postMessage", f"C{number}"))
    assert sum(time.waited) == pytest.approx(4)


def test_after_a_refusal_nobody_calls_and_then_they_come_one_by_one() -> None:
    limits, time = pace()
    limits.hold(UPDATE, 30)
    for _ in range(3):
        limits.wait(UPDATE)
    assert time.waited == [30, 1.2, 1.2]


@pytest.mark.parametrize(
    ("status", "error", "headers", "seconds"),
    [
        (429, "ratelimited", {"Retry-After": "7"}, 7),
        (429, "ratelimited", {"retry-after": "7"}, 7),
        (429, "ratelimited", {"RETRY-AFTER": ["7"]}, 7),
        (429, "ratelimited", {}, 1),
        (200, "ratelimited", {"Retry-After": "7"}, 7),
        (200, "channel_not_found", {"Retry-After": "7"}, None),
        (503, "", {"Retry-After": "7"}, None),
        (429, "", {"Retry-After": "7"}, 7),
    ],
)
def test_how_long_slack_wants_none_of_us(status: int, error: str, headers: Headers, seconds: float | None) -> None:
    assert retry_after(refusal(error, status, headers)) == seconds
    assert retry_after(OSError()) is None


def test_a_refusal_in_one_channel_is_none_in_another() -> None:
    limits, time = pace()
    limits.hold(POST, 30)
    limits.wait(OTHER)
    assert time.waited == []


def test_a_method_without_a_rule_obeys_a_refusal() -> None:
    limits, time = pace(chat_update=RateLimit(1, 1))
    limits.hold(Lane("files.info"), 5)
    limits.wait(Lane("files.info"))
    limits.wait(Lane("files.info"))
    assert time.waited == [5]


def test_there_is_room_while_half_of_the_burst_is_left() -> None:
    limits, _ = pace(chat_update=RateLimit(1.0, 9))
    room = []
    for _ in range(9):
        room.append(limits.has_room(UPDATE))
        limits.wait(UPDATE)
    assert room == [True] * 5 + [False] * 4


@pytest.mark.parametrize("processes", [1, 2, 3, 8])
def test_processes_together_keep_to_the_rates_of_one(processes: int) -> None:
    for method, rules in SLACK_LIMITS.items():
        for whole, part in zip(rules, shared(SLACK_LIMITS, processes)[method], strict=True):
            assert processes / part.interval == pytest.approx(1 / whole.interval)
            assert part.burst * processes <= max(whole.burst, processes)


def test_many_channels_are_forgotten_but_those_that_are_spent() -> None:
    limits, time = pace(chat_postMessage=RateLimit(1.0, 5, per_channel=True))
    for _ in range(5):
        limits.wait(POST)
    for number in range(FORGET_BEYOND + 1):
        limits.wait(Lane("chat.postMessage", f"C1{number}"))
    limits.wait(POST)
    assert time.waited == [1]


def test_a_wait_ends_when_the_bot_closes() -> None:
    limits, _ = pace()
    limits.rest(1)
    limits.close()
    with pytest.raises(SourceUnavailable, match="closing"):
        limits.rest(1)


def test_the_gate_is_shut_for_a_while_after_a_refused_token() -> None:
    time = Time()
    gate = TokenGate(30, lambda: time.now)
    gate.enter()
    gate.note("token_revoked")
    with pytest.raises(TokenRefused, match="token_revoked"):
        gate.enter()
    time.wait(30)
    gate.enter()
    gate.note("token_revoked")
    gate.note("")
    gate.enter()


REFUSED = refusal("fatal_error")


@pytest.mark.parametrize(
    ("calls", "error", "held", "is_tried", "goes_on"),
    [
        (1, None, 0, True, True),
        (1, REFUSED, 0, True, False),
        (1, ConnectionResetError(), 0, True, False),
        (1, refusal("ratelimited", 429), 1, True, False),
        (9, None, 0, False, True),
    ],
    ids=["heard", "refused", "cut off", "too often", "no room"],
)
def test_a_call_that_may_be_left_out(
    calls: int, error: Exception | None, held: float, *, is_tried: bool, goes_on: bool
) -> None:
    limits, time = pace(chat_update=RateLimit(1.0, 9))
    tried = []

    def call() -> None:
        tried.append(1)
        if error is not None:
            raise error

    for _ in range(calls - 1):
        limits.wait(UPDATE)
    assert Calls(limits).at_best(UPDATE, call) is goes_on
    assert bool(tried) is is_tried
    limits.wait(UPDATE)
    assert sum(time.waited) == held


@pytest.mark.parametrize(
    ("errors", "tried", "raised"),
    [
        ([], 1, None),
        ([REFUSED], 2, None),
        ([refusal("", 503)], 2, None),
        ([ConnectionResetError()], 2, None),
        ([refusal("ratelimited", 429)] * 3, 4, None),
        ([REFUSED, REFUSED], 2, SourceUnavailable),
        ([refusal("channel_not_found")], 1, SlackApiError),
        ([refusal("token_revoked")], 1, TokenRefused),
    ],
    ids=["heard", "away", "broken", "cut off", "too often", "away for long", "refused", "no token"],
)
def test_a_call_is_repeated_where_that_helps(
    errors: list[Exception], tried: int, raised: type[Exception] | None
) -> None:
    left, made = list(errors), []

    def call() -> bool:
        made.append(1)
        if left:
            raise left.pop(0)
        return True

    calls = Calls(pace()[0], pauses=(0,))
    if raised is None:
        assert calls.repeat(UPDATE, call)
    else:
        with pytest.raises(raised) as error:
            calls.repeat(UPDATE, call)
        assert type(error.value) is raised
    assert len(made) == tried


def test_calls_that_may_be_left_out_leave_half_of_the_rate_to_others() -> None:
    limits, tried = pace(chat_update=RateLimit(1.0, 9))[0], list[int]()
    for _ in range(20):
        Calls(limits).at_best(UPDATE, lambda: tried.append(1))
    assert len(tried) == 5


def test_nothing_is_tried_that_may_be_left_out_while_the_token_is_refused() -> None:
    gate = TokenGate()
    gate.note("token_revoked")
    assert not Calls(pace()[0], gate=gate).at_best(UPDATE, lambda: pytest.fail("called"))


def test_an_error_is_called_by_its_code_or_its_kind() -> None:
    assert [error_name(error) for error in (REFUSED, refusal(""), OSError())] == [
        "fatal_error",
        "SlackApiError",
        "OSError",
    ]


def test_pages_are_read_until_there_is_no_further() -> None:
    pages: dict[str, Any] = {"": {"number": 1, "response_metadata": {"next_cursor": "x"}}, "x": {"number": 2}}
    found = islice(Calls(pace()[0]).pages(UPDATE, pages.__getitem__), 5)
    assert [page["number"] for page in found] == [1, 2]
