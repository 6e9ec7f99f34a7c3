"""Ways to word a follow-up, put into the few words that the rules of a thread know."""

import re
from functools import cache

from ai.language.tables import Patterns, rows

IDIOMS = Patterns("ai.nl2sql.threads", "idioms")
REPLY = IDIOMS["REPLY"]
BECAUSE = IDIOMS["BECAUSE"]
TAKEN_BACK = IDIOMS["TAKEN_BACK"]
POLITE = IDIOMS["POLITE"]
THEN = IDIOMS["THEN"]
ASKS = IDIOMS["ASKS"]


def canonical(text: str) -> str:
    """Return a follow-up in the words that the rules know; what they know already stays as it is."""
    said = REPLY.sub("", text.strip())
    said = BECAUSE.sub("", said)
    said = POLITE.sub("", said)
    for pattern, put in _sayings():
        said = pattern.sub(put, said)
    found = THEN.match(said)
    if found and not ASKS.match(said):
        said = f"what about {found['what']}"
    return " ".join(said.split()) or text


@cache
def _sayings() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the sayings in their order, each with the words put in its place."""
    table = rows("ai.nl2sql.threads", "sayings", "said", "pattern")
    return tuple((re.compile(pattern, re.IGNORECASE), said) for said, pattern in table)
