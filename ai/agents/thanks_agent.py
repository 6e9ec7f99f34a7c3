"""Takes thanks."""

import re
from collections.abc import Iterator

from ai.agents.cards import AgentCard
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.analysts.port import Intent

THANKS = re.compile(
    r"^(?:many )?(?:thanks|thank you|thx|cheers|perfect|great|awesome|nice one|got it)\b(?P<rest>.{0,40})$",
    re.IGNORECASE,
)
COURTESY = frozenset(
    "so much a lot very you u all guys team for that thats that's the help helps helped works worked info this it its "
    "it's is was really super helpful useful quick fast answer work job man mate bot again everyone both exactly just "
    "what i we wanted needed need stuff looks look good great nice perfect cool and then now one will do have day "
    "evening weekend too to know thanks thank thx cheers awesome got makes sense ok okay".split()
)


def is_thanks(text: str) -> bool | None:
    """Return True for thanks and nothing more, a name aside; None for any other message."""
    found = THANKS.match(" ".join(text.split()))
    if found is None or found["rest"].rstrip().endswith("?"):
        return None
    left = [word for word in re.findall(r"[^\W_][\w'’]*", found["rest"]) if word.lower() not in COURTESY]
    return not left or (len(left) == 1 and left[0].istitle() and found["rest"].startswith(" ")) or None


class ThanksAgent:
    def run(self, turn: Turn) -> Iterator[ReplyEvent]:  # noqa: ARG002 - thanks are thanks
        yield TextEvent("You are welcome.")


CARD = AgentCard(
    intent=Intent("thanks"),
    rank=30,
    reads=is_thanks,
    examples=("thanks",),
    gives="a welcome",
    told="thanks or praise",
    in_help=False,
    build=lambda _: ThanksAgent(),
)
