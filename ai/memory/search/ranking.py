"""Which documents fit best: arithmetic on the numbers of those that have each word. Pure; no text is read for it.

A rare word tells more than a common one. In a conversation what is said next to a word is about it, too: a message has a
share in the words of the two before and the two after it, but in each word only once, so that repeating a word does not
outweigh having another. The shares were chosen on one half of a public set of conversations and checked on the other.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import log

AROUND = ((1, 0.5), (2, 0.3), (-1, 0.35), (-2, 0.2))  # from the word on: the reply to it has the largest share
AUTHOR = 3.5  # a word that names who said it
DATE = 0.8  # a word that is part of the date
LITERAL = 6.0  # the text as it was written


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a document fits: `score` to rank by, `share` of what the words tell from 0 to 1, `own` if by itself."""

    score: float
    share: float
    own: bool


def fits(found: Mapping[str, Collection[int]], documents: int, alone: int | None) -> dict[int, Fit]:
    """The fit of every document that has one of the words, and of the messages around it.

    `found` gives the numbers of the documents that have each word, `documents` counts all there are; a number with the
    bit `alone` has no neighbours. None has any when that is None.
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
    """How much a word tells that so many of the documents have."""
    return log(1 + (max(documents, having) - having + 0.5) / (having + 0.5))


def best(fitting: Mapping[int, Fit], most: int) -> Iterator[int]:
    """The numbers of the best documents; of equal ones, the newest first."""
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
