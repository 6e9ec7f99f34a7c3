"""The small tables of a change: totals per day, per value and day, and per combination of values."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Protocol

VALUE, BASE, ROWS, QUANTITIES = 0, 1, 2, 3
Parts = tuple[Fraction, ...]  # sums: figure or numerator, denominator, rows, then quantities
Daily = Mapping[date, Parts]
Key = str | None  # a value of a dimension; None where the column is empty
Segments = Mapping[Key, Daily]


@dataclass(frozen=True, slots=True)
class Days:
    """`start <= day < end`."""

    start: date
    end: date

    @property
    def length(self) -> int:
        return (self.end - self.start).days

    @property
    def days(self) -> tuple[date, ...]:
        return tuple(self.start + timedelta(number) for number in range(self.length))

    @property
    def months(self) -> int:
        """Return how many whole calendar months these are, 0 for other days."""
        if self.start.day != 1 or self.end.day != 1:
            return 0
        return (self.end.year - self.start.year) * 12 + self.end.month - self.start.month

    def shifted(self, days: int) -> "Days":
        return Days(self.start + timedelta(days), self.end + timedelta(days))


@dataclass(frozen=True, slots=True)
class Cell:
    """One combination of values, in the period before the compared ones and in both of them."""

    values: tuple[Key, ...]
    previous: Parts
    before: Parts
    now: Parts


class Study(Protocol):
    """A figure in two periods. `dimensions` and `quantities` are "table.column"; each call is one query."""

    @property
    def before(self) -> Days: ...

    @property
    def now(self) -> Days: ...

    @property
    def previous(self) -> Days:
        """The period before both, as long as the earlier one."""

    @property
    def since(self) -> date:
        """The first day of `segments`."""

    @property
    def is_ratio(self) -> bool: ...

    @property
    def is_mean(self) -> bool:
        """Whether the figure is the mean of its days, as of one that does not add up over time."""

    @property
    def dimensions(self) -> tuple[str, ...]: ...

    @property
    def loaded(self) -> tuple[str, ...]:
        """The dimensions in which a silent value may be a missing load."""

    @property
    def is_summary(self) -> bool:
        """Whether a row stands for many events, so that counting rows counts nothing."""

    @property
    def has_price(self) -> bool:
        """Whether the figure is an amount, so that price and volume may explain it."""

    @property
    def quantities(self) -> tuple[str, ...]: ...

    def daily(self) -> Daily:
        """Return the totals of all days with rows, years back."""

    def segments(self, dimension: str, *, unfiltered: bool = False) -> Segments:
        """Return the totals by value and day; `unfiltered` drops the conditions on this dimension."""

    def cells(self, dimensions: Collection[str]) -> tuple[Cell, ...]:
        """Return the totals by combination of values, () where there are too many."""


def total(parts: Iterable[Parts]) -> Parts:
    columns = tuple(zip(*parts, strict=True))
    return tuple(sum(column, Fraction(0)) for column in columns) if columns else ()


def over(daily: Daily, days: Days, *, is_mean: bool = False) -> Parts:
    """Sum the days of a period, or take the figure's mean of them; zeros where no day has rows."""
    found = [daily[day] for day in days.days if day in daily]
    width = len(next(iter(daily.values()), (Fraction(0),) * QUANTITIES))
    return averaged(total(found), days, is_mean=is_mean) if found else (Fraction(0),) * width


def averaged(parts: Parts, days: Days, *, is_mean: bool) -> Parts:
    return (parts[VALUE] / days.length, *parts[1:]) if is_mean and parts else parts


def figure(parts: Parts, *, is_ratio: bool) -> Fraction:
    """Return the figure of summed parts; a ratio over nothing is 0."""
    if not is_ratio:
        return parts[VALUE]
    return parts[VALUE] / parts[BASE] if parts[BASE] else Fraction(0)
