"""A change beside the figure's own history: how much it moves anyway, and which season moves it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from math import log
from statistics import median

from dateutil.relativedelta import relativedelta

from ai.analysis.study import Daily, Days, figure, over

WEEK, YEAR = 7, 364
SHORT = 28  # days; periods below it are weeks and days, others months
REFERENCES = 12  # earlier steps looked at
NOISES = 3.0  # a change is unusual beyond so many usual ones
FEW, QUIET, UNSURE = 4, 0.02, 0.04  # below QUIET (few references: UNSURE) nothing needs explaining
NOISY, FARTHEST = 1.5, 0.5  # usual changes that a season may be off, as a part of the change at most
NEAR, LARGER = 0.35, 1.8  # a season explains a change where it was less by this part, or so many times larger
TRIMMED = 1.15  # makes up for the largest change left out

Shift = Callable[[date, int], date]


@dataclass(frozen=True, slots=True)
class Season:
    """The same change before: its kind, periods and figures."""

    kind: str
    before: Days
    now: Days
    figures: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class History:
    """All days of a figure."""

    daily: Daily
    is_ratio: bool
    is_mean: bool = False

    def of(self, days: Days) -> Fraction:
        return figure(over(self.daily, days, is_mean=self.is_mean), is_ratio=self.is_ratio)

    def is_unusual(self, before: Days, now: Days) -> bool:
        """Whether the change exceeds those of earlier steps of the same length."""
        step = _ratio(self.of(before), self.of(now))
        if step is None:
            return self.of(before) != self.of(now)
        step -= self._longer(before, now)
        known = [change - self._longer(*days) for change, days in self._steps(before, now, _backwards(before, now))]
        expected = median(known) if _is_misaligned(before, now) and len(known) >= FEW else 0.0
        few = len(known) < FEW
        around = [change - expected for change in known] if not few else self._weekly(before)
        noise = _spread(around) * ((WEEK / now.length) ** 0.5 if few else 1.0)
        return abs(step - expected) > max(NOISES * noise, UNSURE if few else QUIET)

    def _longer(self, before: Days, now: Days) -> float:
        """Return the part of a step that the days and weekdays of the periods give to a sum."""
        if self.is_ratio or self.is_mean or before.length == now.length:
            return 0.0
        expected = self._expected(before, now)
        return (_ratio(self.of(before), expected) if expected else None) or log(now.length / before.length)

    def _expected(self, before: Days, now: Days) -> Fraction | None:
        """Return a later period at the daily figures of an earlier one, None without all of its weekdays."""
        by_weekday: dict[int, list[Fraction]] = {}
        for day in before.days:
            by_weekday.setdefault(day.weekday(), []).append(self.of(Days(day, day + timedelta(1))))
        if len(by_weekday) < WEEK:
            return None
        means = {weekday: sum(found, Fraction(0)) / len(found) for weekday, found in by_weekday.items()}
        return sum((means[day.weekday()] for day in now.days), Fraction(0))

    def _weekly(self, before: Days) -> list[float]:
        """Return the changes from week to week up to the end of a period."""
        now = Days(before.end - timedelta(WEEK), before.end)
        return [change for change, _ in self._steps(now.shifted(-WEEK), now, _backwards(now, now))]

    def season(self, before: Days, now: Days, rest: tuple[Fraction, Fraction] | None = None) -> Season | None:
        """Return the season behind this change, or that of a `rest`: weekdays, days of the month, year or calendar."""
        step = _ratio(*(rest or (self.of(before), self.of(now))))
        if not step:
            return None
        kinds: list[tuple[str, Shift]] = [("year", _years(now))]
        if _is_misaligned(before, now):
            kinds.insert(0, ("weekday", lambda day, number: day - timedelta(WEEK * number)))
        if now.length < SHORT:
            kinds.append(("day of the month", lambda day, number: day - relativedelta(months=number)))
        for kind, shift in kinds:
            found = list(self._steps(before, now, shift))
            enough = len(found) > 1 or self.is_unusual(before, now)
            if found and enough and _explains([change for change, _ in found], step, _spread(self._weekly(before))):
                old, new = found[0][1]
                return Season(kind, old, new, (self.of(old), self.of(new)))
        return self._calendar(before, now, step)

    def _calendar(self, before: Days, now: Days, step: float) -> Season | None:
        """Return the number of days and weekdays as a season, for sums over periods of unequal length."""
        if self.is_ratio or self.is_mean or before.length == now.length or abs(step) < QUIET:
            return None
        expected = self._expected(before, now)
        if not expected:
            return None
        given = _ratio(self.of(before), expected)
        is_given = given is not None and _explains([given], step)
        return Season("calendar", before, now, (self.of(before), expected)) if is_given else None

    def _steps(self, before: Days, now: Days, shift: Shift) -> Iterator[tuple[float, tuple[Days, Days]]]:
        first = min(self.daily, default=now.end)
        for number in range(1, REFERENCES + 1):
            old, new = (_shifted(days, shift, number) for days in (before, now))
            if old.start < first or not old.length or not new.length:
                break
            change = _ratio(self.of(old), self.of(new))
            if change is not None:
                yield change, (old, new)


def _shifted(days: Days, shift: Shift, number: int) -> Days:
    """Return earlier days; short periods stay as long, whatever months lie between."""
    start = shift(days.start, number)
    return Days(start, start + timedelta(days.length) if days.length < SHORT else shift(days.end, number))


def _spread(changes: list[float]) -> float:
    """Return the root of the mean square, without the largest one."""
    kept = sorted(map(abs, changes))[: -1 if len(changes) > FEW else None]
    return (sum(change**2 for change in kept) / len(kept)) ** 0.5 * TRIMMED if kept else 0.0


def _explains(known: list[float], step: float, noise: float = 0.0) -> bool:
    """Whether earlier changes were of this size or a larger one, on the whole and most of them."""
    slack = max(QUIET, min(NOISY * noise, FARTHEST * abs(step))) / abs(step)
    least, most = min(1 - NEAR, 1 - slack), LARGER + slack
    near = sum(least <= change / step <= most for change in known)
    return abs(step) > QUIET and least <= median(known) / step <= most and near * 3 >= len(known) * 2


def _ratio(before: Fraction, now: Fraction) -> float | None:
    return log(now / before) if before > 0 and now > 0 else None


def _is_misaligned(before: Days, now: Days) -> bool:
    return now.length < SHORT and (now.start - before.start).days % WEEK != 0


def _years(now: Days) -> Shift:
    if now.length >= SHORT:
        return lambda day, number: day - relativedelta(years=number)
    return lambda day, number: day - timedelta(YEAR * number)


def _backwards(before: Days, now: Days) -> Shift:
    """Return the steps that led here: months from month to month, weekdays on weekdays, else period by period."""
    if months := now.months:
        return lambda day, number: day - relativedelta(months=months * number)
    apart = (now.start - before.start).days
    days = apart if apart % WEEK == 0 and apart else -(-max(apart, WEEK) // WEEK) * WEEK
    return lambda day, number: day - timedelta(days * number)
