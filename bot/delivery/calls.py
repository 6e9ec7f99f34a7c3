"""Call the Web API within Slack's rates, and repeat where that helps.

A call without an answer may have succeeded, so unique calls look for their result first. A 429 never succeeded; it
empties the bucket of its method for all turns of this process.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from http.client import HTTPException
from threading import Event, Lock
from time import monotonic
from typing import NamedTuple, TypeVar

from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from ai.errors import SourceUnavailable
from bot.delivery.refusals import TOKEN, TOO_OFTEN, TokenRefused, code_of, is_passing

T = TypeVar("T")
PAUSES = (0.2, 1, 2)  # beyond them a turn is put off, and its worker free
QUEUED_IN_CHANNEL = 3  # answers that wait for the pace of one channel, until no more are begun there
TOO_MANY = 429
GATE_SECONDS = 30.0
RETRY_AFTER = 1.0  # seconds, where a 429 names none
FAILURES = (SlackApiError, OSError, HTTPException)
log = logging.getLogger(__name__)
FORGET_BEYOND = 4096


class Lane(NamedTuple):
    """Calls counted together: of one method, in one channel where the limit is per channel."""

    method: str
    channel: str = ""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """`burst` calls at once, then one every `interval` seconds."""

    interval: float
    burst: int
    per_channel: bool = False

    @property
    def credit(self) -> float:
        return (self.burst - 1) * self.interval

    def key(self, lane: Lane) -> Lane:
        return lane if self.per_channel else Lane(lane.method)


TIER_3 = (RateLimit(1.2, 10),)
TIER_4 = (RateLimit(0.6, 20),)
SLACK_LIMITS: Mapping[str, Sequence[RateLimit]] = {
    "chat.postMessage": (RateLimit(1.0, 5, per_channel=True), RateLimit(0.2, 20)),
    "chat.update": TIER_3,
    "chat.delete": TIER_3,
    "conversations.history": TIER_3,
    "conversations.replies": TIER_3,
    "files.completeUploadExternal": TIER_4,
    "files.delete": TIER_3,
    "files.getUploadURLExternal": TIER_4,
    "files.info": TIER_4,
}


def shared(limits: Mapping[str, Sequence[RateLimit]], processes: int) -> Mapping[str, Sequence[RateLimit]]:
    """Return the part of the rates that each of so many processes may use."""
    return {
        method: [
            replace(rule, interval=rule.interval * processes, burst=max(1, rule.burst // processes)) for rule in rules
        ]
        for method, rules in limits.items()
    }


def unheard() -> None:
    return


UNRULED = (RateLimit(0.0, 1),)


@dataclass(frozen=True, slots=True)
class RateLimiter:
    """The rates of one process. `close` ends every wait with SourceUnavailable."""

    rules: Mapping[str, Sequence[RateLimit]] = field(default_factory=lambda: SLACK_LIMITS)
    clock: Callable[[], float] = monotonic
    pause: Callable[[float], object] | None = None
    on_repeat: Callable[[], object] = unheard  # a call
    _spent_until: dict[Lane, float] = field(default_factory=dict)  # when the bucket of a lane is full again
    _waiting: Counter[Lane] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)
    _closed: Event = field(default_factory=Event)

    def wait(self, lane: Lane) -> None:
        """Wait until a call is due. Raises SourceUnavailable when closing."""
        if (seconds := self._take(lane)) <= 0:
            return
        with self._counted(lane):
            while seconds > 0:
                self.rest(seconds)
                seconds = self._take(lane)

    def rest(self, seconds: float) -> None:
        """Wait so long. Raises SourceUnavailable when closing."""
        (self.pause or self._closed.wait)(seconds)
        if self._closed.is_set():
            raise SourceUnavailable("The bot is closing.")

    def is_full(self, channel: str) -> bool:
        """Whether more answers wait for the pace of this channel than it takes soon."""
        return self._waiting[Lane("chat.postMessage", channel)] >= QUEUED_IN_CHANNEL

    def close(self) -> None:
        self._closed.set()

    @contextmanager
    def _counted(self, lane: Lane) -> Iterator[None]:
        with self._lock:
            self._waiting[lane] += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting[lane] -= 1
                if not self._waiting[lane]:
                    del self._waiting[lane]

    def has_room(self, lane: Lane) -> bool:
        now = self.clock()
        with self._lock:
            return all(self._spent_until.get(rule.key(lane), 0) - rule.credit / 2 <= now for rule in self._rules(lane))

    def hold(self, lane: Lane, seconds: float) -> None:
        rule = self._rules(lane)[0]
        with self._lock:
            until = self.clock() + seconds + rule.credit
            self._spent_until[rule.key(lane)] = max(self._spent_until.get(rule.key(lane), 0), until)

    def _take(self, lane: Lane) -> float:
        rules = self._rules(lane)
        with self._lock:
            now = self.clock()
            seconds = max(self._spent_until.get(rule.key(lane), 0) - rule.credit - now for rule in rules)
            if seconds > 0:
                return seconds
            for rule in rules:
                self._spent_until[rule.key(lane)] = max(self._spent_until.get(rule.key(lane), 0), now) + rule.interval
            if len(self._spent_until) > FORGET_BEYOND:
                for full in [key for key, until in self._spent_until.items() if until <= now]:
                    del self._spent_until[full]
            return 0

    def _rules(self, lane: Lane) -> Sequence[RateLimit]:
        return self.rules.get(lane.method, UNRULED)


class TokenGate:
    """Lets no call through for a while after Slack refused the token."""

    def __init__(self, seconds: float = GATE_SECONDS, clock: Callable[[], float] = monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._refused_at = float("-inf")
        self._code = ""

    @property
    def is_open(self) -> bool:
        return self._clock() - self._refused_at >= self._seconds

    def enter(self) -> None:
        if not self.is_open:
            raise TokenRefused(self._code)

    def note(self, code: str) -> None:
        """Record the code of a refusal, "" for success."""
        if code and not self._code:
            log.error("%s Accepted questions wait for it.", TokenRefused(code))
        self._refused_at, self._code = self._clock() if code else float("-inf"), code


@dataclass(frozen=True, slots=True)
class Calls:
    """Repeats calls. `pauses` are the seconds between tries while Slack is away."""

    limiter: RateLimiter = field(default_factory=RateLimiter)
    pauses: tuple[float, ...] = PAUSES
    gate: TokenGate = field(default_factory=TokenGate)

    def repeat(self, lane: Lane, call: Callable[[], T]) -> T:
        """Call until it works. Raises SourceUnavailable when Slack stays away."""
        return self.once(lane, call, lambda: None, look_first=False)

    def pages(self, lane: Lane, call: Callable[[str], SlackResponse]) -> Iterator[SlackResponse]:
        cursor = ""
        while True:
            page = self.repeat(lane, partial(call, cursor))
            yield page
            cursor = (page.get("response_metadata") or {}).get("next_cursor", "")
            if not cursor:
                return

    def once(self, lane: Lane, call: Callable[[], T], look: Callable[[], T | None], *, look_first: bool) -> T:
        """Call until it works, or until `look` finds an earlier try."""
        pauses, unsure = iter(self.pauses), look_first
        while True:
            if unsure and (found := look()) is not None:
                return found
            self.gate.enter()
            self.limiter.wait(lane)
            try:
                answer = call()
            except FAILURES as error:
                self._require_token(error)
                if (seconds := retry_after(error)) is not None:
                    self.limiter.hold(lane, seconds)
                    log.warning("Slack wants %s called less often: not for the next %g s", lane.method, seconds)
                    continue
                unsure = True
                self._wait_or_raise(error, next(pauses, None))
            else:
                self.gate.note("")
                return answer

    def at_best(self, lane: Lane, call: Callable[[], object]) -> bool:
        """Call once if there is room. Return False if Slack refused."""
        if not self.gate.is_open:
            return False
        if not self.limiter.has_room(lane):
            return True
        self.limiter.wait(lane)
        try:
            call()
        except FAILURES as error:
            if (seconds := retry_after(error)) is not None:
                self.limiter.hold(lane, seconds)
            log.debug("left out a call of %s (%s)", lane.method, error_name(error))
            return False
        return True

    def _wait_or_raise(self, error: Exception, pause: float | None) -> None:
        if isinstance(error, SlackApiError) and not is_passing(error):
            raise error
        if pause is None:
            raise SourceUnavailable("Slack cannot be reached.") from error
        self.limiter.on_repeat()
        log.warning("Slack did not answer as expected (%s); trying again in %g s", error_name(error), pause)
        self.limiter.rest(pause)

    def _require_token(self, error: Exception) -> None:
        if isinstance(error, SlackApiError) and (code := code_of(error)) in TOKEN:
            self.gate.note(code)
            raise TokenRefused(code) from error


def error_name(error: Exception) -> str:
    return (isinstance(error, SlackApiError) and code_of(error)) or type(error).__name__


def retry_after(error: Exception) -> float | None:
    """Return the seconds of a 429, None for any other error."""
    if not isinstance(error, SlackApiError):
        return None
    if error.response.status_code != TOO_MANY and code_of(error) not in TOO_OFTEN:
        return None
    named = {name.lower(): value for name, value in error.response.headers.items()}.get("retry-after", RETRY_AFTER)
    return float(named[0] if isinstance(named, list) else named)
