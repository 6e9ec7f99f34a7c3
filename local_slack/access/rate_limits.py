"""Slack's tiers of rate limits.

A tier counts the calls of one method by one token within a minute. chat.postMessage counts by channel: one a second,
bursts of five.
"""

import math
from collections import deque
from dataclasses import dataclass, field

from local_slack.limits import Limits
from local_slack.state.clock import Clock
from local_slack.wire import RateLimitedError

_BURST_SECONDS = 5.0


@dataclass(slots=True)
class RateLimits:
    """Counters of calls. `factor` multiplies the limits; 0 allows everything."""

    clock: Clock
    limits: Limits
    factor: int = 0
    _calls: dict[tuple[str, ...], deque[float]] = field(default_factory=dict)

    def check(self, token: str, method: str, tier: int | None, channel: str) -> None:
        """Count one call. Raises RateLimitedError."""
        if not self.factor:
            return
        if method == "chat.postMessage":
            self._count((token, method, channel), self.limits["post.burst"], _BURST_SECONDS)
        elif tier is not None:
            self._count((token, method), self.limits[f"tier.{tier}"], 60.0)

    def clear(self) -> None:
        self._calls.clear()

    def _count(self, key: tuple[str, ...], most: float, seconds: float) -> None:
        now = self.clock.now()
        calls = self._calls.setdefault(key, deque())
        while calls and calls[0] <= now - seconds:
            calls.popleft()
        if len(calls) >= most * self.factor:
            raise RateLimitedError(max(1, math.ceil(calls[0] + seconds - now)))
        calls.append(now)
