"""Figures along time, their changes and running totals, and several times in one question."""

from datetime import date, timedelta
from itertools import pairwise
from typing import get_args

from ai.nl2sql.chart.figures import additive
from ai.nl2sql.chart.parts import Part, When
from ai.nl2sql.comparison import UNITS, unit_named
from ai.nl2sql.meaning import Group, Measure, Period, Series, Unit
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import figure_days

NO_SUM = "A running total needs a figure that adds up, and this one does not."
NO_DATE = "I find no date here to follow over time."
FEW_DAYS = timedelta(days=62)  # a running total of a longer time goes by month
USUAL = {"day": 7, "week": 4, "month": 3, "quarter": 4, "year": 3}  # rows of a moving average without a number
BOTH = frozenset({"and", "plus"})
BEFORE_TIMES = frozenset({"in", "for", "during", "at", "the", "also", "just", "on"})


def kinds_of_growth(sketch: Sketch) -> set[str]:
    return {part.data.value for part in sketch.flags("growth")}


def along(sketch: Sketch) -> None:
    """Add the series asked for, by the unit said, else one to fit the time."""
    series = _asked(sketch)
    if series and sketch.target and sketch.meaning.groups and not sketch.meaning.all_measures and not sketch.shown:
        sketch.edit(measures=(Measure("count", sketch.target.table),))
    if not series or not sketch.meaning.measures:
        return
    kinds = kinds_of_growth(sketch)
    if "gap" in kinds and series == "change":
        return
    if series == "running" and not additive(sketch.lexicon, sketch.meaning.measures[0]):
        sketch.doubt(NO_SUM)
    window = next((part.data.value.split() for part in sketch.flags("moving") if part.data.value), None)
    for sign in ("running", "moving", "growth"):
        sketch.flag(sign)
    if not _timed(sketch, series, kinds, window):
        return
    if series == "moving":
        unit = next(group.unit for group in sketch.meaning.groups if group.unit)
        rows = int(window[0]) if window else USUAL.get(unit, 7)
        sketch.edit(rows=rows)
        sketch.assume(f"the first {rows - 1} {unit}s average fewer" if window else f"over {rows} {unit}s")
    sketch.edit(series="" if "trend" in kinds else series, order=())


def _asked(sketch: Sketch) -> Series:
    if sketch.flags("running"):
        return "running"
    return "moving" if sketch.flags("moving") else "change" if sketch.flags("growth") else ""


def _timed(sketch: Sketch, series: Series, kinds: set[str], window: list[str] | None) -> bool:
    """Whether there is a group of time to go along; one is added where none was said."""
    groups = sketch.meaning.groups
    if any(group.unit for group in groups):
        return True
    fields = figure_days(sketch.lexicon, sketch.meaning.measures[0])
    if not fields:
        sketch.doubt(NO_DATE)
        return False
    unit = _unit(sketch, series, kinds, window)
    sketch.edit(groups=(*groups, Group(fields[0].table, fields[0].column, unit)))
    if len(sketch.parts("period")) == 1 and unit == "month" and series == "change" and not kinds & {"trend", "month"}:
        sketch.doubt("Say which two times to compare.", 2.0)
    return True


def _unit(sketch: Sketch, series: Series, kinds: set[str], window: list[str] | None) -> Unit:
    """Choose the unit said; else days for a short time, then months."""
    timed = {at for part in sketch.parts("period") for at in range(part.start, part.end)}
    words = {word.key for at, word in enumerate(sketch.lattice.words) if at not in timed}
    said: list[Unit] = [unit for unit in UNITS if unit in kinds or (window and unit in window[1:])]
    said += [unit for unit in ("week", "day") if unit in words and series == "change"]
    if said:
        return said[0]
    short = (series == "running" or "trend" in kinds) and is_short(sketch.meaning.periods)
    return "day" if series == "moving" or short else "month"


def is_short(periods: tuple[Period, ...]) -> bool:
    """Whether a series over these times goes by day."""
    return any(p.start and p.end and p.end - p.start <= FEW_DAYS for p in periods)


