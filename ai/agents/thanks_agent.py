"""Takes thanks, and lets drop what somebody no longer wants."""

import re
from collections.abc import Iterator

from ai.agents.cards import AgentCard, always
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.analysts.port import Intent

DROPPED = re.compile(
    r"^(?:(?:oh|ok|okay|no|ah)[, ]+)*(?:never ?mind|nvm|nm|forget (?:about )?it|don'?t bother|not "
    r"(?:needed|necessary)(?: any ?more)?"
    r"|it(?:'s| is) (?:fine|ok|okay|alright)|no worries|all good|stop|cancel|abort|wait|hold on)\b"
    r"(?:[ ,]*(?:thanks?(?: you)?|then|now|anyway|that))*\W*$"
)


class ThanksAgent:
    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        is_dropped = DROPPED.match(" ".join(turn.request.text.lower().split()))
        yield TextEvent("All right." if is_dropped else "You are welcome.")


CARD = AgentCard(
    intent=Intent("thanks"),
    rank=30,
    quick=always,
    patterns=(
        DROPPED.pattern,
        r"^(?:many )?(?:thanks|thank you|thx|cheers|perfect|great|awesome|nice one|got it)\b.{0,25}$",
    ),
    examples=("thanks", "never mind"),
    gives="a welcome",
    told="thanks, praise, or a wish that is dropped",
    in_help=False,
    build=lambda _: ThanksAgent(),
)
