"""Finds the past query a description means, by rank with a floor. Pure.

A query scores by its share of the description, rare words counting more, and by the share of its question described.
Constants come from a public set of paraphrases.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from ai.language.words import Words, described, points_to_last, sql_terms
from ai.memory.search.pointing import place_of
from ai.types import AnsweredQuery

CLOSEST = 3
FLOOR = 0.44  # below it a wrong query would be shown more often than a right one withheld
NAME = 2.0  # how much more a name or number tells than another word
IN_SQL = 0.65  # how much a word tells that only the SQL has
UNSEEN = 0.5  # how much a word weighs that no query of the thread has: paraphrases have them
BACK = 0.3  # share of the score that is about how much of the question is described
MISSING, EXTRA = 0.8, 0.9  # for each name only the description has, and only the question has
WORDING = 0.1  # for the same words in the same order, which tells near-duplicates apart


@dataclass(frozen=True, slots=True)
class Match:
    """The meant query, None when unclear; `candidates` are the closest ones, best first."""

    query: AnsweredQuery | None
    candidates: tuple[AnsweredQuery, ...]


@dataclass(frozen=True, slots=True)
class Described:
    """A query as words of its question and of its SQL."""

    query: AnsweredQuery
    asked: Words
    sql: frozenset[str]


NUMBER = re.compile(r"query (\d+)", re.IGNORECASE)


def match(description: str | None, queries: Sequence[AnsweredQuery]) -> Match:
    """Find the described query of `queries`, the newest first.

    None, "the SQL" and "the last query" mean the newest; "query 12" is one, and so is "the second question".
    """
    if numbered := NUMBER.fullmatch((description or "").strip()):
        return Match(next((q for q in queries if q.id == int(numbered[1])), None), tuple(queries[:CLOSEST]))
    if not queries or description is None or points_to_last(description):
        return Match(next(iter(queries), None), tuple(queries[:CLOSEST]))
    if (place := place_of(description)) is not None:
        found = placed(queries, (place,))
        rest = (query for query in queries if query not in found)
        return Match(next(iter(found), None), (*found, *rest)[:CLOSEST])
    wanted = described(description)
    compared = [Described(query, described(query.question), sql_terms(query.sql)) for query in queries]
    seen = Counter(term for each in compared for term in each.sql.union(each.asked.terms))
    weigh = _Scale(len(queries), seen)
    scores = [weigh.score(wanted, each) for each in compared]
    ranked = sorted(zip(scores, queries, strict=True), key=lambda pair: -pair[0])
    closest = tuple(query for score, query in ranked[:CLOSEST])
    return Match(closest[0] if ranked[0][0] >= FLOOR else None, closest)


def placed(queries: Sequence[AnsweredQuery], places: Sequence[int]) -> tuple[AnsweredQuery, ...]:
    """Return the queries at places that `pointing` reads, the last one of each turn; all without places."""
    by_turn = tuple({query.turn_id: query for query in reversed(queries)}.values())
    known = range(-len(by_turn), len(by_turn))
    return tuple(by_turn[place] for place in places if place in known) if places else by_turn


@dataclass(frozen=True, slots=True)
class _Scale:
    """Weighs words by the number of queries with them."""

    queries: int
    seen: Counter[str]

    def score(self, wanted: Words, each: Described) -> float:
        asked, terms = each.asked.terms, wanted.terms
        covered = sum(self._weight(t, name) * self._found(t, each) for t, name in terms.items())
        whole = sum(self._weight(t, name) * (1 if name or self.seen[t] else UNSEEN) for t, name in terms.items())
        told = sum(self._weight(t, name) for t, name in asked.items() if t in terms)
        question = sum(self._weight(t, name) for t, name in asked.items())
        fit = (1 - BACK) * covered / (whole or 1) + BACK * told / (question or 1)
        fit *= MISSING ** sum(name and not self._found(t, each) for t, name in terms.items())
        fit *= EXTRA ** sum(name and t not in terms for t, name in asked.items())
        return fit + WORDING * _alike(wanted, each.asked)

    def _weight(self, term: str, name: bool) -> float:
        having = self.seen[term]
        return log(1 + (self.queries - having + 0.5) / (having + 0.5)) * (NAME if name else 1)

    def _found(self, term: str, each: Described) -> float:
        return 1 if term in each.asked.terms else IN_SQL if term in each.sql else 0


def _alike(one: Words, other: Words) -> float:
    return len(one.phrases & other.phrases) / (len(one.phrases | other.phrases) or 1)
