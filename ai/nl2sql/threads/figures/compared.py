"""Compare the figure shown: with another time or value, along time, as a running or moving figure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from ai.nl2sql.chart.figures import additive
from ai.nl2sql.checks import complaint
from ai.nl2sql.comparison import (
    LAST_MONTH,
    UNITS,
    aligned,
    alone,
    at_both,
    before,
    comparison_of,
    month_before,
    shifted,
    side_by_side,
    unit_named,
)
from ai.nl2sql.contradictions import EXACT
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Filter, Group, Meaning, Measure, Order, Period
from ai.nl2sql.reading.comparing.comparisons import aligned_group, same_part
from ai.nl2sql.reading.comparing.series import NO_DATE, NO_SUM, USUAL, is_short, kinds_of_growth
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import figure_days
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.context import new_periods
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.threads.referents import referent
from ai.nl2sql.threads.steps import NO_TIME_BEFORE, Followed, stepped

TWO_MOMENTS = "I cannot put what there is at two moments side by side; ask for one time after the other."
TWO_MEANS = "I cannot put averages of two times side by side; ask for one time after the other."
NO_SHARES = "the numbers are compared, not their shares"
FEW_DAYS = 5  # fewer show no trend

PICKED = "That time was picked by its figure; name it to compare it with another."


def compared(side: str, found: Sketch | None, earlier: Sequence[Meaning], lexicon: Lexicon) -> Followed | None:
    """“compared to October”, “vs the month before”, “vs Android”: both beside each other."""
    shown = _with_figure(alone(earlier[0]))
    if not shown.measures or found is None:
        return None
    if shown.share and (signals.BEFORE.match(side) or found.data("period")):
        made = compared(side, found, (replace(shown, share=False), *earlier[1:]), lexicon)
        return replace(made, notes=(*made.notes, NO_SHARES)) if made else None
    if shift := signals.BEFORE.match(side):
        return _with_time_before(shown, shift, found.today, lexicon)
    if found.unread() or found.wanted:
        return None
    if shown.fold:  # “is that more than September?” after a mean of days
        periods = new_periods(found, shown, lexicon) if found.data("period") and not found.meaning.filters else ()
        other = (replace(shown, periods=periods),) if len(periods) == 1 else ()
        return Followed(None, problem=TWO_MEANS, choices=other)
    if days := [test for test in found.meaning.filters if test.operator == "weekday"]:
        return _on_other_days(shown, days, lexicon) if len(found.meaning.filters) == 1 else None
    if found.data("period") and not found.meaning.filters:
        periods = new_periods(found, shown, lexicon)
        return _beside(shown, periods[0], found.today, lexicon) if len(periods) == 1 else None
    return None if found.data("period") else _with_value(shown, found)


def _with_figure(shown: Meaning) -> Meaning:
    """Show the figure that things are ranked by: “compared to september” after the top 3 by revenue."""
    key = shown.order[0].key if shown.order and shown.groups and not shown.measures else None
    return replace(shown, measures=(key,)) if isinstance(key, Measure) else shown


def of_two_times(said: re.Match[str], earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    """“October vs September”, “compare October with September”: the figure before at both times."""
    now, base = said["one"] or said["now"], said["two"] or said["base"]
    found, shown = best_of(read, now), alone(earlier[0])
    if found is None or found.unread() or found.wanted or found.meaning.filters or not found.data("period"):
        return None
    periods = new_periods(found, shown, lexicon)
    here = (replace(shown, periods=periods), *earlier[1:])
    return compared(base, best_of(read, base), here, lexicon) if len(periods) == 1 else None


def _with_time_before(shown: Meaning, shift: re.Match[str], today: date, lexicon: Lexicon) -> Followed | None:
    if shown.limit == 1 and any(group.unit for group in shown.groups):
        return Followed(None, problem=PICKED)
    said = (shift["unit"] or shift["again"] or "").lower()
    unit = said if said in UNITS else ""
    if shown.fold:
        moved = shifted(shown, "" if shift["count"] else unit, later=False)
        return Followed(moved) if moved else None
    if len(shown.periods) != 1:
        return Followed(None, problem=NO_TIME_BEFORE)
    own = unit_named(shown.periods[0], today)
    same = shift["count"] or (unit and not own and unit in ("day", "week"))
    base = before(shown.periods[0], "" if same else unit, today)
    return _beside(shown, base, today, lexicon) if base else None


def _with_value(shown: Meaning, found: Sketch) -> Followed | None:
    new = found.meaning.filters
    old = next((f for f in shown.filters if len(new) == 1 and f.field == new[0].field and f.operator in EXACT), None)
    if old is None:
        return None
    both = old.joined(new[0])
    group = Group(old.field.table, old.field.column)
    groups = shown.groups if group in shown.groups else (*shown.groups, group)
    return Followed(replace(shown, filters=tuple(both if f == old else f for f in shown.filters), groups=groups))


def _on_other_days(shown: Meaning, days: Sequence[Filter], lexicon: Lexicon) -> Followed | None:
    """Compare days of the week: “vs Mondays” after Fridays."""
    old = next((test for test in shown.filters if test.operator == "weekday"), None)
    if old is None or len(shown.measures) != 1 or shown.groups or set(old.values) & set(days[0].values):
        return None
    kept = tuple(test for test in shown.filters if test != old)
    each = side_by_side(shown.measures[0], (old, replace(days[0], field=old.field)), lexicon)
    return checked_comparison(replace(shown, measures=each, filters=kept, order=()), lexicon)


def _beside(shown: Meaning, base: Period, today: date, lexicon: Lexicon) -> Followed | None:
    """Show each figure at the old time and at the new one; one figure alone also with its change."""
    if len(shown.periods) != 1 or base == shown.periods[0]:
        return None
    if shown.last:
        return Followed(None, problem=TWO_MOMENTS)
    old = shown.periods[0]
    sides = aligned(old, same_part(old, replace(base, field=old.field), today), today)
    if sides is None or sides.now == sides.base:
        return None
    groups = tuple(aligned_group(group, sides, today) for group in shown.groups)
    if any(new == old and old.unit for new, old in zip(groups, shown.groups, strict=True)):
        return None  # weeks of two years do not stand side by side
    timed = any(group.unit for group in groups)
    each = at_both(shown.measures, replace(sides, whole=None) if timed else sides, lexicon)
    order = (Order(each[0], descending=True),) if groups and not timed else ()
    made = replace(shown, measures=each, groups=groups, periods=(), order=order, share=False, series="")
    return checked_comparison(made, lexicon)


def between_times(earlier: Sequence[Meaning], today: date, lexicon: Lexicon) -> Followed | None:
    """“what's the difference?” after the same figure at two times, or of two values: both, and the change."""
    two = [_with_figure(meaning) for meaning in earlier[:2]]
    if of_values := _between_values(two, lexicon):
        return of_values
    if len(two) < 2 or len({replace(each, periods=()) for each in two}) > 1 or not two[0].measures or two[0].fold:
        return None
    times = sorted((p for each in two for p in each.periods if p.start), key=lambda period: str(period.start))
    if len(times) != len(two) or times[0].field != times[1].field:
        return None
    return _beside(replace(two[0], periods=(times[1],)), times[0], today, lexicon)


