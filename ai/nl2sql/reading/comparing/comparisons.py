"""Two times or values side by side, changes along time, running totals, shares of the whole."""

from dataclasses import replace

from ai.nl2sql.chart.figures import additive
from ai.nl2sql.chart.parts import Part, When
from ai.nl2sql.chart.shape import ADVERBS
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Filter, Group, Meaning, Measure, Period
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import figure_days

SHORTER_THAN_YEAR = 360  # days


def compared(sketch: Sketch) -> None:
    """Two times or two values side by side; a change along time; the running total; the share of the whole."""
    periods = [part for part in sketch.parts("period") if isinstance(part.data, When)]
    meaning = sketch.meaning
    if meaning.measures and meaning.measures[0].less:
        return
    if len(periods) == 2 and len(meaning.periods) == 2 and meaning.measures and not meaning.fold:
        first, second = meaning.periods
        if first == second and first.start and first.end and sketch.flags("versus"):
            second = replace(first, start=first.start - (first.end - first.start), end=first.start)
        second = _same_part(first, second)
        if first.field == second.field and not _nested(first, second):
            sketch.flag("versus")
            sketch.flag("growth")
            sketch.flag("and")
            each = tuple(replace(m, where=(*m.where, p)) for m in meaning.measures for p in (first, second))
            sketch.edit(measures=each, periods=(), order=())
            return
    values = [f for f in meaning.filters if f.operator == "in" and len(f.values) > 1]
    if sketch.flags("versus") and values and meaning.measures:
        sketch.flag("versus")
        group = Group(values[-1].field.table, values[-1].field.column)
        sketch.edit(groups=(*(g for g in meaning.groups if g != group), group))
        return
    if _versus_within(sketch) and values and meaning.measures and not meaning.groups:
        sketch.edit(groups=(Group(values[-1].field.table, values[-1].field.column),))
    _along(sketch)


def _same_part(first: Period, second: Period) -> Period:
    """“in August, this year and last year”: the same part of a year that is named alone."""
    if not (first.start and first.end and second.start and second.end):
        return second
    is_year = (second.start.month, second.start.day) == (1, 1) and second.end == second.start.replace(
        year=second.start.year + 1
    )
    years = second.start.year - first.start.year
    part = (first.end - first.start).days < SHORTER_THAN_YEAR and (first.start.day, first.end.day) == (1, 1)
    if not (is_year and part and years and first.field == second.field):
        return second
    return replace(
        first, start=first.start.replace(year=second.start.year), end=first.end.replace(year=first.end.year + years)
    )


def _versus_within(sketch: Sketch) -> bool:
    words = [word.key for part in sketch.parts("filter") for word in sketch.lattice.words[part.start : part.end]]
    return any(word in ("vs", "versus", "vs.") for word in words)


def _nested(one: Period, other: Period) -> bool:
    starts = [p.start for p in (one, other)]
    return None in starts or one == other


def _along(sketch: Sketch) -> None:
    series = "running" if sketch.flags("running") else "change" if sketch.flags("growth") else ""
    if series and sketch.target and sketch.meaning.groups and not sketch.meaning.all_measures and not sketch.shown:
        sketch.edit(measures=(Measure("count", sketch.target.table),))
    meaning = sketch.meaning
    if not series or not meaning.measures:
        return
    sketch.flag("running")
    over_time = any(
        part.said.lower() in ("over time", "trend", "trend of", "the trend of", "development")
        for part in sketch.flags("growth")
    )
    sketch.flag("growth")
    groups = meaning.groups
    if not any(group.unit for group in groups):
        fields = figure_days(sketch.lexicon, meaning.measures[0])
        if not fields:
            sketch.doubt("I find no date here to follow over time.")
            return
        words = {word.key for word in sketch.lattice.words}
        unit = "week" if "week" in words or "wow" in words else "day" if "day" in words else "month"
        groups = (*groups, Group(fields[0].table, fields[0].column, unit))  # type: ignore[arg-type]
        if len(sketch.parts("period")) == 1 and unit == "month" and series == "change" and not over_time:
            sketch.doubt("Say which two times to compare.", 2.0)
    sketch.edit(groups=groups, series="" if over_time else series, order=())