def several_times(sketch: Sketch) -> None:
    """Join times that follow each other, and narrow two of which one lies within the other."""
    _not_since(sketch)
    said = [part for part in sketch.parts("period") if isinstance(part.data, When)]
    periods = sketch.meaning.periods
    if len(periods) < 2 or len(said) != len(periods) or len({period.field for period in periods}) > 1:
        return
    if _crossed(sketch, *said):
        sketch.doubt("I cannot tell how these two figures belong together; ask for one at a time.")
    if sketch.flags("versus") or sketch.flags("growth"):
        return
    between = {word.key for a, b in pairwise(said) for word in sketch.lattice.words[a.end : b.start]}
    if (whole := _one_after_the_other(periods)) and between <= BEFORE_TIMES | BOTH | {"or"}:
        if "or" in between:
            sketch.edit(periods=(whole,))
        elif len(periods) > 2:
            _unit_by_unit(sketch, whole)
    elif len(periods) == 2 and not (between & BOTH and between <= BEFORE_TIMES | BOTH):
        _narrow(sketch, *periods)


def _not_since(sketch: Sketch) -> None:
    """“players we haven't seen since september” are not those never seen, of another day since."""
    words, periods = sketch.lattice.words, sketch.meaning.periods
    since = {part.start for part in sketch.parts("period") if words[part.start].key == "since"}
    for part in sketch.parts("filter"):
        if (
            part.end in since
            and part.data[0].operator == "null"
            and part.data[0].field not in {p.field for p in periods}
        ):
            sketch.doubt("I cannot tell how these times belong together.")


def _crossed(sketch: Sketch, *times: Part) -> bool:
    """“revenue on iOS in september and on Android in october”: two values, each at a time of its own."""
    values = [part for part in sketch.parts("filter") if part.data]
    placed = sorted((*times, *values), key=lambda part: part.start)
    kinds = [part.kind == "period" for part in placed]
    same = len(values) == 2 and values[0].data[0].field == values[1].data[0].field
    return same and len(times) == 2 and kinds[0] == kinds[2] != kinds[1] == kinds[3]


def follow_each_other(before: Part, after: Part) -> bool:
    """Whether two conditions are times without a gap between them: “january or february”."""
    times = [part.data.span for part in (before, after) if isinstance(part.data, When)]
    return len(times) == 2 and times[0].end is not None and times[0].end == times[1].start


def _one_after_the_other(periods: tuple[Period, ...]) -> Period | None:
    """Return all of them as one time, where none is missing in between."""
    inside = sorted(periods, key=lambda period: period.start or date.min)
    if any(one.end is None or one.end != other.start for one, other in pairwise(inside)):
        return None
    return Period(inside[0].field, inside[0].start, inside[-1].end)


def _unit_by_unit(sketch: Sketch, whole: Period) -> None:
    """“installs in july, august and september”: each month for itself; rows of all of them."""
    meaning = sketch.meaning
    units = {unit_named(period, sketch.today) for period in meaning.periods}
    unit: Unit | None = next((unit for unit in get_args(Unit) if {unit} == units), None)
    split = unit and meaning.measures and not any(group.unit for group in meaning.groups)
    times = (Group(whole.field.table, whole.field.column, unit),) if split else ()
    sketch.edit(periods=(whole,), groups=(*meaning.groups, *times))


def _narrow(sketch: Sketch, one: Period, other: Period) -> None:
    """“in 2026, up to october”: of two times, one within the other or open, their overlap."""
    starts = [p.start for p in (one, other) if p.start]
    ends = [p.end for p in (one, other) if p.end]
    within = (max(starts, default=None), min(ends, default=None))
    nested = within in ((one.start, one.end), (other.start, other.end))
    if (nested or len(starts) + len(ends) < 4) and not (within[0] and within[1] and within[0] >= within[1]):
        sketch.edit(periods=(Period(one.field, *within),))
