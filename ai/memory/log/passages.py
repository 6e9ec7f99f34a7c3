"""Sets of messages, kept small."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, or_

from ai.memory.log.tables import MESSAGE

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Passage:
    """A set of messages, as sorted intervals of their permanent numbers, both ends included."""

    intervals: tuple[Interval, ...] = ()

    @classmethod
    def of(cls, numbers: Iterable[int]) -> "Passage":
        return cls(_joined((number, number) for number in numbers))

    @classmethod
    def all_of(cls, passages: Iterable["Passage"]) -> "Passage":
        return cls(_joined(interval for passage in passages for interval in passage.intervals))

    @classmethod
    def stored(cls, intervals: Iterable[Sequence[int]]) -> "Passage":
        return cls(tuple((first, last) for first, last in intervals))

    @property
    def storable(self) -> list[list[int]]:
        return [list(interval) for interval in self.intervals]

    @property
    def condition(self) -> ColumnElement[bool]:
        """Return the SQL condition. Single numbers form a list: SQLite nests 1,000 levels at most."""
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
