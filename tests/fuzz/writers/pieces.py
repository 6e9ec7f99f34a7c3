"""What sentences are made of: words, and pieces that know how they would be wrong."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

Rows = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece that says something of the result, and other pieces that would be wrong in its place."""

    says: str
    wrong: tuple[str, ...] = ()


Words = list[str | Piece]
Form = Callable[[Random], "Sentence"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A true sentence about a result, in pieces."""

    form: str
    columns: list[str]
    rows: Rows
    words: Words

    @property
    def text(self) -> str:
        """The sentence as it is true."""
        return "".join(word if isinstance(word, str) else word.says for word in self.words)

    def corrupted(self) -> Iterator[str]:
        """The sentence with one piece wrong, in each way that the pieces know."""
        for place, word in enumerate(self.words):
            for wrong in word.wrong if isinstance(word, Piece) else ():
                pieces = [w if isinstance(w, str) else w.says for w in self.words]
                yield "".join([*pieces[:place], wrong, *pieces[place + 1 :]])


def figure(chance: Random, written: str, *also: str) -> Piece:
    """A figure as it is written; wrong with a digit changed, two digits swapped, or one more or less at its end."""
    places = [place for place, char in enumerate(written) if char.isdigit()]
    wrong = set(also)
    at = chance.choice(places)
    low = "1" if at == places[0] and len(places) > 1 else "0"
    digit = chance.choice([d for d in "0123456789" if d >= low and d != written[at]])
    wrong.add(written[:at] + digit + written[at + 1 :])
    swaps = [(a, b) for a, b in pairwise(places) if written[a] != written[b] and written[b] != "0"]
    if swaps:
        a, b = chance.choice(swaps)
        wrong.add(written[:a] + written[b] + written[a + 1 : b] + written[a] + written[b + 1 :])
    last = places[-1]
    if "0" < written[last] < "9":
        wrong.add(written[:last] + str(int(written[last]) + chance.choice((-1, 1))) + written[last + 1 :])
    return Piece(written, tuple(sorted(wrong - {written})))


def rough(written: str, *wrong: str) -> Piece:
    """A figure that is only about right: it is wrong as it is said to be."""
    return Piece(written, wrong)


def name(written: str, others: Iterable[str]) -> Piece:
    """A name; wrong is each of the others."""
    return Piece(written, tuple(other for other in others if other != written))


def either(right: str, *wrong: str) -> Piece:
    """A word, and what would be the contrary."""
    return Piece(right, wrong)
