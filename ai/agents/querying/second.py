"""The message that asks to see the other reading of a question."""

import re

from ai.agents.port import Turn
from ai.agents.question_context import QuestionContext
from ai.types import AnsweredQuery

ASKED = re.compile(r"^show the other reading q(\d+)$", re.IGNORECASE)


def asks_for(query: AnsweredQuery) -> str:
    """Return the message that asks for the answer of a query."""
    return f"show the other reading q{query.id}"


def picked(context: QuestionContext, turn: Turn) -> AnsweredQuery | None:
    """Return the other reading that a message asks for."""
    found = ASKED.match(turn.request.text.strip())
    number = int(found[1]) if found else 0
    return next((query for query in context.past(turn) if query.id == number), None) if found else None
