"""Starts over: the next question stands by itself."""

from collections.abc import Iterator

from ai.agents.cards import AgentCard, Services, always
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.suggestions import suggestions
from ai.agents.wishes.topics import starts_over
from ai.analysts.port import Intent

FRESH = "A new topic: what would you like to know?"
IN_A_THREAD = (
    "All right: ask your next question in full. This thread stays as it is, and a new message outside of it is empty."
)


class TopicAgent:
    def __init__(self, services: Services) -> None:
        self._context = services.context

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        if self._context.past(turn):
            yield TextEvent(IN_A_THREAD)
        else:
            yield TextEvent(f"{FRESH}\n\n{suggestions(self._context, turn)}")


CARD = AgentCard(
    intent=Intent("new_topic"),
    rank=38,
    quick=always,
    reads=starts_over,
    examples=("new topic", "start over"),
    gives="a fresh start, in a direct message",
    in_help=False,
    told="to leave the topic and start over",
    build=TopicAgent,
)
