"""Greets people and tells them what to ask."""

from collections.abc import Iterator

from ai.agents.cards import AgentCard, Services, always
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.suggestions import suggestions
from ai.analysts.port import Intent
from ai.answers.phrase import literal

TABLES_NAMED = 10


class HelpAgent:
    def __init__(self, services: Services) -> None:
        self._context = services.context
        self._cards = services.cards

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        yield TextEvent(f"{self._data(turn)}\n\n{suggestions(self._context, turn)}\n\n{self._sayings()}")

    def _data(self, turn: Turn) -> str:
        catalog = self._context.question(turn).catalog
        tables = ", ".join(literal(table.name) for table in catalog.tables[:TABLES_NAMED])
        rest = len(catalog.tables) - TABLES_NAMED
        more = f" and {rest} more" if rest > 0 else ""
        return (
            f"Hello! I answer questions about the data in **{literal(catalog.source)}** with SQL that is checked "
            f"before it runs. It has {len(catalog.tables)} tables: {tables}{more}."
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
        r"^(?:what can you do|what can i ask|who are you|how do(?:es)? (?:you|this) work)\b",
    ),
    examples=("what can you do?", "hello"),
    gives="the tables, questions to begin with, and this list",
    told="what the bot can do",
    in_help=False,
    build=HelpAgent,
)
