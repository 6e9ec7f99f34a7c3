"""The kind of a remark: a decision, a question, a request or a statement. Pure."""

from typing import Literal

from ai.language.tables import Patterns

Remark = Literal["decision", "question", "request", "statement"]
REMARKS = Patterns("ai.language", "remarks")
DECISION = REMARKS["DECISION"]
ASKING = REMARKS["ASKING"]
BIDDING = REMARKS["BIDDING"]


def remark_of(text: str) -> Remark:
    """Classify what a person said. A question about a decision is a question."""
    plain = " ".join(text.split())
    if plain.endswith("?") or ASKING.match(plain):
        return "question"
    if DECISION.search(plain):
        return "decision"
    return "request" if BIDDING.match(plain) else "statement"
