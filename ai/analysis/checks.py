"""Checks of the data before causes are sought: missing loads, renamed and new values, outlier days."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from math import comb, log
from statistics import median

from ai.analysis.study import ROWS, VALUE, Daily, Days, Key, Parts, Segments, over, total

ZERO = Fraction(0)
SEEN = 3  # earlier days of a weekday that must all have rows
EXPECTED = 8  # rows that must be missing to call a value's silence a gap
CHANCE = 0.01  # of such a silence by itself, as of counts
ALIKE = Fraction(35, 100)  # a new name may differ so much in size from the old one
OUTLYING, APART = 5.0, 0.25  # median deviations, and part of the usual figure, of an outlier day
WEEKS = 8


@dataclass(frozen=True, slots=True)
class DataGap:
    """Days without rows where there always were some; `loss` is what they usually hold."""

    value: Key
    days: tuple[date, ...]
    loss: Fraction


@dataclass(frozen=True, slots=True)
class NewName:
    old: Key
    new: Key
    since: date
    sizes: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Outlier:
    day: date
    usual: Fraction
    found: Fraction

    @property
    def deviation(self) -> Fraction:
        return self.found - self.usual


def gap(value: Key, daily: Daily, days: Days, since: date, among: int = 1) -> DataGap | None:
    """Return the missing days of a period, held against the weeks before it; `among` counts the values looked at."""
    missing, loss, rows = [], ZERO, ZERO
    for day in days.days:
        if day in daily and daily[day][ROWS]:
            continue
        known = [daily.get(earlier) for earlier in _same_weekdays(day, days.start, since)]
        if len(known) >= SEEN and all(parts and parts[ROWS] for parts in known):
            missing.append(day)
            loss += median(parts[VALUE] for parts in known if parts)
            rows += median(parts[ROWS] for parts in known if parts)
    return DataGap(value, tuple(missing), loss) if missing and rows >= _least(missing, days, among) else None


def _least(missing: Sequence[date], days: Days, among: int) -> float:
    """Return the rows that must be missing where chance picks the days and one of several values."""
    runs = sum(day - timedelta(1) not in missing for day in missing)
    return max(EXPECTED, log(comb(days.length, runs)) + log(among) - log(CHANCE))


def gaps(segments: Segments, days: Days, since: date) -> tuple[DataGap, ...]:
    """Return the gaps of the values of one dimension, the dearest first."""
    found = (gap(value, daily, days, since, len(segments)) for value, daily in segments.items())
    return tuple(sorted((each for each in found if each), key=lambda each: -abs(each.loss)))


def newcomers(segments: Segments, now: Days, since: date) -> tuple[Key, ...]:
    """Return values without rows before a period."""
    early = Days(since, now.start)
    return tuple(key for key, daily in segments.items() if not over(daily, early)[ROWS] and over(daily, now)[ROWS])


def renames(segments: Segments, before: Days, now: Days, since: date) -> tuple[NewName, ...]:
    """Return values that end where another of the same size begins, in the later period."""
    found, taken = [], set[Key]()
    for old, daily in segments.items():
        last = max((day for day, parts in daily.items() if parts[ROWS]), default=now.end)
        if not (before.start <= last < now.end) or not over(daily, before)[ROWS]:
            continue
        for new in newcomers(segments, Days(last + timedelta(1), now.end), since):
            sizes = over(daily, before)[ROWS], over(daily, now)[ROWS] + over(segments[new], now)[ROWS]
            first = min(day for day, parts in segments[new].items() if parts[ROWS])
            near = abs(sizes[1] - _sized(sizes[0], before, now)) <= ALIKE * _sized(sizes[0], before, now)
            if new not in taken and near and (first - last).days <= SEEN:
                taken.add(new)
                values = over(daily, before)[VALUE], over(daily, now)[VALUE] + over(segments[new], now)[VALUE]
                found.append(NewName(old, new, first, values))
                break
    return tuple(found)


def merged(segments: Segments, renamed: tuple[NewName, ...]) -> Segments:
    """Return the segments with old names under the new ones."""
    names = {rename.old: rename.new for rename in renamed}
    together: dict[Key, dict[date, Parts]] = {}
    for key, daily in segments.items():
        days = together.setdefault(names.get(key, key), {})
        for day, parts in daily.items():
            days[day] = total([days[day], parts]) if day in days else parts
    return together


def outlier(values: Mapping[date, Fraction], days: Days, since: date) -> Outlier | None:
    """Return the day of a period furthest from its usual figure, where it is apart from all others."""
    if days.length < SEEN:
        return None
    known = {day: _usual(values, day, days.start, since) for day in days.days}
    found = [Outlier(day, usual, values.get(day, ZERO)) for day, usual in known.items() if usual is not None]
    if len(found) < SEEN:
        return None
    found.sort(key=lambda each: -abs(each.deviation))
    first, others = found[0], found[1:]
    spread = median(abs(each.deviation) for each in others)
    largest = abs(others[0].deviation)
    is_apart = abs(first.deviation) > max(OUTLYING * float(spread), 2 * float(largest))
    return first if is_apart and abs(first.deviation) > APART * abs(first.usual) else None


def _usual(values: Mapping[date, Fraction], day: date, until: date, since: date) -> Fraction | None:
    known = [values.get(earlier, ZERO) for earlier in _same_weekdays(day, until, since)]
    return median(known) if known else None


def _same_weekdays(day: date, until: date, since: date) -> Iterator[date]:
    """Yield the same weekday of the weeks before a period, newest first."""
    number = 0
    while number < WEEKS and (day := day - timedelta(7)) >= since:
        if day < until:
            number += 1
            yield day


def _sized(size: Fraction, before: Days, now: Days) -> Fraction:
    return size * now.length / before.length
