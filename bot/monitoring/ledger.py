"""Measure the calls of the language model where they are booked."""

from dataclasses import dataclass

from ai.ledger import Ledger, LedgerEntry, Prices, Purpose, Spender, TokenUsage
from bot.monitoring.meter import Meter
from bot.monitoring.spans import NO_SPANS, Spans


@dataclass(frozen=True, slots=True)
class WatchedLedger:
    """A ledger telling a meter the cost of each call."""

    ledger: Ledger
    prices: Prices
    meter: Meter
    spans: Spans = NO_SPANS

    def enter(self, spender: Spender, purpose: Purpose, model: str, expected: TokenUsage) -> LedgerEntry:
        if purpose == "repair_sql":
            self.meter.add("retries", what="sql")
        return self.ledger.enter(spender, purpose, model, expected)

    def settle(self, entry: LedgerEntry, usage: TokenUsage, ms: int, outcome: str) -> None:
        self.ledger.settle(entry, usage, ms, outcome)
        self.spans.call(entry, usage, ms, outcome)
        meter, purpose = self.meter, entry.purpose
        meter.add("model_calls", purpose=purpose, outcome=outcome)
        meter.time("model_seconds", ms / 1000, purpose=purpose)
        for kind, tokens in (("prompt", usage.prompt), ("cached", usage.cached), ("completion", usage.completion)):
            meter.add("model_tokens", tokens, purpose=purpose, kind=kind)
        meter.add("model_cost", self.prices.cost(usage), currency=entry.currency)
