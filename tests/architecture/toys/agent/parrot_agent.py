"""Says what it hears."""

from collections.abc import Iterator

from ai.agents.cards import AgentCard, Services
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.analysts.port import Intent


class ParrotAgent:
    """Repeats a message."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Repeat the words after “say”."""
        yield TextEvent(turn.request.text.removeprefix("say "))


CARD = AgentCard(
    intent=Intent("parrot"),
    rank=35,
    patterns=(r"^say\b",),
    examples=("say hello",),
    gives="an echo",
    told="to have words repeated",
    build=ParrotAgent,
)
