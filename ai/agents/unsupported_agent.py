"""Declines messages about nothing in the data."""

from collections.abc import Iterator

from ai.agents.cards import AgentCard, Services
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.suggestions import suggestions
from ai.analysts.port import UNSUPPORTED

NOT_ABOUT_DATA = "I answer questions about the data, and this does not look like one."


class UnsupportedAgent:
    def __init__(self, services: Services) -> None:
        self._context = services.context

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        yield TextEvent(f"{NOT_ABOUT_DATA}\n\n{suggestions(self._context, turn)}")


CARD = AgentCard(
    intent=UNSUPPORTED,
    rank=120,
    gives="questions that work, for a message about nothing in the data",
    told="anything else",
    in_help=False,
    build=UnsupportedAgent,
)
