"""What time it is in the workspace, every ts once, and what is to happen later.

Time runs as outside but can be advanced: what falls due on the way happens at once, so that no test waits for it.
"""

import heapq
import itertools
import re
import time
from collections.abc import Callable

_TS = re.compile(r"\d{10}\.\d{6}")

Action = Callable[[], None]


def is_ts(text: str) -> bool:
    """Whether `text` is a Slack timestamp; those compare as text."""
    return _TS.fullmatch(text) is not None


class Clock:
    """Seconds since 1970, timestamps of the form "1730000000.000100", and an agenda."""

    def __init__(self) -> None:
        self._advanced = 0.0
        self._last_microsecond = 0
        self._agenda: list[tuple[float, int, Action]] = []
        self._numbers = itertools.count()
        self._when_planned: Action = lambda: None

    def now(self) -> float:
        return time.time() + self._advanced

    def next_ts(self) -> str:
        """A timestamp greater than all before."""
        self._last_microsecond = max(int(self.now() * 1_000_000), self._last_microsecond + 1)
        return f"{self._last_microsecond // 1_000_000}.{self._last_microsecond % 1_000_000:06d}"

    def has_given(self, ts: str) -> None:
        """Never give `ts` again: it came from outside."""
        self._last_microsecond = max(self._last_microsecond, int(ts.replace(".", "")))

    def call_at(self, when: float, action: Action) -> None:
        """Do `action` once it is `when`; it must find out itself whether it is still wanted."""
        heapq.heappush(self._agenda, (when, next(self._numbers), action))
        self._when_planned()

    def until_next(self) -> float | None:
        """Seconds until something falls due, or None when nothing is planned."""
        return max(0.0, self._agenda[0][0] - self.now()) if self._agenda else None

    def run_due(self) -> None:
        """Do what has fallen due."""
        while self._agenda and self._agenda[0][0] <= self.now():
            heapq.heappop(self._agenda)[2]()

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass."""
        self._advanced += seconds
        self.run_due()
        self._when_planned()

    def when_planned(self, action: Action) -> None:
        """Call `action` whenever something is put on the agenda."""
        self._when_planned = action

    def clear(self) -> None:
        """Forget the agenda; the time stays."""
        self._agenda.clear()