def _follows_number(sketch: Sketch, start: int) -> bool:
    return start > 0 and sketch.lattice.words[start - 1].number is not None


def _shared_part(sketch: Sketch, parts: list[Part]) -> Part:
    """The condition of a share: the last one, unless it is the whole: “of card payments in paid orders”."""
    before = sketch.lattice.words[parts[-1].start - 1].key if parts[-1].start else ""
    return parts[0] if len(parts) > 1 and before in ("in", "among", "amongst", "within") else parts[-1]


def _rate_of_kind(sketch: Sketch, measure: Measure) -> bool:
    """“percent of neutered pets per species”: of all rows of the group, where “by species” shares out the total."""
    such = tuple(test for part in sketch.parts("noun") for test in part.such)
    each = [part for part in sketch.parts("group") if not part.said.lower().startswith("by ")]
    if not such or not each or measure.function != "count" or {test.field.table for test in such} != {measure.table}:
        return False
    rest = tuple(test for test in sketch.meaning.filters if test not in such)
    sketch.edit(measures=(replace(measure, where=such, per=measure),), filters=rest, order=())
    return True


def shared(sketch: Sketch) -> None:
    """“share of revenue by category” is of the total; “share of hotfixes among releases” has a condition of its own."""
    if not sketch.flags("share"):
        return
    meaning = sketch.meaning
    if not meaning.measures and sketch.target and not meaning.order:
        sketch.edit(measures=(Measure("count", sketch.target.table),))
        meaning = sketch.meaning
    if not meaning.measures or meaning.fold or meaning.measures[0].less:
        return
    sketch.flag("share")
    adverb = any(part.said.lower() in ADVERBS for part in sketch.parts("group"))
    if meaning.limit or adverb or any(_follows_number(sketch, part.start) for part in sketch.flags("share")):
        sketch.doubt("I cannot compute the share of a part that is ranked or compared; ask for the figures themselves.")
        return
    parts = [part for part in sketch.parts("filter") if not part.either]
    measure = meaning.measures[0]
    if not additive(sketch.lexicon, measure):
        sketch.doubt("A share needs a total, and this figure is none.")
        return
    if parts:
        last: tuple[Filter, ...] = _shared_part(sketch, parts).data
        rest = tuple(f for f in meaning.filters if f not in last)
        part = replace(measure, where=tuple(last), per=measure)
        own = tuple(g for g in meaning.groups if not (sketch.target == g and g.column is None))
        sketch.edit(measures=(part,), filters=rest, groups=own, order=())
    elif meaning.groups and _rate_of_kind(sketch, measure):
        return
    elif meaning.groups:
        sketch.edit(share=True)
    else:
        sketch.doubt("Say what the share is of.")


def stand_apart(sketch: Sketch) -> None:
    """Give figures of several tables (“how many orders and returns”) their own conditions, where all hold for each."""
    meaning = sketch.meaning
    bare = replace(meaning, filters=(), periods=())
    if not bare.stands_apart:
        return
    made = [_with_own(measure, meaning, sketch.lexicon) for measure in meaning.measures]
    found = tuple(measure for measure in made if measure is not None)
    if len(found) == len(made):
        sketch.edit(measures=found, filters=(), periods=())


def _with_own(measure: Measure, meaning: Meaning, lexicon: Lexicon) -> Measure | None:
    tests: list[Filter | Period] = []
    for test in meaning.filters:
        table = test.field.table
        if lexicon.links.path(measure.table, table) is None or many_between(lexicon, measure.table, table):
            return None
        tests.append(test)
    for period in meaning.periods:
        days = figure_days(lexicon, measure)
        if len(days) != 1:
            return None
        tests.append(replace(period, field=days[0]))
    return replace(measure, where=(*measure.where, *tests))
