"""Takes note of a decision people tell the bot. The log keeps it; prompts and recall find it."""

import re
from collections.abc import Iterator

from ai.agents.cards import AgentCard, always
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.analysts.port import Intent

NOTED = (
    "Noted. “What did we decide?” shows it again. It changes no answer by itself: say “revenue excludes refunds” to "
    "propose a rule for all."
)


TAKEN_BACK = (
    "I keep what people said, and the newest decision counts: say what holds now (“we decided …”). A message that you "
    "delete in Slack is gone here too."
)
BACK = (
    r"^(?:please )?(?:forget|drop|retract|undo|cancel|revoke|take back) "
    r"(?:what (?:we|they|i) (?:decided|agreed)|(?:the|that|this|our) (?:last )?(?:decision|agreement))\b"
)


class DecisionAgent:
    """The log has the words already."""

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        yield TextEvent(TAKEN_BACK if re.match(BACK, turn.request.text, re.IGNORECASE) else NOTED)


CARD = AgentCard(
    intent=Intent("decision"),
    rank=95,
    quick=always,
    patterns=(
        BACK,
        r"^(?:(?:please )?(?:remember|note)(?: this| that)? ?[:,\u2013-]? ?)?"
        r"(?:we|the team|everyone|all of us|they)(?:['\u2019]ve| have| had)?(?: all| both| now| finally| also)? "
        r"(?:decided|agreed|settled|concluded|resolved|voted|approved|committed)\b(?!.*\?\s*$)",
        r"^(?:final )?(?:decision|decided|agreed|agreement|approved|resolved|settled|consensus) ?[:\u2013-] "
        r"?\w(?!.*\?\s*$)",
        r"^(?:(?:ok(?:ay)?|so|then|right|alright|great|good|fine|perfect)[,.]? )?let['\u2019]?s "
        r"(?:decide|agree|settle)\b(?: on| that|[:,\u2013-]) ?\w(?!.*\?\s*$)",
        r"^it (?:was|is|has been) (?:decided|agreed|settled|approved)\b(?!.*\?\s*$)",
    ),
    examples=("we decided that trials count as customers",),
    gives="a note; “what did we decide?” shows it again",
    told="tells what people decided, without asking anything",
    in_help=False,
    build=lambda _: DecisionAgent(),
)
