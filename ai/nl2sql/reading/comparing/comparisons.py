"""A figure at two times, or of two values, side by side with its change."""

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import get_args

from ai.language.spans import STEPS, unit_of
from ai.nl2sql.chart.parts import Part, When
from ai.nl2sql.comparison import (
    LAST_MONTH,
    YEAR_OF_WEEKS,
    Sides,
    aligned,
    at_both,
    before,
    month_before,
    moved,
    side_by_side,
    unit_named,
)
from ai.nl2sql.meaning import Filter, Group, Measure, Order, Period, Unit
from ai.nl2sql.reading.comparing.apart import apart
from ai.nl2sql.reading.comparing.series import along, kinds_of_growth
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import display, figure_days, noun

SHORTER_THAN_YEAR, LONGEST_MONTH = 360, 31  # days
AGO = r"(?:from |to )?.+ (?P<unit>day|week|month|quarter|year)s? (?:ago|back|before|earlier)"
RANGING = frozenset({"to", "until", "till", "through", "thru"})
A_RANGE = 0.8
SIGNS = ("versus", "growth", "and", "earlier")
WORDS = 0.4  # what the words of two times cost more than those of one
SETTLED = 0.8  # what the words of a comparison cost as long as nothing is compared
PARTS: dict[tuple[str, str], Unit] = {
    ("week", "day"): "weekday", ("month", "day"): "day of month", ("year", "month"): "month of year",
}  # fmt: skip


def compared(sketch: Sketch) -> None:
    """Put two times or two values side by side, or tell the change along time."""
    _counted(sketch)
    measures = sketch.meaning.measures
    if measures and any(measure.less for measure in measures):
        return
    if measures and not sketch.meaning.fold:
        times = _two_times(sketch) or _one_time(sketch) or _no_time(sketch)
        if (times and beside(sketch, *times)) or _gap(sketch):
            return
    if not _by_value(sketch) and not apart(sketch):
        along(sketch)


def _counted(sketch: Sketch) -> None:
    """“tickets this week vs last week” compares how many."""
    meaning, target = sketch.meaning, sketch.target
    asks = sketch.flags("versus") or sketch.flags("growth") or sketch.flags("earlier")
    plain = not (meaning.all_measures or sketch.shown or meaning.columns or meaning.limit or meaning.fold)
    whole = target.table if target and not target.column and target not in meaning.groups else ""
    if whole and plain and sketch.flags("growth") and sketch.lattice.words[0].key in ("which", "what"):
        sketch.doubt(f"By what did the {noun(sketch.lexicon, whole)} change? Name the figure.")
    elif asks and plain and whole and sketch.parts("period"):
        sketch.edit(measures=(Measure("count", whole),), subject=whole)
    elif plain and not asks and not sketch.flags("list") and _versus_within(sketch):
        named = {
            test.field.table for part in sketch.parts("filter") if _says_versus(sketch, part) for test in part.data
        }
        table = target.table if target and not target.column else next(iter(named))
        if target is None and _between_names(sketch):
            sketch.doubt("What do you want to compare?")
            return
        sketch.flag("count")
        sketch.edit(measures=(Measure("count", table),), subject=table)


def _between_names(sketch: Sketch) -> bool:
    """Whether single things stand side by side: “Lumo vs Pingo last month”."""
    tests = [test for part in sketch.parts("filter") if _says_versus(sketch, part) for test in part.data]
    return bool(tests) and all(test.field in display(sketch.lexicon, test.field.table) for test in tests)


def _two_times(sketch: Sketch) -> tuple[Period, Period] | None:
    said = [part for part in sketch.parts("period") if isinstance(part.data, When)]
    if len(said) != 2 or len(sketch.meaning.periods) != 2:
        return None
    first, second = sketch.meaning.periods
    if sketch.flags("earlier") and first != second:
        sketch.doubt("I cannot tell which times to compare; name both of them.")
    sketch.cost += A_RANGE * _is_range(sketch, *said)
    if first == second:
        unit = "" if unit_named(first, sketch.today) else "year"  # “this summer vs last summer”
        unit = "" if any(part.data.span.last for part in said) else unit
        other = before(first, unit, sketch.today) if sketch.flags("versus") else None
        return (first, other) if other else None
    if back := re.fullmatch(AGO, said[1].said.lower()):
        second = _same_length(first, second, back["unit"])
    return first, same_part(first, second, sketch.today)


