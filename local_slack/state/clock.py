"""The workspace's time, its unique timestamps and its agenda.

Advancing the clock runs at once all that falls due on the way.
"""

import heapq
import itertools
import re
import time
from collections.abc import Callable

_TS = re.compile(r"\d{10}\.\d{6}")

Action = Callable[[], object]


def is_ts(text: str) -> bool:
    """Whether `text` is a Slack timestamp; those compare as text."""
    return _TS.fullmatch(text) is not None


class Clock:
    """Seconds since 1970, timestamps like "1730000000.000100", and an agenda."""

    def __init__(self) -> None:
        self._advanced = 0.0
        self._last_microsecond = 0
        self._agenda: list[tuple[float, int, Action]] = []
        self._numbers = itertools.count()
        self._when_planned: Action = lambda: None

    def now(self) -> float:
        return time.time() + self._advanced

    def next_ts(self) -> str:
        """Return a timestamp greater than all before."""
        self._last_microsecond = max(int(self.now() * 1_000_000), self._last_microsecond + 1)
        return f"{self._last_microsecond // 1_000_000}.{self._last_microsecond % 1_000_000:06d}"

    def has_given(self, ts: str) -> None:
        """Never give `ts` again: it came from outside."""
        self._last_microsecond = max(self._last_microsecond, int(ts.replace(".", "")))

    def call_at(self, when: float, action: Action) -> None:
        """Run `action` at `when`; it checks itself whether it is still wanted."""
        heapq.heappush(self._agenda, (when, next(self._numbers), action))
        self._when_planned()

    def until_next(self) -> float | None:
        """Return the seconds until something falls due, or None."""
        return max(0.0, self._agenda[0][0] - self.now()) if self._agenda else None

    def run_due(self) -> None:
        while self._agenda and self._agenda[0][0] <= self.now():
            heapq.heappop(self._agenda)[2]()

    def advance(self, seconds: float) -> None:
        self._advanced += seconds
        self.run_due()
        self._when_planned()

    def when_planned(self, action: Action) -> None:
        """Call `action` whenever the agenda grows."""
        self._when_planned = action

    def clear(self) -> None:
        """Forget the agenda; keep the time."""
        self._agenda.clear()
