"""Bounds of a thread's views: compressed view <= window <= ceiling <= 70 % of the model's context."""

import logging
from dataclasses import dataclass, replace

log = logging.getLogger(__name__)

SETTINGS = {  # the setting of each bound
    "max_messages": "max_messages_per_thread",
    "max_tokens": "max_conversation_tokens",
    "trigger_ratio": "compression_trigger_ratio",
    "keep_recent": "keep_recent_messages",
    "queries": "queries_per_thread",
    "result_bytes": "thread_bytes",
    "prompt": "thread_prompt_tokens",
    "window": "context_window_tokens",
    "ceiling": "active_context_tokens",
    "model": "model_context_tokens",
}
ROOM = 0.7  # of the model's context that memory may fill; the rest is for prompts, tools and the answer


@dataclass(frozen=True, slots=True)
class MemoryLimits:
    """Bounds of views, windows and kept results; the log itself is never cut."""

    max_messages: int = 10  # the view is compressed above these
    max_tokens: int = 4000  # or above `trigger_ratio` of these
    trigger_ratio: float = 0.8  # 0 switches compression off
    keep_recent: int = 5  # newest messages, which stay word for word
    queries: int = 10  # newest queries of a thread, whose rows are kept
    result_bytes: int = 1 << 30  # of these rows together
    prompt: int = 800  # tokens of a thread in the prompt of one model call
    window: int = 8_000  # tokens of the newest messages, from which prompts and replies are chosen
    ceiling: int = 60_000  # tokens that it may grow to by loading
    model: int = 128_000  # tokens that the model takes
    many_messages: int = 50  # more are worth a summary
    many_tokens: int = 15_000  # and so are more of these

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
    prompt = bounded("THREAD_PROMPT_TOKENS", limits.prompt, window, "CONTEXT_WINDOW_TOKENS")
    most = window / limits.trigger_ratio if limits.compresses else limits.max_tokens
    shown = bounded(
        "MAX_CONVERSATION_TOKENS", limits.max_tokens, most, "CONTEXT_WINDOW_TOKENS allows before it compresses"
    )
    fitting = replace(limits, ceiling=ceiling, window=window, prompt=prompt, max_tokens=shown)
    return fitting, tuple(changes)


def composed_aloud(limits: MemoryLimits) -> MemoryLimits:
    fitting, changes = composed(limits)
    for change in changes:
        log.warning("%s", change)
    return fitting
