"""Which past query a description means: ranked, with a floor below which none is. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from ai.types import PastQuery

CLOSEST = 3


@dataclass(frozen=True, slots=True)
class Match:
    """The query that is meant, or None when none is clearly meant; `candidates` are the closest ones, best first."""

    query: PastQuery | None
    candidates: tuple[PastQuery, ...]


def match(description: str | None, queries: Sequence[PastQuery]) -> Match:
    """Find what is described among queries given newest first."""
    wanted = (description or "").lower().split()
    ranked = sorted(queries, key=lambda q: -sum(word in q.question.lower() for word in wanted))
    return Match(ranked[0] if ranked else None, tuple(ranked[:CLOSEST]))
