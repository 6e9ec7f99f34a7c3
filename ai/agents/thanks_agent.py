"""Takes thanks."""

from collections.abc import Iterator

from ai.agents.cards import AgentCard, always
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.analysts.port import Intent


class ThanksAgent:
    def run(self, turn: Turn) -> Iterator[ReplyEvent]:  # noqa: ARG002 - thanks are thanks
        yield TextEvent("You are welcome.")


CARD = AgentCard(
    intent=Intent("thanks"),
    rank=30,
    quick=always,
    patterns=(r"^(?:many )?(?:thanks|thank you|thx|cheers|perfect|great|awesome|nice one|got it)\b.{0,25}$",),
    examples=("thanks",),
    gives="a welcome",
    told="thanks or praise",
    in_help=False,
    build=lambda _: ThanksAgent(),
)
