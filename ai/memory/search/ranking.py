"""Ranks documents by arithmetic on the numbers of each word's documents. Pure; reads no text."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import log

AROUND = ((1, 0.5), (2, 0.3), (-1, 0.35), (-2, 0.2))  # from the word on: the reply to it has the largest share
AUTHOR = 3.5  # a word that names who said it
DATE = 0.8  # a word that is part of the date
LITERAL = 6.0  # the text as it was written


@dataclass(frozen=True, slots=True)
class Fit:
    """`score` ranks; `share` of the words' weight is 0 to 1; `own` is without neighbours."""

    score: float
    share: float
    own: bool


def fits(found: Mapping[str, Collection[int]], documents: int, alone: int | None) -> dict[int, Fit]:
    """Return the fit of documents with one of the words, and of their neighbours.

    `found` gives document numbers by word. Numbers with the bit `alone` have no neighbours; None: no number has.
    """
    scores: dict[int, float] = {}
    whole = sum(weight(len(numbers), documents) for numbers in found.values()) or 1
    for numbers in found.values():
        tells = weight(len(numbers), documents)
        for number, share in _shares(numbers, alone).items():
            scores[number] = scores.get(number, 0) + tells * share
    own = set().union(*found.values())
    return {number: Fit(score, score / whole, number in own) for number, score in scores.items()}


def weight(having: int, documents: int) -> float:
    return log(1 + (max(documents, having) - having + 0.5) / (having + 0.5))


def best(fitting: Mapping[int, Fit], most: int) -> Iterator[int]:
    ranked = sorted(fitting, key=lambda number: (-fitting[number].score, -number))
    return iter(ranked[:most])


def _shares(numbers: Collection[int], alone: int | None) -> dict[int, float]:
    shares = dict.fromkeys(numbers, 1.0)
    if alone is None:
        return shares
    for number in numbers:
        if number & alone:
            continue
        for step, share in AROUND:
            beside = number + step
            if shares.get(beside, 0) < share:
                shares[beside] = share
    return shares
