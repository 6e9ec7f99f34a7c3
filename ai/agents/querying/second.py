"""The messages that ask for a known query: the other reading of a question, or the same once more."""

import re

from ai.agents.port import Turn
from ai.agents.question_context import QuestionContext
from ai.types import AnsweredQuery

ASKED = re.compile(
    r"^(?:show the other reading q|(?:re-?run|run|refresh) query )(?P<number>\d+)(?: again)?[.! ]*$", re.IGNORECASE
)
AGAIN = re.compile(
    r"^(?:please |pls |can you |could you )*(?:re-?run|refresh|repeat|run)"
    r"(?: (?:it|this|that|the (?:last |same )?(?:one|query|question|numbers?|result)))?(?: (?:again|once more|now))*"
    r"(?:,? please)?[.!? ]*$",
    re.IGNORECASE,
)


def asks_for(query: AnsweredQuery) -> str:
    """Return the message that asks for the answer of a query."""
    return f"show the other reading q{query.id}"


def picked(context: QuestionContext, turn: Turn) -> AnsweredQuery | None:
    """Return the query that a message asks to run, within the thread."""
    text = turn.request.text.strip()
    if found := ASKED.match(text):
        return next((query for query in context.past(turn) if query.id == int(found["number"])), None)
    return next(iter(context.past(turn)), None) if AGAIN.match(text) else None
