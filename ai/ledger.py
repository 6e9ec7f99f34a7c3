"""The ledger of model calls: values, budgets and the port.

A call is entered with its expected cost, and settled afterwards: concurrent turns see each other, and a crash leaves
the call in the book.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, get_args

from ai.errors import ModelFault
from ai.types import ThreadKey

Purpose = Literal["route", "write_sql", "repair_sql", "phrase", "memory", "define", "summarise", "other"]
PER = 1_000_000  # tokens that a price is for


@dataclass(frozen=True, slots=True)
class Spender:
    """On whose behalf a call is made."""

    turn_id: str
    thread: ThreadKey
    user: str


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of a call. `cached` is part of `prompt`; `reported` by the server, else counted here."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reported: bool = True

    @property
    def total(self) -> int:
        return self.prompt + self.completion

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        return TokenUsage(
            self.prompt + other.prompt,
            self.cached + other.cached,
            self.completion + other.completion,
            self.reported and other.reported,
        )


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of a million tokens; `cached` is None for the same price."""

    prompt: float = 0.0
    completion: float = 0.0
    cached: float | None = None
    currency: str = "USD"

    def cost(self, usage: TokenUsage) -> float:
        cached = self.prompt if self.cached is None else self.cached
        fresh = usage.prompt - usage.cached
        return (fresh * self.prompt + usage.cached * cached + usage.completion * self.completion) / PER


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens per day, None for no bound. A day ends at midnight in `timezone`, an IANA name."""

    user: int | None = None
    channel: int | None = None
    total: int | None = None
    timezone: str = "UTC"


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """The `n`-th call of this purpose in its turn.

    `outcome` is "open", "ok", "broken off" when the rest was not wanted, or a `ModelFault`.
    """

    spender: Spender
    purpose: Purpose
    n: int
    model: str
    at: datetime
    usage: TokenUsage = field(default_factory=TokenUsage)
    cost: float = 0.0
    currency: str = "USD"
    ms: int = 0
    outcome: str = "open"

    @property
    def failed(self) -> bool:
        return self.outcome in get_args(ModelFault)


class Ledger(Protocol):
    def enter(self, spender: Spender, purpose: Purpose, model: str, expected: TokenUsage) -> LedgerEntry:
        """Enter a call about to be made. BudgetSpent, with nothing entered, when a budget has no room."""

    def settle(self, entry: LedgerEntry, usage: TokenUsage, ms: int, outcome: str) -> None:
        """Record the outcome of a call. Repeating this changes nothing."""


def money(entries: Iterable[LedgerEntry]) -> str:
    """Return the cost of calls, "0.0012 USD"."""
    sums: dict[str, float] = defaultdict(float)
    for entry in entries:
        sums[entry.currency] += entry.cost
    return " and ".join(f"{cost:.4f} {currency}" for currency, cost in sums.items() if cost) or "no prices are set"