def _between_values(two: Sequence[Meaning], lexicon: Lexicon) -> Followed | None:
    """Show one figure of two values, the newer first, and the change to it."""
    now, then = [each.filters for each in two] if len(two) > 1 else ((), ())
    new, old = [test for test in now if test not in then], [test for test in then if test not in now]
    plain = {replace(each, filters=()) for each in two}
    shown = two[0]
    if len(plain) > 1 or len(new) != 1 or len(old) != 1 or shown.groups or shown.fold or len(shown.measures) != 1:
        return None
    if new[0].field != old[0].field or {new[0].operator, old[0].operator} - {"="}:
        return None
    kept = tuple(test for test in now if test != new[0])
    each = side_by_side(shown.measures[0], (new[0], old[0]), lexicon)
    return checked_comparison(replace(shown, measures=each, filters=kept, order=()), lexicon)


def beside_time_before(shown: Meaning, today: date, lexicon: Lexicon) -> Meaning | None:
    """Return a figure of one time beside that of the time of the same length before."""
    base = before(shown.periods[0], "", today) if len(shown.periods) == 1 else None
    found = _beside(shown, base, today, lexicon) if base else None
    return found.meaning if found else None


def checked_comparison(made: Meaning, lexicon: Lexicon) -> Followed:
    return Followed(None, problem=why) if (why := complaint(made, lexicon)) else Followed(made)


