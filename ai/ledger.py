"""What calls of a language model cost: the values, the budgets, and the port of the book that they stand in.

A call is entered before it is made, with what it may cost, and settled afterwards with what it did cost. So two turns at
the same moment see each other, and a process that dies in a call leaves it in the book. No text of anybody stands here.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, get_args

from ai.errors import ModelFault
from ai.types import ThreadKey

Purpose = Literal["route", "write_sql", "repair_sql", "phrase", "choose", "memory", "define", "summarise", "other"]
PER = 1_000_000  # tokens that a price is for


@dataclass(frozen=True, slots=True)
class Spender:
    """For whom a call is made. Budgets are held per user of a team, per channel, and for all."""

    turn_id: str
    thread: ThreadKey
    user: str


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one call. `cached` are those of the prompt that were; `reported` by the server, else counted here."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reported: bool = True

    @property
    def total(self) -> int:
        """All tokens, which is what budgets are in."""
        return self.prompt + self.completion

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        """Of both together, reported when both were."""
        return TokenUsage(
            self.prompt + other.prompt,
            self.cached + other.cached,
            self.completion + other.completion,
            self.reported and other.reported,
        )


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost; a cached one costs as any other when it has no price."""

    prompt: float = 0.0
    completion: float = 0.0
    cached: float | None = None
    currency: str = "USD"

    def cost(self, usage: TokenUsage) -> float:
        """What a call cost."""
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
    """One call in the book: the `n`-th of this purpose in its turn.

    `outcome` is "open", "ok", "broken off" when nobody wanted the rest of it, or a `ModelFault`.
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
        """Whether it gave no answer."""
        return self.outcome in get_args(ModelFault)


class Ledger(Protocol):
    """The book of calls."""

    def enter(self, spender: Spender, purpose: Purpose, model: str, expected: TokenUsage) -> LedgerEntry:
        """Enter a call that is about to be made. BudgetSpent, and nothing entered, when a budget has no room for it."""

    def settle(self, entry: LedgerEntry, usage: TokenUsage, ms: int, outcome: str) -> None:
        """Write what became of it. Repeating this changes nothing."""

    def of_turn(self, turn_id: str) -> tuple[LedgerEntry, ...]:
        """The calls of a turn, oldest first."""

    def of_thread(self, thread: ThreadKey) -> tuple[LedgerEntry, ...]:
        """The calls of a thread, oldest first."""
