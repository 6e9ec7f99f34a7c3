"""One figure on two sides: both values, their difference, and the difference in percent of the base."""

from dataclasses import dataclass, replace
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from ai.language.spans import STEPS, unit_of
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Meaning, Measure, Order, Period, Unit

DAY, WEEK = timedelta(days=1), timedelta(days=7)
YEAR_OF_WEEKS = 52 * WEEK  # the same weekdays a year before
UNITS: tuple[Unit, ...] = ("day", "week", "month", "quarter", "year")
LAST_MONTH = "the last whole month is compared with the one before"
LONGEST_GAP = timedelta(days=31)  # between two times that one series covers
ALIKE = 1.5  # times as long as the other one
RATES = frozenset({"%", "percent", "ratio"})


@dataclass(frozen=True, slots=True)
class Comparison:
    """The figure now and its base. `whole` is the base in its full length, where only a part of it is compared."""

    now: Measure
    base: Measure
    whole: Measure | None = None


@dataclass(frozen=True, slots=True)
class Sides:
    """Two times to compare. `whole` is the base in its full length, where only a part of it is compared."""

    now: Period
    base: Period
    whole: Period | None = None


def side_by_side(measure: Measure, sides: Sides | tuple[Filter, Filter], lexicon: Lexicon) -> tuple[Measure, ...]:
    """Return a figure on both sides, its change, its change in percent unless it is a rate, and the whole base."""
    now, base = (sides.now, sides.base) if isinstance(sides, Sides) else sides
    whole = sides.whole if isinstance(sides, Sides) else None
    after, before = _on(measure, now), _on(measure, base)
    found = [after, before, replace(after, less=before)]
    if not is_rate(measure, lexicon):
        found.append(replace(after, less=before, per=before))
    return (*found, _on(measure, whole)) if whole else tuple(found)


def at_both(measures: tuple[Measure, ...], sides: Sides, lexicon: Lexicon) -> tuple[Measure, ...]:
    """Return each figure at both times; one alone also with its change, between like times."""
    if len(measures) == 1 and _are_alike(sides):
        return side_by_side(measures[0], sides, lexicon)
    return tuple(replace(m, where=(*m.where, time)) for m in measures for time in (sides.now, sides.base))


def _are_alike(sides: Sides) -> bool:
    """Whether two times are about as long as each other."""
    if sides.whole or not (sides.now.start and sides.now.end and sides.base.start and sides.base.end):
        return True
    short, long = sorted((sides.now.end - sides.now.start, sides.base.end - sides.base.start))
    return long <= short * ALIKE


def _on(measure: Measure, side: Filter | Period) -> Measure:
    below = measure.per and replace(measure.per, where=(*measure.per.where, side))
    return replace(measure, where=(*measure.where, side), per=below)


def comparison_of(measures: tuple[Measure, ...]) -> Comparison | None:
    """Return what `side_by_side` made these measures of; None for others."""
    if len(measures) < 3 or measures[2] != replace(measures[0], less=measures[1]):
        return None
    rest = [measure for measure in measures[3:] if not measure.less]
    return Comparison(measures[0], measures[1], rest[0] if rest else None)


def _two_times(one: Measure, other: Measure) -> Comparison | None:
    """Return one figure of two times as a comparison, the later time first."""
    times = [measure.where[-1] for measure in (one, other) if measure.where]
    here, there = (*times, None, None)[:2]
    if not isinstance(here, Period) or not isinstance(there, Period) or here.field != there.field:
        return None
    if replace(one, where=(*one.where[:-1], there)) != other:
        return None
    now, base = (one, other) if (here.start or date.min) >= (there.start or date.min) else (other, one)
    return Comparison(now, base, None)


def is_rate(measure: Measure, lexicon: Lexicon) -> bool:
    """Whether a figure is a share, so that its changes are told in percentage points."""
    metric = lexicon.metric_of(measure)
    return bool(measure.per) or (metric is not None and metric.unit.lower() in RATES)


