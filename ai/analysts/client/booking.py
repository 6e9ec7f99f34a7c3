"""Books model calls: entered before the call, settled after it."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata

from ai.errors import ModelUnavailable
from ai.ledger import Ledger, Purpose, Spender, TokenUsage

ANSWER_TOKENS = 500  # what an answer is expected to take, until it is known
MESSAGE_TOKENS = 4  # what a message takes beside its text
ASKED_FOR_NOTHING = frozenset({"rate_limited", "quota", "auth", "refused", "overflow", "down"})
log = logging.getLogger(__name__)


@dataclass(slots=True)
class OpenCall:
    """A call in progress. Set `usage` as soon as it is known."""

    size: int
    usage: TokenUsage | None = None
    started: float = field(default_factory=monotonic)

    @property
    def ms(self) -> int:
        return round((monotonic() - self.started) * 1000)


@contextmanager
def booked(ledger: Ledger, spender: Spender, purpose: Purpose, model: str, size: int) -> Iterator[OpenCall]:
    """Book a call of `size` prompt tokens around the block. BudgetSpent when there is no room."""
    entry = ledger.enter(spender, purpose, model, TokenUsage(size, completion=ANSWER_TOKENS, reported=False))
    call = OpenCall(size)
    outcome = "broken off"
    try:
        yield call
        outcome = "ok"
    except ModelUnavailable as error:
        outcome = error.kind
        log.warning("turn %s: %s by %s failed: %s (%s)", spender.turn_id, purpose, model, error.kind, error.detail)
        raise
    finally:
        unbilled = outcome in ASKED_FOR_NOTHING
        ledger.settle(entry, call.usage or TokenUsage(0 if unbilled else size, reported=False), call.ms, outcome)


def size_of(messages: Sequence[BaseMessage], request: str, count: Callable[[str], int]) -> int:
    """Estimate the tokens of a prompt and of the rest of its request."""
    texts = [str(message.text) for message in messages]
    calls = [str(message.tool_calls) for message in messages if isinstance(message, AIMessage) and message.tool_calls]
    return (
        sum(count(text) + MESSAGE_TOKENS for text in texts)
        + sum(map(count, calls))
        + (count(request) if request else 0)
    )


def usage_of(reported: UsageMetadata | None, call: OpenCall, answer: str, count: Callable[[str], int]) -> TokenUsage:
    if not reported or not reported["input_tokens"]:
        return TokenUsage(call.size, 0, count(answer), reported=False)
    cached = reported.get("input_token_details", {}).get("cache_read") or 0
    return TokenUsage(reported["input_tokens"], cached, reported["output_tokens"])