def _is_range(sketch: Sketch, one: Part, other: Part) -> bool:
    """“revenue from 1 oct to 15 oct” compares no two days."""
    words = [word.key for word in sketch.lattice.words[max(0, one.start - 1) : other.start + 1]]
    signs = any(sketch.flags(sign) for sign in ("versus", "growth", "gain", "contrast"))
    return not signs and "from" in words[:2] and bool(RANGING & {*words[2:]})


def _same_length(first: Period, second: Period, unit: str) -> Period:
    """“yesterday vs a week ago”: the day a week before, not that week."""
    if not (first.start and first.end and second.start and second.end) or first.field != second.field:
        return second
    if unit == "year" or first.end - first.start >= second.end - second.start:
        return second  # `same_part` knows the same days of another year
    is_day = first.end - first.start == timedelta(days=1)
    step = STEPS[unit] if unit == "week" or is_day else timedelta(weeks=4 if unit == "month" else 13)
    steps = 1
    while first.start - step * steps >= second.end:
        steps += 1
    return moved(first, step * steps)


def same_part(first: Period, second: Period, today: date) -> Period:
    """“in August, this year and last year”: the same part of a year that is named alone."""
    if not (first.start and first.end and second.start and second.end) or first.field != second.field:
        return second
    years = first.start.year - second.start.year
    whole = second.start == date(second.start.year, 1, 1) and second.end == date(second.start.year + 1, 1, 1)
    short = (first.end - first.start).days < SHORTER_THAN_YEAR and unit_named(first, today) != "year"
    if not (whole and short and years):
        return second
    if first.start.day == 1 and (first.end.day == 1 or (first.end - first.start).days > LONGEST_MONTH):
        return moved(first, STEPS["year"] * years)
    return moved(first, YEAR_OF_WEEKS * years)


def _one_time(sketch: Sketch) -> tuple[Period, Period] | None:
    """A time and the one before: “the week before”, “growth in October”, “yoy in Q3”."""
    periods, kinds = sketch.meaning.periods, kinds_of_growth(sketch)
    timed = any(group.unit for group in sketch.meaning.groups)
    if len(periods) != 1 or sketch.flags("running") or sketch.flags("moving"):
        return None
    if relative := sketch.flags("earlier"):
        other = before(periods[0], relative[0].data.value, sketch.today)
        sketch.cost -= SETTLED
        return (periods[0], other) if other else None
    if not kinds or "trend" in kinds or "gap" in kinds or (timed and "year" not in kinds):
        return None
    unit = next((kind for kind in kinds if kind in STEPS), "")
    own = unit_named(periods[0], sketch.today)
    if unit and own != unit and (unit != "year" or not own):
        return None
    if not own and (halves := _halves(periods[0])):
        return halves
    other = before(periods[0], unit if unit == "year" else "", sketch.today)
    return (periods[0], other) if other else None


def _halves(period: Period) -> tuple[Period, Period] | None:
    """“from September to October”: the two units of a time that holds two."""
    for unit in ("month", "quarter", "year"):
        if period.start and period.start.day == 1 and period.start + STEPS[unit] * 2 == period.end:
            middle = period.start + STEPS[unit]
            return replace(period, start=middle), replace(period, end=middle)
    return None


def _no_time(sketch: Sketch) -> tuple[Period, Period] | None:
    """The last whole month, or the unit said, beside the one before: “did revenue go up?”, “growth by country”."""
    earlier = {part.data.value for part in sketch.flags("earlier")}  # “compared to the month before”
    kinds, groups = kinds_of_growth(sketch) | ({"two"} | earlier if earlier else set()), sketch.meaning.groups
    days = figure_days(sketch.lexicon, sketch.meaning.measures[0])
    ranged = sketch.meaning.periods or sketch.parts("period")
    if ranged or len(days) != 1 or not kinds or kinds & {"trend", "gap"}:
        return None
    if sketch.flags("running") or sketch.flags("moving"):
        return None
    unit = next((kind for kind in kinds if kind in STEPS), "")
    if any(group.unit != "month" for group in groups if group.unit) or (unit != "year" and any(g.unit for g in groups)):
        return None
    if not groups and "two" not in kinds and unit != "year":
        return None
    if unit == "year":
        start = sketch.today.replace(month=1, day=1)
        now = Period(days[0], start, start + STEPS["year"])
        sketch.assume("this year so far is compared with the same part of last year")
    elif unit in ("week", "quarter"):
        end = unit_of(unit, sketch.today).start or sketch.today
        now = Period(days[0], end - STEPS[unit], end)
        sketch.assume(f"the last whole {unit} is compared with the one before")
    else:
        now = month_before(days[0], sketch.today)
        sketch.assume(LAST_MONTH)
    other = before(now, "", sketch.today)
    return (now, other) if other else None