def along_time(text: str, shown: Meaning, today: date, lexicon: Lexicon) -> Followed | None:
    """“and the growth?”, “make it cumulative”, “as a 7-day moving average”."""
    if signals.TREND.match(text) and shown.all_measures and not shown.fold:
        return _by_time(shown, lexicon)
    if not shown.measures or shown.fold:
        return None
    if signals.GROWTH.match(text):
        return grown(shown, today, lexicon)
    if signals.CUMULATIVE.match(text):
        whole = replace(alone(shown), series="running", share=False)
        return _timed(whole, lexicon) if additive(lexicon, whole.measures[0]) else Followed(None, problem=NO_SUM)
    if moving := signals.MOVING.match(text):
        return _timed(replace(alone(shown), series="moving", share=False), lexicon, moving)
    return None


def _by_time(shown: Meaning, lexicon: Lexicon) -> Followed | None:
    """“what's the trend?”: the figure along time, of the few things shown."""
    about = referent(shown, lexicon) if shown.limit and shown.groups else None
    if any(group.unit for group in shown.groups):
        return None
    if any(p.start and p.end and p.end - p.start < timedelta(days=FEW_DAYS) for p in shown.periods):
        return _over_longer(shown, lexicon)
    among = (*shown.among, about) if isinstance(about, Among) else shown.among
    plain = replace(alone(shown), measures=shown.all_measures[:1], among=among, limit=None, order=(), share=False)
    return _timed(replace(plain, groups=plain.groups if about and shown.limit != 1 else (), columns=()), lexicon)


def _over_longer(shown: Meaning, lexicon: Lexicon) -> Followed:
    """Ask over which time, where a day or two show no trend."""
    plain = replace(alone(shown), measures=shown.all_measures[:1], groups=(), order=(), limit=None, columns=())
    month = stepped("the whole month", [plain])
    wider = [each for each in (month.meaning if month else None, replace(plain, periods=())) if each]
    made = [_timed(each, lexicon) for each in wider]
    choices = tuple(each.meaning for each in made if each and each.meaning)
    return Followed(None, problem="Over which time?", choices=choices, asks=True)


def with_growth(made: Followed, sketch: Sketch, lexicon: Lexicon) -> Followed:
    """Add the change that an edit asks for: “and the growth by platform?”."""
    said = kinds_of_growth(sketch)
    meaning = made.meaning
    if not said or said & {"trend", "gap"} or meaning is None or not meaning.measures or meaning.fold or meaning.series:
        return made
    return made if comparison_of(meaning.measures) else grown(meaning, sketch.today, lexicon) or made


def grown(shown: Meaning, today: date, lexicon: Lexicon) -> Followed | None:
    """Return the change along the times shown, or from the time before; without a time, in the last whole month."""
    if found := comparison_of(shown.measures):
        rest = tuple(measure for measure in shown.measures if measure != found.whole)
        return Followed(replace(shown, measures=rest))
    if any(group.unit for group in shown.groups):
        return checked_comparison(replace(shown, measures=shown.measures[:1], series="change", share=False), lexicon)
    fields = figure_days(lexicon, shown.measures[0])
    if len(shown.periods) > 1 or not (shown.periods or fields):
        return Followed(None, problem="Compared with which time? Please name it.")
    now = shown.periods[0] if shown.periods else month_before(fields[0], today)
    base = before(now, "", today)
    made = _beside(replace(shown, periods=(now,)), base, today, lexicon) if base else None
    return replace(made, notes=() if shown.periods else (LAST_MONTH,)) if made else None


def _timed(made: Meaning, lexicon: Lexicon, moving: re.Match[str] | None = None) -> Followed | None:
    """Group by time where nothing is: by day for a short time, else by month."""
    said = next((unit for unit in UNITS if moving and unit == (moving["unit"] or "").lower()), None)
    unit = next((group.unit for group in made.groups if group.unit), None)
    if unit is None:
        fields = figure_days(lexicon, made.measures[0])
        if not fields:
            return Followed(None, problem=NO_DATE)
        unit = said or ("day" if moving or is_short(made.periods) else "month")
        made = replace(made, groups=(*made.groups, Group(fields[0].table, fields[0].column, unit)))
    elif said and said != unit:
        groups = tuple(replace(g, unit=said) if g.unit else g for g in made.groups)
        made, unit = replace(made, groups=groups), said
    rows = int(moving["count"]) if moving and moving["count"] else USUAL.get(str(unit), 7)
    return checked_comparison(
        replace(made, measures=made.measures[:1], order=(), limit=None, rows=rows if moving else 1), lexicon
    )
