"""Greets people and tells them what to ask."""

from collections.abc import Iterator

from ai.agents.cards import AgentCard, Services, always
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.suggestions import suggestions, things
from ai.analysts.port import Intent
from ai.answers.naming import abridged
from ai.answers.phrase import literal

THINGS_NAMED = 10


class HelpAgent:
    def __init__(self, services: Services) -> None:
        self._context = services.context
        self._cards = services.cards

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        yield TextEvent(f"{self._data(turn)}\n\n{suggestions(self._context, turn)}\n\n{self._sayings()}")

    def _data(self, turn: Turn) -> str:
        question = self._context.question(turn)
        return (
            f"Hello! I answer questions about the data in **{literal(question.catalog.source)}** with SQL that is checked "
            f"before it runs. It is about {abridged(things(question), THINGS_NAMED)}."
        )

    def _sayings(self) -> str:
        listed = [card for card in self._cards.listed if card.in_help]
        lines = (f"- “{literal(card.examples[0])}”: {card.gives}" for card in listed)
        return "\n".join(["Or say, in the thread of an answer:", *lines])


CARD = AgentCard(
    intent=Intent("help"),
    rank=40,
    quick=always,
    patterns=(
        r"^$",
        r"^(?:hi|hello|hey|help|good (?:morning|afternoon|evening))\b(?:[ ,]+(?:there|all|bot|me))?[!.? ]*$",
        r"^(?:what can (?:you|this)(?: bot)? do|what can i ask|who are you|how do(?:es)? (?:you|this) work)\b",
        r"^(?:help me|i need help|what are you|what (?:do|should) i (?:do|say|type|write)|how do i (?:use"
        r"|talk to) (?:you|this)|commands|usage|menu)\W*$",
    ),
    examples=("what can you do?", "hello"),
    gives="the tables, questions to begin with, and this list",
    told="what the bot can do",
    in_help=False,
    build=HelpAgent,
)
