"""How much of a thread is shown at once, and how many of its results are kept: the settings of seed 004."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MemoryLimits:
    """`max_messages` and `max_tokens` bound the view of a thread; the log itself is never cut.

    The view is compressed above `max_messages`, or above `trigger_ratio * max_tokens`; a ratio of 0 switches compression
    off. `keep_recent` newest messages stay word for word. Bodies of the newest `queries` results are kept per thread.
    """

    max_messages: int = 10
    max_tokens: int = 4000
    trigger_ratio: float = 0.8
    keep_recent: int = 5
    queries: int = 10

    @property
    def compresses(self) -> bool:
        """Whether old turns are folded at all."""
        return self.trigger_ratio > 0

    @property
    def trigger(self) -> float:
        """Tokens above which the view is compressed."""
        return self.max_tokens * self.trigger_ratio
