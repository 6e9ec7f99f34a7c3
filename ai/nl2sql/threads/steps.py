"""Steps without a name from the data: undo, again, both, the total, a share, the time before."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import permutations

from ai.language.numbers import number_of
from ai.language.spans import STEPS
from ai.language.tables import Pattern
from ai.nl2sql.comparison import alone, comparison_of, shifted
from ai.nl2sql.contradictions import EXACT
from ai.nl2sql.meaning import Filter, Fold, Group, Meaning, Measure, Order, Period
from ai.nl2sql.threads import signals
from ai.nl2sql.totals import mean_of_one, mean_said, other_mean, totalled
from ai.nl2sql.words import split

NO_TIME_BEFORE = "There is no time in the question before to go on from."
WHICH_BOTH = "I cannot tell what both are."
TOTAL = re.compile(r"\b(?:total|sum)\b", re.IGNORECASE)
CONTINUES_NOTHING = "I do not know which earlier question this continues; please ask it in full."


@dataclass(frozen=True, slots=True)
class Followed:
    """A meaning made from the one before, with its assumptions; or the reason for none, with candidates."""

    meaning: Meaning | None
    notes: tuple[str, ...] = ()
    problem: str = ""
    choices: tuple[Meaning, ...] = ()
    asks: bool = False


def stepped(text: str, earlier: Sequence[Meaning]) -> Followed | None:
    """Apply the first step a message takes to the answers before; None where it takes none."""
    for pattern, step in PATTERNS:
        if (found := pattern.match(text)) and (made := step(found, earlier)) is not None:
            return made
    return None


def _undone(_: re.Match[str], earlier: Sequence[Meaning]) -> Followed:
    if len(earlier) > 1:
        return Followed(earlier[1], ("the last change is undone",))
    return Followed(None, problem=CONTINUES_NOTHING)


def _counts_rows(before: Meaning) -> bool:
    """Whether one count of rows is shown; it has no total."""
    return bool(before.measures) and not before.all_groups and all(m.function == "count" for m in before.measures)


def _total(found: re.Match[str], earlier: Sequence[Meaning]) -> Followed | None:
    text = found.string
    if _counts_rows(earlier[0]) or (signals.SUMMED.match(text) and not earlier[0].all_measures):
        return None
    if TOTAL.search(text) and (figures := earlier[0].measures) and figures[0].function == "avg":
        mean = totalled(earlier[0])
        total = mean and replace(mean, measures=(replace(figures[0], function="sum"),))
        return Followed(
            None, problem="The total or the average?", choices=tuple(filter(None, (total, mean))), asks=True
        )
    these = any(word.key in ("these", "those", "them") for word in split(text)) and "all" not in text.lower()
    return Followed(totalled(earlier[0], shown=these, added=these and "how many" not in text.lower()))


def _averaged(found: re.Match[str], earlier: Sequence[Meaning]) -> Followed | None:
    """“average that”: over the rows shown, each of them a figure of its group; another mean of the same."""
    before, function = earlier[0], mean_said(found["how"])
    if (other := other_mean(before, function)) is not None:
        return Followed(other)
    if not before.groups or before.fold or before.within or not before.all_measures:
        return None
    if function == "avg" and (mean := mean_of_one(before)):
        return Followed(mean)
    cut = before.order if before.limit else ()
    figures = before.measures or before.all_measures[:1]
    fold = Fold(function, before.groups)
    made = replace(before, measures=figures[:1], fold=fold, groups=(), columns=(), order=cut)
    return Followed(replace(made, share=False, series=""))


def _moved(found: re.Match[str], earlier: Sequence[Meaning]) -> Followed:
    unit = found["unit"] or found["before"] or found["next"]
    moved = shifted(earlier[0], unit.lower(), later=found["way"] == "after" or bool(found["next"]))
    return Followed(moved) if moved else Followed(None, problem=NO_TIME_BEFORE)


def _stretched(found: re.Match[str], earlier: Sequence[Meaning]) -> Followed:
    """“the 7 days before”: as many right before or after the time asked about."""
    before = earlier[0]
    held = before.periods[0] if len(before.periods) == 1 else None
    if held is None or held.start is None or held.end is None:
        return Followed(None, problem=NO_TIME_BEFORE)
    step = STEPS[found["unit"].lower()] * int(found["n"])
    later = found["way"].lower() == "after"
    start, end = (held.end, held.end + step) if later else (held.start - step, held.start)
    return Followed(replace(before, periods=(replace(held, start=start, end=end),)))


def _rest(_: re.Match[str], earlier: Sequence[Meaning]) -> Followed | None:
    before = earlier[0]
    return Followed(replace(before, limit=None, offset=before.offset + before.limit)) if before.limit else None


def _next_few(found: re.Match[str], earlier: Sequence[Meaning]) -> Followed | None:
    before, count = earlier[0], number_of(found["count"])
    if not before.limit or not before.order or count is None:
        return None
    return Followed(replace(before, limit=int(count), offset=before.offset + before.limit))


def _whole(_: re.Match[str], earlier: Sequence[Meaning]) -> Followed | None:
    """Return all the rows behind a cut list, in the same order."""
    before = earlier[0]
    if before.limit:
        return Followed(replace(before, limit=None, offset=0))
    return Followed(before, ("these are all",)) if before.groups or not before.measures else None


def _count_of(_: re.Match[str], earlier: Sequence[Meaning]) -> Followed | None:
    """Count the rows or groups shown; None after a sum, with nothing to count."""
    before = earlier[0]
    if not before.groups and before.measures and before.measures[0].function != "count":
        return None
    if not before.groups:
        counted = (Measure("count", before.subject),)
        return Followed(replace(before, columns=(), measures=counted, order=(), limit=None, distinct=False))
    measures = before.measures or before.all_measures[:1]
    fold = Fold("count", before.groups)
    return Followed(replace(before, measures=measures, fold=fold, groups=(), order=(), columns=(), limit=None))


def _next_place(found: re.Match[str], earlier: Sequence[Meaning]) -> Followed:
    """“and the second?” after a rank: the row at that place."""
    before, place = earlier[0], signals.PLACES[found["place"].lower()]
    picked = before.among[-1] if before.among and not before.order else None
    if picked and picked.source.limit == 1 and picked.source.order and place >= 0:
        other = replace(picked, source=replace(picked.source, offset=place))
        return Followed(replace(before, among=(*before.among[:-1], other)))
    if not before.order or place < 0:
        return Followed(None, problem="There is no order in the answer before to count along.")
    return Followed(replace(before, limit=1, offset=place))


def _both(_: re.Match[str], earlier: Sequence[Meaning]) -> Followed:
    """Return the two values, or the two figures, asked for one after the other."""
    if len(earlier) < 2:
        return Followed(None, problem=CONTINUES_NOTHING)
    now, then = earlier[0], earlier[1]
    if now.measures != then.measures and now.periods == then.periods:
        measures = tuple(dict.fromkeys((*then.measures, *now.measures)))
        return Followed(replace(now, measures=measures))
    for new in now.filters:
        old = next((f for f in then.filters if f.field == new.field and f != new), None)
        if old and new.operator in EXACT and old.operator in EXACT:
            filters = tuple(old.joined(new) if f is new else f for f in now.filters)
            group = Group(new.field.table, new.field.column)
            if not now.measures or group in now.groups:
                return Followed(replace(now, filters=filters))
            if now.limit and now.groups:  # the worst week of each, not of both
                return Followed(replace(now, filters=filters, groups=(group, *now.groups), within=(group,)))
            return Followed(replace(now, filters=filters, groups=(*now.groups, group)))
    return Followed(None, problem=WHICH_BOTH)


def _together(found: re.Match[str], earlier: Sequence[Meaning]) -> Followed | None:
    """“both together”: the two values asked for one after the other as one, or the total of those shown."""
    now, both = earlier[0], _both(found, earlier).meaning
    if both is None and (times := _both_times(earlier)):
        return Followed(totalled(times) if TOTAL.search(found.string) and times.groups else times)
    if both is None and not now.all_groups:
        return Followed(None, problem=WHICH_BOTH)
    if both is None or both.measures != now.measures or both.filters == now.filters:
        return _total(found, earlier)
    return Followed(replace(both, groups=now.groups, within=now.within))


def _both_times(earlier: Sequence[Meaning]) -> Meaning | None:
    """Return the figure of two times asked for one after the other, where one begins as the other ends."""
    now, then = earlier[0], earlier[1] if len(earlier) > 1 else earlier[0]
    if now.measures != then.measures or not now.measures or replace(now, periods=then.periods) != then:
        return None
    times = sorted((*now.periods, *then.periods), key=lambda period: str(period.start))
    joined = len(times) == 2 and times[0].field == times[1].field and times[0].end == times[1].start
    return replace(now, periods=(replace(times[0], end=times[1].end),)) if joined else None


def _share(found: re.Match[str], earlier: Sequence[Meaning]) -> Followed:
    now = alone(earlier[0])
    if ratio := _part_and_whole(now):
        return Followed(replace(now, measures=(ratio,), order=(Order(ratio, descending=True),) if now.order else ()))
    along = bool(now.groups) and all(group.unit for group in now.groups)
    extra = _added(earlier)
    if not (extra or now.groups) and len(now.filters) == 1 and signals.OF_ALL.search(found.string):
        extra = now.filters  # “revenue of Fjord”, then “as a share of total”
    if now.groups and now.all_measures and not (along and extra):
        return Followed(replace(now, measures=now.measures or now.all_measures[:1], share=True))
    if now.measures and extra:
        whole = now.measures[0]
        part = replace(whole, where=extra, per=whole)
        return Followed(replace(now, measures=(part,), filters=tuple(f for f in now.filters if f not in extra)))
    return Followed(None, problem="Say what the share is of.")


def _part_and_whole(now: Meaning) -> Measure | None:
    """Return one figure shown as a part of the other: hours used of those available."""
    if len(now.measures) != 2 or now.fold or now.series:
        return None
    pairs = (replace(one, per=other) for one, other in permutations(now.measures) if not (one.per or other.per))
    return next((ratio for ratio in pairs if ratio.is_share and ratio.per and ratio.column != ratio.per.column), None)


def _added(earlier: Sequence[Meaning]) -> tuple[Filter, ...]:
    """Return the conditions that the last answer added to the same figure before it."""
    if len(earlier) < 2 or earlier[1].measures != earlier[0].measures:
        return ()
    return tuple(test for test in earlier[0].filters if test not in earlier[1].filters)


def _whole_unit(found: re.Match[str], earlier: Sequence[Meaning]) -> Followed:
    """Return the whole week, month or year around the time before."""
    before, unit = earlier[0], found["unit"].lower()
    periods = tuple(around(period, unit) for period in before.periods)
    if not before.periods or None in periods:
        return Followed(None, problem=NO_TIME_BEFORE)
    return Followed(replace(before, periods=tuple(period for period in periods if period)))


def around(period: Period, unit: str) -> Period | None:
    """Return the whole week, month or year that a time begins in."""
    if period.start is None:
        return None
    first = {
        "day": period.start,
        "week": period.start - timedelta(days=period.start.weekday()),
        "month": period.start.replace(day=1),
        "quarter": period.start.replace(month=(period.start.month - 1) // 3 * 3 + 1, day=1),
        "year": period.start.replace(month=1, day=1),
    }[unit]
    return replace(period, start=first, end=first + STEPS[unit])


def _begins(measure: Measure) -> str:
    return max((str(test.start) for test in measure.where if isinstance(test, Period)), default="")


def _change(found: re.Match[str], earlier: Sequence[Meaning]) -> Followed | None:
    """Return the change between the two figures compared, in percent of the first if asked."""
    before = earlier[0]
    if sides := comparison_of(before.measures):  # it shows the change
        return Followed(replace(before, measures=tuple(each for each in before.measures if each != sides.whole)))
    if len(before.measures) != 2 or len({replace(m, where=()) for m in before.measures}) != 1:
        return None
    first, second = sorted(before.measures, key=_begins)
    share = found["share"] or found["percent"] or found["what"] == "growth"
    change = replace(second, less=first, per=first if share else None)
    return Followed(replace(before, measures=(change,), order=(), havings=()))


def _one_before(_: re.Match[str], earlier: Sequence[Meaning]) -> Followed | None:
    """Return the row after the one shown: “and the one before that” after the latest release."""
    before = earlier[0]
    return Followed(replace(before, offset=before.offset + 1)) if before.limit == 1 and before.order else None


Step = Callable[[re.Match[str], Sequence[Meaning]], Followed | None]
PATTERNS: tuple[tuple[Pattern, Step], ...] = (
    (signals.UNDO, _undone),
    (signals.AGAIN, lambda _, earlier: Followed(earlier[0])),
    (signals.TOGETHER, _together),
    (signals.BOTH, _both),
    (signals.TOTAL, _total),
    (signals.AVERAGE, _averaged),
    (signals.WHOLE, _whole),
    (signals.REST, _rest),
    (signals.NEXT_FEW, _next_few),
    (signals.COUNT, _count_of),
    (signals.NEXT, _next_place),
    (signals.ONE_BEFORE, _one_before),
    (signals.SHARE, _share),
    (signals.STRETCH, _stretched),
    (signals.EARLIER, _moved),
    (signals.WHOLE_UNIT, _whole_unit),
    (signals.CHANGE, _change),
)


def is_step(text: str) -> bool:
    """Whether a message is a step over the answer before."""
    return any(pattern.match(text) for pattern in (*(pattern for pattern, _ in PATTERNS), signals.SHARE_OF))
