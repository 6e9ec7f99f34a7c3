"""Cards: what an agent declares of itself, in its own file. Owns how a message finds its agent by rule.

The router's rules, the kinds a model may choose from, the help answer and docs/what-to-say.md are all read from the cards.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ai.agents.port import Agent, Turn
from ai.agents.question_context import QuestionContext
from ai.agents.tools import Exports
from ai.analysts.port import SQL_QUERY, UNSUPPORTED, Analyst, Intent
from ai.errors import ConfigError
from ai.memory_store import MemoryStore


def nobody(_: str) -> bool:
    """Deny that a user is an owner."""
    return False


def never(_services: "Services", _turn: Turn) -> bool:
    """Claim no message."""
    return False


@dataclass(frozen=True, slots=True)
class Services:
    """The parts an agent may be built from. `is_owner` tells whether a user decides about rules."""

    memory: MemoryStore
    analyst: Analyst
    context: QuestionContext
    exports: Exports
    cards: "Cards"
    is_owner: Callable[[str], bool] = nobody


@dataclass(frozen=True, slots=True)
class AgentCard:
    """One agent and its kind of message.

    Of several cards that fit a message, the lowest `rank` wins. `patterns` are regular expressions, searched in the
    message in lower case with single spaces; `reads` returns None for a message that is not its own; `claims` looks at
    the thread as well. `told` completes `"intent" …` in the prompt of a model; with "" only rules lead to the agent.
    `gives` says in a clause what people get for saying one of the `examples`; the help answer lists it if `in_help`.
    """

    intent: Intent
    rank: int
    gives: str
    build: Callable[[Services], Agent]
    examples: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    reads: Callable[[str], object | None] | None = None
    claims: Callable[[Services, Turn], bool] = never
    told: str = ""
    in_help: bool = True

    @property
    def reads_words(self) -> bool:
        """Whether the words of a message alone can lead here."""
        return bool(self.patterns) or self.reads is not None

    @property
    def is_reachable(self) -> bool:
        """Whether any message can lead here: by rule, by a model, or because every analyst knows the intent."""
        by_rule = self.reads_words or self.claims is not never
        return by_rule or bool(self.told) or self.intent in (SQL_QUERY, UNSUPPORTED)

    def fits(self, text: str) -> bool:
        """Whether the words of a message say that this agent is meant."""
        plain = " ".join(text.lower().split())
        if any(re.search(pattern, plain) for pattern in self.patterns):
            return True
        return self.reads is not None and self.reads(text) is not None


class Cards:
    """All cards: `listed` as registered, `by_rank` as tried. ConfigError when two collide, or one would be ignored."""

    def __init__(self, cards: Iterable[AgentCard]) -> None:
        self.listed = tuple(cards)
        self.by_rank = tuple(sorted(self.listed, key=lambda card: card.rank))
        self._check()

    @property
    def told(self) -> Mapping[Intent, str]:
        """The kinds of message a model may choose from, each with its clause."""
        return {card.intent: card.told for card in self.listed if card.told}

    def said(self, text: str) -> Intent | None:
        """Return the intent the words state outright, or None."""
        return next((card.intent for card in self.by_rank if card.fits(text)), None)

    def build(self, services: Services) -> Mapping[Intent, Agent]:
        """Build every agent, under its intent."""
        return {card.intent: card.build(services) for card in self.by_rank}

    def _check(self) -> None:
        self._check_unique("intent", [card.intent for card in self.by_rank])
        self._check_unique("rank", [card.rank for card in self.by_rank])
        if missing := {SQL_QUERY, UNSUPPORTED} - {card.intent for card in self.by_rank}:
            raise ConfigError(
                f"No agent has the intent {min(missing)!r}, and every analyst relies on it; add its card."
            )
        for card in self.by_rank:
            self._check_way(card)

    def _check_unique(self, name: str, values: list[Intent] | list[int]) -> None:
        value, count = Counter[Intent | int](values).most_common(1)[0]
        if count > 1:
            owners = [card.build.__module__ for card in self.by_rank if getattr(card, name) == value]
            raise ConfigError(
                f"{' and '.join(owners)} have the same {name} {value!r}; change it on one of their cards."
            )

    def _check_way(self, card: AgentCard) -> None:
        """Every agent must be reachable, and each example must reach the agent that gives it."""
        if not card.is_reachable:
            raise ConfigError(
                f"Nothing leads to the agent {card.intent!r}: give its card patterns, or `told` for a model."
            )
        for example in card.examples if card.reads_words else ():
            if (said := self.said(example)) != card.intent:
                other = f"leads to {said!r}" if said else "fits no pattern"
                raise ConfigError(
                    f"{example!r}, an example of the agent {card.intent!r}, {other}; change a pattern or a rank."
                )
