"""Bounds of a thread's views: compressed view <= window <= ceiling <= 70 % of the model's context."""

import logging
from dataclasses import dataclass, replace

log = logging.getLogger(__name__)

ROOM = 0.7  # of the model's context that memory may fill; the rest is for prompts, tools and the answer


@dataclass(frozen=True, slots=True)
class MemoryLimits:
    """Bounds of views, windows and kept results; the log itself is never cut.

    The view is compressed above `max_messages`, or above `trigger_ratio * max_tokens`; a ratio of 0 switches this off.
    The newest `keep_recent` messages stay. A thread keeps the rows of its newest `queries`, up to `result_bytes`. In
    tokens, a request begins with `window`, may load up to `ceiling`, and the model takes `model`. More than
    `many_messages` or `many_tokens` are worth a summary.
    """

    max_messages: int = 10
    max_tokens: int = 4000
    trigger_ratio: float = 0.8
    keep_recent: int = 5
    queries: int = 10
    result_bytes: int = 1 << 30
    window: int = 8_000
    ceiling: int = 60_000
    model: int = 128_000
    many_messages: int = 50
    many_tokens: int = 15_000

    @property
    def compresses(self) -> bool:
        return self.trigger_ratio > 0

    def are_exceeded(self, messages: int, tokens: int) -> bool:
        return self.compresses and (messages > self.max_messages or tokens > self.trigger)

    @property
    def trigger(self) -> float:
        return self.max_tokens * self.trigger_ratio


def composed(limits: MemoryLimits) -> tuple[MemoryLimits, tuple[str, ...]]:
    """Fit each bound into the next; return a sentence for each change."""
    changes: list[str] = []

    def bounded(name: str, value: int, bound: float, why: str) -> int:
        if value <= bound:
            return value
        changes.append(f"{name} is {value}, more than {why}: {int(bound)} is used instead.")
        return int(bound)

    ceiling = bounded(
        "ACTIVE_CONTEXT_TOKENS", limits.ceiling, ROOM * limits.model, f"{ROOM:.0%} of MODEL_CONTEXT_TOKENS"
    )
    window = bounded("CONTEXT_WINDOW_TOKENS", limits.window, ceiling, "ACTIVE_CONTEXT_TOKENS")
    most = window / limits.trigger_ratio if limits.compresses else limits.max_tokens
    shown = bounded(
        "MAX_CONVERSATION_TOKENS", limits.max_tokens, most, "CONTEXT_WINDOW_TOKENS allows before it compresses"
    )
    return replace(limits, ceiling=ceiling, window=window, max_tokens=shown), tuple(changes)


def composed_aloud(limits: MemoryLimits) -> MemoryLimits:
    fitting, changes = composed(limits)
    for change in changes:
        log.warning("%s", change)
    return fitting