def aligned(one: Period, other: Period, today: date) -> Sides | None:
    """Put the later time first; an unfinished one is compared with the same part of the other."""
    if not (one.start and one.end and other.start and other.end) or one.field != other.field:
        return None
    now, base = (one, other) if one.start > other.start else (other, one)
    if not (now.start and now.end and base.start and base.end):
        return None
    unit = unit_named(now, today)
    alike = unit == unit_named(base, today) if unit else _months(now) == _months(base) > 0
    if not (now.start < today <= now.end and alike):
        return Sides(now, base)
    end = base.start + relativedelta(today, now.start)
    return Sides(replace(now, end=today), replace(base, end=end), base) if end < base.end else Sides(now, base)


def unit_named(period: Period, today: date) -> str:
    """Return the unit of the calendar that a period is, or is the part so far of; "" for another range."""
    if not period.start or not period.end:
        return ""
    for unit in UNITS:
        whole = unit_of(unit, period.start)
        so_far = unit != "day" and today in (period.end, period.end - DAY) and whole.end and whole.end > today
        if period.start == whole.start and (period.end == whole.end or so_far):
            return unit
    return ""


def _months(period: Period) -> int:
    """Count the months of a time made of whole ones, as a fiscal year; 0 for another."""
    if not (period.start and period.end and period.start.day == period.end.day == 1):
        return 0
    step = relativedelta(period.end, period.start)
    return step.years * 12 + step.months


def before(period: Period, unit: str, today: date) -> Period | None:
    """Return the time before by a unit, or for "" the one of the same length right before."""
    if not period.start or not period.end:
        return None
    own = unit_named(period, today)
    if unit == "year" and own == "week":
        return moved(period, YEAR_OF_WEEKS)
    if unit or own:
        whole = replace(period, end=unit_of(own, period.start).end) if own else period
        return moved(whole, STEPS[unit or own])
    if months := _months(period):
        return moved(period, relativedelta(months=months))
    return moved(period, period.end - period.start)


def moved(period: Period, step: relativedelta | timedelta) -> Period:
    """Move both ends of a time back by a step."""
    start, end = period.start, period.end
    return replace(period, start=start and start - step, end=end and end - step)


def month_before(field: Field, today: date) -> Period:
    """Return the last whole month."""
    end = today.replace(day=1)
    return Period(field, end - STEPS["month"], end)


def alone(meaning: Meaning) -> Meaning:
    """Return a comparison of two times as the figure of the later one; other meanings as they are."""
    found = comparison_of(meaning.measures)
    if len(meaning.measures) == 2 and not meaning.havings:
        found = _two_times(*meaning.measures)
    time = found.now.where[-1] if found and found.now.where else None
    if found is None or not isinstance(time, Period):
        return meaning
    measure = _without_side(found)
    order = tuple(Order(measure, o.descending) if isinstance(o.key, Measure) else o for o in meaning.order)
    havings = tuple(having for having in meaning.havings if not having.measure.less)
    return replace(meaning, measures=(measure,), periods=(*meaning.periods, time), order=order, havings=havings)


def _without_side(found: Comparison) -> Measure:
    below = found.now.per and replace(found.now.per, where=found.now.per.where[:-1])
    return replace(found.now, where=found.now.where[:-1], per=below)


def both_times(meaning: Meaning) -> Meaning:
    """Return a comparison of two times that touch as the figure over both, for a split by time."""
    found, single = comparison_of(meaning.measures), alone(meaning)
    base = found.base.where[-1] if found and found.base.where else None
    now = single.periods[-1] if single.periods else None
    if not isinstance(base, Period) or now is None or single is meaning or not base.end or not now.start:
        return meaning
    touching = now.start - base.end <= LONGEST_GAP
    return replace(single, periods=(*single.periods[:-1], replace(now, start=base.start))) if touching else single


def shifted(before: Meaning, unit: str, *, later: bool) -> Meaning | None:
    """Return a meaning with its times moved by a unit, or by their own length; None where one is open."""
    if not before.periods or before.periods[0].start is None or before.periods[0].end is None:
        return None
    periods = []
    for period in before.periods:
        if period.start is None or period.end is None:
            return None
        step: relativedelta = STEPS.get(unit) or relativedelta(days=(period.end - period.start).days)
        sign = 1 if later else -1
        if unit in ("month", "quarter", "year") and period.start.day == 1:
            start = period.start + step * sign
            end = start + relativedelta(period.end, period.start) if period.end.day == 1 else period.end + step * sign
        else:
            start, end = period.start + step * sign, period.end + step * sign
        periods.append(replace(period, start=start, end=end))
    return replace(before, periods=tuple(periods))