def beside(sketch: Sketch, one: Period, other: Period) -> bool:
    """Show the figures at both times; one figure alone also with its change."""
    meaning, sides = sketch.meaning, aligned(one, other, sketch.today)
    if sides is None or sides.now == sides.base:
        return False
    grows = bool(sketch.flags("growth"))
    sketch.cost -= WORDS
    for sign in SIGNS:
        sketch.flag(sign)
    if sides.whole:
        sketch.assume("the current time is not over, so the same part of the other one is compared")
    timed = any(group.unit for group in meaning.groups)
    each = at_both(meaning.measures, replace(sides, whole=None) if timed else sides, sketch.lexicon)
    groups = tuple(aligned_group(group, sides, sketch.today) for group in meaning.groups)
    key = next((m for m in each if m.less), each[0]) if grows else each[0]
    order = (Order(key, descending=True),) if groups and not timed else ()
    sketch.edit(measures=each, groups=groups, periods=(), order=order)
    return True


def aligned_group(group: Group, sides: Sides, today: date) -> Group:
    """Group days by their place in the week or month, months by that in the year."""
    whole = unit_named(sides.now, today)
    part = PARTS.get((whole, group.unit or ""))
    return replace(group, unit=part) if part in get_args(Unit) else group


def _gap(sketch: Sketch) -> bool:
    """“how much more revenue does iOS make than Android”: the figures of two values and their difference."""
    meaning = sketch.meaning
    tests = [test for test in meaning.filters if test.operator == "in" and len(test.values) == 2]
    if not (sketch.flags("contrast") or "gap" in kinds_of_growth(sketch)) or len(tests) != 1:
        return False
    if len(meaning.measures) != 1 or meaning.measures[0].per or len(meaning.periods) > 1 or meaning.limit:
        return False
    for sign in (*SIGNS, "contrast"):
        sketch.flag(sign)
    sketch.cost -= SETTLED
    one, other = (Filter(tests[0].field, "=", (value,)) for value in tests[0].values)
    rest = tuple(test for test in meaning.filters if test != tests[0])
    groups = tuple(g for g in meaning.groups if (g.table, g.column) != (tests[0].field.table, tests[0].field.column))
    each = side_by_side(meaning.measures[0], (one, other), sketch.lexicon)
    sketch.edit(measures=each, filters=rest, groups=groups, order=(Order(each[0], True),) if groups else ())
    return True


def _by_value(sketch: Sketch) -> bool:
    """“iOS vs Android”: a row for each of the values."""
    meaning = sketch.meaning
    values = [f for f in meaning.filters if f.operator == "in" and len(f.values) > 1]
    if not values or not meaning.measures:
        return False
    group = Group(values[-1].field.table, values[-1].field.column)
    split = (*(g for g in meaning.groups if g != group), group)
    if sketch.flag("versus"):
        sketch.edit(groups=split)
        return True
    if any(_says_versus(sketch, part) and values[-1].field == part.data[0].field for part in sketch.parts("filter")):
        if meaning.groups and meaning.limit and len(meaning.measures) == 1:
            _ranked_together(sketch, values[-1])
        else:
            sketch.edit(groups=split)
    elif _are_things(sketch, values[-1]) and meaning.groups and all(group.unit for group in meaning.groups):
        sketch.edit(groups=split)
    return False


def _are_things(sketch: Sketch, test: Filter) -> bool:
    """Whether things are named side by side: “Nimbolo and Gabbro by month” are two lines, not their sum."""
    said = [part.said.lower() for part in sketch.parts("filter") if part.data[0].field == test.field]
    return test.field in display(sketch.lexicon, test.field.table) and any(" and " in words for words in said)


def _ranked_together(sketch: Sketch, sides: Filter) -> None:
    """Rank by what the sides have together, and show each: “iOS vs Android installs, top 3 countries”."""
    figure = sketch.meaning.measures[0]
    each = (Filter(sides.field, "=", (value,)) for value in sides.values)
    sketch.edit(measures=tuple(replace(figure, where=(*figure.where, side)) for side in each))


def _versus_within(sketch: Sketch) -> bool:
    return any(_says_versus(sketch, part) for part in sketch.parts("filter"))


def _says_versus(sketch: Sketch, part: Part) -> bool:
    return any(word.key in ("vs", "versus", "vs.") for word in sketch.lattice.words[part.start : part.end])
