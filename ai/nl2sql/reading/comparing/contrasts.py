"""Figures side by side: of two times for each thing (“gained most”), or of several tables."""

from dataclasses import replace

from ai.language.spans import STEPS, unit_of
from ai.nl2sql.comparison import Sides, aligned, before, side_by_side, unit_named
from ai.nl2sql.meaning import Field, Group, Having, Measure, Order, Period
from ai.nl2sql.reading.sketch import Sketch, is_fact
from ai.nl2sql.schema import averaged, figure_days, is_numeric

ASKED_YES_OR_NO = frozenset({"was", "were", "is", "are", "did", "do", "does", "has", "have"})
UNITS = ("week", "month", "quarter", "year")
SETTLED = 0.8  # what the words of a comparison cost as long as nothing is compared


def contrasted(sketch: Sketch) -> None:
    """Compare one time, or one figure, with another."""
    if sketch.flags("contrast"):
        _more_than(sketch)
    elif sketch.flags("growth") and sketch.flags("share"):
        _grown(sketch)
    elif sketch.flags("gain"):
        _gained(sketch)


def _things(sketch: Sketch) -> tuple[Group, ...]:
    """Return the groups of the figures: those said, else the target."""
    if sketch.meaning.groups:
        return sketch.meaning.groups
    texts = [f for f in sketch.shown if not is_numeric(sketch.lexicon, f)]
    nouns = {str(part.data) for part in sketch.parts("noun")}
    if texts and texts[0].table not in nouns:
        sketch.shown = [f for f in sketch.shown if f != texts[0]]
        return (Group(texts[0].table, texts[0].column),)
    return (sketch.target,) if sketch.target else ()


def _more_than(sketch: Sketch) -> None:
    """“fewer installs in October than in September”; without a thing, show both times."""
    sign, measures, periods = sketch.flags("contrast")[0].data.value, sketch.meaning.measures, sketch.meaning.periods
    if len(measures) != 1 or len(periods) != 2 or periods[0].field != periods[1].field or sketch.meaning.fold:
        return
    sketch.flag("contrast")
    sketch.cost -= SETTLED
    things = () if sketch.lattice.words[0].key in ASKED_YES_OR_NO else _things(sketch)
    if not things or things == (Group(measures[0].table),):
        return
    sketch.flag("versus")
    one, other = (replace(measures[0], where=(*measures[0].where, period)) for period in periods)
    sketch.edit(
        groups=things,
        measures=(one, other),
        periods=(),
        havings=(*sketch.meaning.havings, Having(one, sign, than=other)),
    )


def _gained(sketch: Sketch) -> None:
    """“which app gained the most installs from September to October”: the change between two times, of each thing."""
    parts = sketch.flags("gain")
    ranked = [rank for rank in sketch.data("rank") if rank.key is None or isinstance(rank.key, Measure | Field)]
    said = parts[0].said.lower().split()
    sorts = said[-1] == "first"
    most = bool(ranked) or said[0] in ("biggest", "largest", "fastest", "strongest", "most") or said[-1] == "most"
    measure = _measure(sketch)
    times = _with_earlier(sketch, measure) or _two_times(sketch.meaning.periods)
    things = _things(sketch)
    one = len(sketch.meaning.periods) == 1 and not sketch.flags("earlier")
    if one and sketch.flags("versus") and not _two_units(sketch.meaning.periods[0]):
        sketch.doubt("Say which two times to compare.", 2.0)
        return
    if measure is None or times is None or not things or sketch.meaning.fold or measure.per:
        return
    for sign in ("gain", "versus", "earlier"):
        sketch.flag(sign)
    sketch.cost -= SETTLED
    down = parts[0].data.value == "asc"
    each = side_by_side(measure, aligned(*times, sketch.today) or Sides(times[1], times[0]), sketch.lexicon)
    change = each[2]
    havings = sketch.meaning.havings if most else (*sketch.meaning.havings, Having(change, "<" if down else ">", 0))
    limit = (sketch.meaning.limit or 1) if most and not sorts else None
    sketch.edit(
        groups=things, measures=each, periods=(), havings=havings, order=(Order(change, not down),), limit=limit
    )


