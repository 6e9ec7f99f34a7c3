"""Slack's pace: how often a method may be called, and how long nobody calls it after Slack said that it was too often.

Each rule is a leaky bucket: a burst is let through, after which calls go at an even rate. A 429 empties the bucket for
all turns of this process at once, so that they do not come back together when its time is over. Other processes have
buckets of their own; where they are too many together, Slack says so to each.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock
from time import monotonic
from typing import NamedTuple

FORGET_BEYOND = 4096


class Lane(NamedTuple):
    """What is counted together: calls of one method, in one channel where a rule is about channels."""

    method: str
    channel: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """`burst` calls at once, and one every `interval` seconds when it goes on; per channel, or in the whole workspace."""

    interval: float
    burst: int
    per_channel: bool = False

    @property
    def credit(self) -> float:
        """Seconds that a full bucket is ahead of its even rate."""
        return (self.burst - 1) * self.interval

    def key(self, lane: Lane) -> Lane:
        return lane if self.per_channel else Lane(lane.method)


TIER_3 = (Rule(1.2, 10),)
TIER_4 = (Rule(0.6, 20),)
OF_SLACK: Mapping[str, Sequence[Rule]] = {
    "chat.postMessage": (Rule(1.0, 5, per_channel=True), Rule(0.2, 20)),
    "chat.update": TIER_3,
    "chat.delete": TIER_3,
    "conversations.history": TIER_3,
    "conversations.replies": TIER_3,
    "files.completeUploadExternal": TIER_4,
    "files.getUploadURLExternal": TIER_4,
    "files.info": TIER_4,
}
UNRULED = (Rule(0.0, 1),)


def _pause(seconds: float) -> None:
    Event().wait(seconds)


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of one process towards one workspace. `rules` say what each method bears; without one, a 429 alone counts."""

    rules: Mapping[str, Sequence[Rule]] = field(default_factory=lambda: OF_SLACK)
    clock: Callable[[], float] = monotonic
    pause: Callable[[float], None] = _pause
    _spent_until: dict[Lane, float] = field(default_factory=dict)  # when the bucket of a lane is full again
    _lock: Lock = field(default_factory=Lock)

    def wait(self, lane: Lane) -> None:
        """Let time pass until a call may be made, and count it."""
        while (seconds := self._take(lane)) > 0:
            self.pause(seconds)

    def has_room(self, lane: Lane) -> bool:
        """Whether so little is going on that a call which could be left out takes nobody's place."""
        now = self.clock()
        with self._lock:
            return all(self._spent_until.get(rule.key(lane), 0) - rule.credit / 2 <= now for rule in self._rules(lane))

    def hold(self, lane: Lane, seconds: float) -> None:
        """Let nobody call for so long: Slack has said that it was too often."""
        rule = self._rules(lane)[0]
        with self._lock:
            until = self.clock() + seconds + rule.credit
            self._spent_until[rule.key(lane)] = max(self._spent_until.get(rule.key(lane), 0), until)

    def _take(self, lane: Lane) -> float:
        """Count a call and give 0, or give the seconds until there may be one."""
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

    def _rules(self, lane: Lane) -> Sequence[Rule]:
        return self.rules.get(lane.method, UNRULED)
