"""Cards: each agent declares itself on one, in its own file. The router, prompts, help and docs all read them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ai.agents.port import Agent, Turn
from ai.agents.question_context import QuestionContext
from ai.agents.tools import Exports
from ai.analysts.port import SQL_QUERY, UNSUPPORTED, Analyst, Intent
from ai.errors import ConfigError, NotFound
from ai.memory_store import MemoryStore
from ai.types import ThreadKey

TELLING = 2_000  # characters; patterns over a longer message would take seconds
EARLIER_BUTTON = "This button is of an earlier version; write what you want instead."


def nobody(_: str) -> bool:
    return False


def always(_: str) -> bool:
    return True


def forget_nothing(_: ThreadKey) -> None: ...


def never(_services: "Services", _turn: Turn) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of the product an agent may use."""

    memory: MemoryStore
    analyst: Analyst
    context: QuestionContext
    exports: Exports
    cards: "Cards"
    is_owner: Callable[[str], bool] = nobody  # decides about rules
    forget: Callable[[ThreadKey], None] = forget_nothing  # a thread, with its files and the engine's records
    suggests: bool = True  # the questions that an answer leads to


@dataclass(frozen=True, slots=True)
class AgentCard:
    """One agent and its kind of message."""

    intent: Intent
    rank: int  # of the cards fitting a message, the lowest wins
    gives: str  # a clause: the benefit of saying one of the examples
    build: Callable[[Services], Agent]
    examples: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()  # searched in the message in lower case with single spaces
    reads: Callable[[str], object] | None = None  # where patterns will not do: None or False for a foreign message
    claims: Callable[[Services, Turn], bool] = never  # may look at the thread
    told: str = ""  # completes `"intent" …` in a prompt; with "" only rules lead here
    in_help: bool = True
    quotes: bool = False  # its words are those of people and of earlier replies
    quick: Callable[[str], bool] = nobody  # the words want what is kept, and no database is asked

    @property
    def reads_words(self) -> bool:
        """Whether words alone can lead here."""
        return bool(self.patterns) or self.reads is not None

    @property
    def is_reachable(self) -> bool:
        by_rule = self.reads_words or self.claims is not never
        return by_rule or bool(self.told) or self.intent in (SQL_QUERY, UNSUPPORTED)

    def fits(self, text: str) -> bool:
        """Whether the words ask for this agent; the first few thousand characters tell."""
        text = text[:TELLING]
        plain = " ".join(text.lower().split())
        if any(re.search(pattern, plain) for pattern in self.patterns):
            return True
        return self.reads is not None and self.reads(text) not in (None, False)


class Cards:
    """All cards, `listed` as registered and `by_rank`. Raises ConfigError on a collision, or a card out of reach."""

    def __init__(self, cards: Iterable[AgentCard]) -> None:
        self.listed = tuple(cards)
        self.by_rank = tuple(sorted(self.listed, key=lambda card: card.rank))
        self._check()

    @property
    def told(self) -> Mapping[Intent, str]:
        """The intents a model may choose from."""
        return {card.intent: card.told for card in self.listed if card.told}

    def said(self, text: str) -> Intent | None:
        """Return the intent stated outright, or None."""
        card = self._fitting(text)
        return card.intent if card else None

    def named(self, name: str) -> Intent:
        """Return an intent by its name. Raises NotFound where an earlier version had such an agent."""
        found = next((card.intent for card in self.listed if card.intent == name), None)
        if found is None:
            raise NotFound(EARLIER_BUTTON)
        return found

    def is_quick(self, text: str) -> bool:
        """Whether the words alone want what is kept."""
        text = text[:TELLING]
        card = self._fitting(text)
        return card.quick(text) if card else any(card.quick(text) for card in self.by_rank if not card.reads_words)

    def _fitting(self, text: str) -> AgentCard | None:
        return next((card for card in self.by_rank if card.fits(text)), None)

    def build(self, services: Services) -> Mapping[Intent, Agent]:
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
        """Check for a way to the card, and that its examples take it."""
        if not card.is_reachable:
            raise ConfigError(
                f"Nothing leads to the agent {card.intent!r}: give its card patterns, or `told` for a model."
            )
        if not card.examples and (card.reads_words or card.in_help):
            raise ConfigError(f"The card of the agent {card.intent!r} has no example of what to say; add one.")
        for example in card.examples if card.reads_words else ():
            if (said := self.said(example)) != card.intent:
                other = f"leads to {said!r}" if said else "fits no pattern"
                raise ConfigError(
                    f"{example!r}, an example of the agent {card.intent!r}, {other}; change a pattern or a rank."
                )