def _with_earlier(sketch: Sketch, measure: Measure | None) -> tuple[Period, Period] | None:
    """“which apps lost installs compared to the month before”: the time said, or the last whole one, behind another."""
    said, periods = sketch.flags("earlier"), sketch.meaning.periods
    days = figure_days(sketch.lexicon, measure) if said and measure else []
    if len(days) != 1 or len(periods) > 1 or (not periods and said[0].data.value == "year"):
        return None
    unit = said[0].data.value
    end = unit_of(unit, sketch.today).start or sketch.today
    now = periods[0] if periods else Period(days[0], end - STEPS[unit], end)
    other = before(now, unit, sketch.today)
    return (other, now) if other else None


def _grown(sketch: Sketch) -> None:
    """“revenue growth October vs September in percent”: the change between two times as a part of the first."""
    measure, times = _measure(sketch), _two_times(sketch.meaning.periods)
    if _along_time(sketch):
        return
    if (
        measure is None
        or times is None
        or sketch.meaning.fold
        or measure.per
        or any(g.unit for g in sketch.meaning.groups)
    ):
        return
    for sign in ("growth", "share", "versus"):
        sketch.flag(sign)
    sketch.cost -= SETTLED
    each = side_by_side(measure, aligned(*times, sketch.today) or Sides(times[1], times[0]), sketch.lexicon)
    order = (Order(each[2], descending=True),) if sketch.meaning.groups else ()
    sketch.edit(measures=each, periods=(), order=order)


def _along_time(sketch: Sketch) -> bool:
    """“month over month growth this year”: from each month to the next."""
    kinds = {part.data.value for part in sketch.flags("growth")}
    periods = sketch.meaning.periods
    return len(periods) == 1 and any(
        unit in kinds and unit_named(periods[0], sketch.today) != unit for unit in ("week", "month")
    )


def _measure(sketch: Sketch) -> Measure | None:
    found = sketch.meaning.measures or tuple(o.key for o in sketch.meaning.order if isinstance(o.key, Measure))
    return found[0] if len(found) == 1 else None


def _two_times(periods: tuple[Period, ...]) -> tuple[Period, Period] | None:
    """Two times said, the halves of two months or years, or a time and the one before."""
    if len(periods) == 2 and periods[0].field == periods[1].field:
        one, other = sorted(periods, key=lambda period: str(period.start))
        return one, other
    if len(periods) != 1 or not periods[0].start or not periods[0].end:
        return None
    only = periods[0]
    if (unit := _two_units(only)) and only.start:
        middle = only.start + STEPS[unit]
        return replace(only, end=middle), replace(only, start=middle)
    for unit in UNITS:
        if only.start and only.start + STEPS[unit] == only.end:
            return replace(only, start=only.start - STEPS[unit], end=only.start), only
    return None


def _two_units(period: Period) -> str:
    """The unit of time a period holds two of: “from September to October”."""
    held = (unit for unit in UNITS if period.start and period.start + STEPS[unit] * 2 == period.end)
    return next(held, "")


def beside_average(sketch: Sketch) -> None:
    """“countries with above-average revenue”: totals of events, each thing beside the mean of all."""
    target = sketch.target
    for test in sketch.meaning.filters:
        event = is_fact(sketch.lexicon, test.field.table) or (target is not None and target.table != test.field.table)
        nouns = {str(part.data) for part in sketch.parts("noun")}
        kinds = averaged(test.field) and test.field.table not in nouns and any(f != test.field for f in sketch.shown)
        things = _things(sketch) if test.than == "avg" and (event or kinds) else ()
        if not things or things == (Group(test.field.table),):
            continue
        function = "avg" if averaged(test.field) else "sum"
        figure = Measure(function, test.field.table, test.field.column)  # type: ignore[arg-type]
        having = Having(figure, test.operator, mean=True)
        rest = tuple(other for other in sketch.meaning.filters if other is not test)
        sketch.edit(groups=things, filters=rest, havings=(*sketch.meaning.havings, having), columns=())
