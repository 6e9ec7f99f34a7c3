"""What a question says in so many words: periods, numbers, values, "each", "average", "not", "lowest"."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from ai.language.date_phrases import date_phrase
from ai.language.questions import Word, scaled, split
from ai.language.spans import Span

WORDS_TOO = frozenset("may march mar sun sat second fall spring summer winter today now".split())
ENDS = frozenset(("last", "first", "latest"))
YEARS = range(1900, 2100)
LEAST = 2  # "one" counts nothing


@dataclass(frozen=True)
class Asked:
    """A question as its words; `today` is the day of the asker."""

    text: str
    today: date
    fiscal_month: int = 0

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return split(self.text)

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(word.key for word in self.words if not word.quoted)

    @cached_property
    def dates(self) -> tuple[tuple[int, int, Span], ...]:
        """The places of the phrases that name days, and their days."""
        return tuple(self._dates())

    @property
    def periods(self) -> tuple[tuple[str, Span], ...]:
        return tuple((" ".join(w.text for w in self.words[at:end]), span) for at, end, span in self.dates)

    @property
    def numbers(self) -> tuple[tuple[str, float], ...]:
        """The numbers of the question as written and as figures, without those of days and of names."""
        dated = {place for at, end, _ in self.dates for place in range(at, end)}
        found: list[tuple[str, float]] = []
        at = 0
        while at < len(self.words):
            word, following = self.words[at], self.words[at + 1] if at + 1 < len(self.words) else None
            number, length = (at not in dated and not word.quoted and scaled(word, following)) or (0, 1)
            if number >= LEAST and number not in YEARS:
                found.append((" ".join(each.text for each in self.words[at : at + length]), float(number)))
            at += length
        return tuple(found)

    def says(self, *words: str) -> bool:
        return not self.keys.isdisjoint(words)

    def _dates(self) -> Iterator[tuple[int, int, Span]]:
        at = 0
        while at < len(self.words):
            found = date_phrase(self.words[at:], self.today, self.fiscal_month)
            if found is not None and self._is_sure(at, found.length):
                yield at, at + found.length, found.span
            at += found.length if found is not None else 1

    def _is_sure(self, at: int, length: int) -> bool:
        """Whether a phrase names days, not a number, a verb or a name."""
        first, last = self.words[at], self.words[at + length - 1]
        if length == 1:
            return first.number is None and first.key not in WORDS_TOO
        return last.key != "today" and not (last.key == "day" and self.words[at + length - 2].key in ENDS)
