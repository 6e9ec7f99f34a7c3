"""Spans of whole days, and the units of the calendar."""

from dataclasses import dataclass
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

STEPS = {
    "day": relativedelta(days=1),
    "week": relativedelta(weeks=1),
    "month": relativedelta(months=1),
    "quarter": relativedelta(months=3),
    "year": relativedelta(years=1),
}


@dataclass(frozen=True, slots=True)
class Span:
    """`start <= day < end`, open for None. `year` marks a bare year; `last` is (8, "week") in "last 8 weeks"."""

    start: date | None
    end: date | None
    year: int | None = None
    last: tuple[int, str] | None = None

    def whole(self, unit: str) -> "Span":
        """Return the same number of whole units, ending with the last whole one, where they are counted in `unit`."""
        if self.last is None or self.last[1] != unit or self.end is None or unit == "day":
            return self
        end = unit_of(unit, self.end).start
        return self if end is None else Span(end - STEPS[unit] * self.last[0], end, last=self.last)


def unit_of(unit: str, today: date) -> Span:
    """Return the calendar unit around a day; weeks start on Monday."""
    start = {
        "day": today,
        "week": today - timedelta(days=today.weekday()),
        "month": today.replace(day=1),
        "quarter": today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1),
        "year": today.replace(month=1, day=1),
    }[unit]
    return Span(start, start + STEPS[unit])
