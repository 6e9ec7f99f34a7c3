"""Passages: which messages of a thread, as intervals of their numbers.

A message never changes its number, so a passage that was written down means the same messages for good, whatever is said,
archived or put back later. The messages of a passage are told in the order of the log.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, or_

from ai.memory.log.tables import MESSAGE

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Passage:
    """Message numbers as intervals, both ends included; in order, apart from one another."""

    intervals: tuple[Interval, ...] = ()

    @classmethod
    def of(cls, numbers: Iterable[int]) -> "Passage":
        """The passage of these messages."""
        return cls(_joined((number, number) for number in numbers))

    @classmethod
    def all_of(cls, passages: Iterable["Passage"]) -> "Passage":
        """What is in any of these."""
        return cls(_joined(interval for passage in passages for interval in passage.intervals))

    @classmethod
    def stored(cls, intervals: Iterable[Sequence[int]]) -> "Passage":
        """The passage that was stored as `storable`."""
        return cls(tuple((first, last) for first, last in intervals))

    @property
    def storable(self) -> list[list[int]]:
        """The intervals as JSON."""
        return [list(interval) for interval in self.intervals]

    @property
    def condition(self) -> ColumnElement[bool]:
        """What its messages meet; numbers that stand alone in a list, since SQLite nests no deeper than 1,000."""
        alone = [first for first, last in self.intervals if first == last]
        longer = [MESSAGE.c.seq.between(first, last) for first, last in self.intervals if first < last]
        return or_(MESSAGE.c.seq.in_(alone), *longer)


NOTHING = Passage()


def _joined(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    joined: list[Interval] = []
    for first, last in sorted(intervals):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)
