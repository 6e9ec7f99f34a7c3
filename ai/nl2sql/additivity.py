"""Figures that do not add up over time: people per day, balances, what is running now.

They may be added across things, never over time. The semantics file declares them; names that say a state are asked
about.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Fold, Group, Meaning, Measure, Order, Period
from ai.nl2sql.schema import figure_days, title
from ai.nl2sql.spans import dates
from ai.nl2sql.vocabulary import words_of
from ai.nl2sql.words import name_parts, singular
from ai.sql.semantics import Metric, NonAdditive

OF_RECORDS = frozenset(
    "day date month week quarter year hour time ts dt ymd snapshot snap as of on at period recorded measured taken "
    "stat stats report reported log timestamp reading tag datum monat woche jahr stichtag".split()
)
COARSENESS = ("day", "week", "month", "quarter", "year")


@dataclass(frozen=True, slots=True)
class Settled:
    """A meaning that sums nothing over time, or the readings to choose from, or why there is none."""

    meaning: Meaning
    choices: tuple[tuple[str, Meaning], ...] = ()
    problem: str = ""


def settled(meaning: Meaning, lexicon: Lexicon, today: date) -> Settled:
    """Settle which moment a figure is of."""
    found = _of_now(meaning, lexicon, today)
    return found if found.problem else _over_time(found.meaning, lexicon, today)


def carried(before: Meaning, after: Meaning, lexicon: Lexicon) -> Meaning:
    """Drop what only held for the figure before: another one may add up."""
    if not any(held(m, lexicon) for m in before.all_measures) or any(held(m, lexicon) for m in after.all_measures):
        return after
    same = after.fold and before.fold and after.fold.function == before.fold.function
    return replace(after, last=None, fold=None if same else after.fold)


def retimed(meaning: Meaning) -> Meaning:
    """Leave out a time of the only figure in which no row of the asked time lies."""
    asked = meaning.periods
    if not asked or len(meaning.measures) != 1 or meaning.measures[0].per or meaning.measures[0].less:
        return meaning
    (figure,) = meaning.measures
    kept = tuple(test for test in figure.where if not any(_apart(test, period) for period in asked))
    new = replace(figure, where=kept)
    order = tuple(replace(each, key=new) if each.key == figure else each for each in meaning.order)
    return replace(meaning, measures=(new,), order=order)


def _apart(test: Filter | Period, period: Period) -> bool:
    if not isinstance(test, Period) or test.field != period.field:
        return False
    ends = [each.end for each in (test, period) if each.end]
    starts = [each.start for each in (test, period) if each.start]
    return bool(starts and ends) and max(starts) >= min(ends)


def held(measure: Measure, lexicon: Lexicon) -> NonAdditive | None:
    """How a figure holds over time; None where it adds up, or is of now alone."""
    if measure.per:
        return None
    metric = _metric(measure, lexicon)
    if metric is not None:
        return None if is_of_now(metric) else metric.non_additive
    if measure.function != "sum" or not measure.column:
        return None
    declared = lexicon.semantics.non_additive.get(f"{measure.table}.{measure.column}")
    said = " ".join(singular(part) for part in name_parts(measure.column))
    state = any(f" {word} " in f" {said} " for word in words_of("state")) and _keeps_history(measure.table, lexicon)
    return declared or (NonAdditive("day", "none") if state else None)


def _keeps_history(name: str, lexicon: Lexicon) -> bool:
    """Whether a table has the same things at many times: its key has a day, or its day is just one of taking stock."""
    table = lexicon.table(name)
    found = dates(table)
    return any(day.name in table.primary_key or set(name_parts(day.name)) <= OF_RECORDS for day in found)


def is_of_now(metric: Metric) -> bool:
    """Whether the condition picks what is open or running, so that the figure has no history.

    A sum with a day of its own has one: gifts not refunded, by the day of receipt.
    """
    condition = metric.condition.upper()
    dated = bool(metric.date) and metric.expression.upper().startswith(("SUM(", "AVG("))
    return ("IS NULL" in condition and not dated) or "CURRENT_DATE" in condition


def _metric(measure: Measure, lexicon: Lexicon) -> Metric | None:
    return lexicon.metric_of(measure)


def _of_now(meaning: Meaning, lexicon: Lexicon, today: date) -> Settled:
    """Ask a figure of now at another time of the metric that keeps its history."""
    for measure in meaning.all_measures:
        metric = _metric(measure, lexicon)
        if metric is None or not is_of_now(metric):
            continue
        own = [p for p in meaning.periods if _follows(p.field.table, measure.table, lexicon)]
        here = own + [t for t in measure.where if isinstance(t, Period)]
        if here and all(p.start == today for p in here):
            return Settled(replace(meaning, periods=tuple(p for p in meaning.periods if p not in own)))
        if not here and not any(group.unit for group in meaning.all_groups):
            continue
        history = _history(metric, lexicon)
        if history is None:
            said = f"{metric.name} is a figure of now; this data does not say what it was at another time."
            return Settled(meaning, problem=said)
        meaning = _moved(meaning, measure, history, own, lexicon)
    return Settled(meaning)


def _follows(table: str, measured: str, lexicon: Lexicon) -> bool:
    """Whether a day of this table tells a time of the figure: its own, or of rows that come many to one."""
    return table == measured or any(link.many for link in lexicon.links.path(measured, table) or ())


def _history(metric: Metric, lexicon: Lexicon) -> Metric | None:
    """The state over time whose name says the same and more: “MRR at a month end” for “MRR”."""
    words = set(name_parts(metric.name))
    found = [
        other
        for other in lexicon.metrics.values()
        if other.non_additive and not is_of_now(other) and words < set(name_parts(other.name))
    ]
    dated = [other for other in found if figure_days(lexicon, _measure(other))]
    return dated[0] if len(dated) == 1 else None


def _measure(metric: Metric) -> Measure:
    return Measure("metric", metric.table, f"={metric.name}")


def _moved(meaning: Meaning, old: Measure, history: Metric, own: list[Period], lexicon: Lexicon) -> Meaning:
    """The same question of the metric with a history, its times on the days of that."""
    new = _measure(history)
    day = figure_days(lexicon, new)[0]

    def other(measure: Measure) -> Measure:
        if (measure.table, measure.column) != (old.table, old.column):
            return measure
        times = tuple(replace(t, field=day) if isinstance(t, Period) else t for t in measure.where)
        per, less = (inner and other(inner) for inner in (measure.per, measure.less))
        return replace(new, where=times, per=per, less=less)

    timed = {Group(day.table, day.column, g.unit) if g.unit else g: None for g in meaning.groups}
    order = tuple(Order(other(o.key), o.descending) if isinstance(o.key, Measure) else o for o in meaning.order)
    return replace(
        meaning,
        subject=new.table if meaning.subject == old.table else meaning.subject,
        measures=tuple(other(measure) for measure in meaning.measures),
        groups=tuple(timed),
        periods=tuple(replace(p, field=day) if p in own else p for p in meaning.periods),
        order=order,
        havings=tuple(replace(h, measure=other(h.measure)) for h in meaning.havings),
    )


def _over_time(meaning: Meaning, lexicon: Lexicon, today: date) -> Settled:
    states = [(m, rule) for m in meaning.all_measures if (rule := held(m, lexicon))]
    fields = figure_days(lexicon, states[0][0]) if states else []
    if not fields or meaning.fold:
        return Settled(meaning)
    (measure, rule), day = states[0], fields[0]
    if meaning.last:
        return Settled(meaning)
    if all(_one_moment(meaning, state, day, each.over) for state, each in states):
        return Settled(_as_of(meaning, day, today) if (rule.over, rule.take) == ("day", "last") else meaning)
    if len(meaning.all_measures) > 1:
        name = _name(measure)
        return Settled(
            meaning, problem=f"{name.capitalize()} does not add up over time; ask for it alone, or for one {rule.over}."
        )
    last = replace(meaning, last=day)
    order = meaning.order if meaning.limit else ()
    fold = Fold("avg", (Group(day.table, day.column, rule.over),))
    mean = replace(meaning, measures=meaning.all_measures, fold=fold, order=order)
    if rule.take == "last":
        return Settled(last)
    if meaning.havings:
        problem = f"{_name(measure).capitalize()} does not add up over time; compare it on one {rule.over}."
        return Settled(meaning, problem=problem)
    if rule.take == "mean":
        return Settled(mean)
    return Settled(meaning, choices=_choices(meaning, measure, rule, (mean, last), today))


def _as_of(meaning: Meaning, day: Field, today: date) -> Meaning:
    """Take the last count not after a single past day, as stock is not counted every day."""
    one = meaning.periods[0] if len(meaning.periods) == 1 else None
    if one is None or one.field != day or one.end is None or any(group.unit for group in meaning.groups):
        return meaning
    if one.end > today or one.start != one.end - timedelta(days=1):
        return meaning
    return replace(meaning, periods=(Period(day, None, one.end),), last=day)


def _choices(
    meaning: Meaning, measure: Measure, rule: NonAdditive, ways: tuple[Meaning, Meaning], today: date
) -> tuple[tuple[str, Meaning], ...]:
    """The mean and the latest moment; of days without a time, the last whole one."""
    name, (mean, last) = _name(measure), ways
    day = last.last
    if day and rule.over == "day" and not any(p.field == day for p in meaning.periods) and not _timed(meaning, day):
        yesterday = Period(day, today - timedelta(days=1), today)
        latest = (f"{name} yesterday", replace(meaning, periods=(*meaning.periods, yesterday)))
    else:
        latest = (f"{name} on the last {rule.over}", last)
    average = (f"average {name} per {rule.over}", mean)
    return (average, latest)


def _name(measure: Measure) -> str:
    return title(Field(measure.table, measure.column or ""))


def _timed(meaning: Meaning, day: Field) -> list[Group]:
    return [group for group in meaning.all_groups if group.unit and group.table == day.table]


def _one_moment(meaning: Meaning, measure: Measure, day: Field, over: Literal["day", "week", "month"]) -> bool:
    fine = COARSENESS[: COARSENESS.index(over) + 1]
    if any(group.unit in fine for group in _timed(meaning, day)):
        return True
    if any(group.column == day.column and group.table == day.table and not group.unit for group in meaning.all_groups):
        return True
    periods = [p for p in (*meaning.periods, *measure.where) if isinstance(p, Period) and p.field == day]
    return any(p.start and p.end and _within(p.start, p.end - timedelta(days=1), over) for p in periods)


def _within(first: date, last: date, over: Literal["day", "week", "month"]) -> bool:
    if over == "month":
        return (first.year, first.month) == (last.year, last.month)
    return first == last if over == "day" else first.isocalendar()[:2] == last.isocalendar()[:2]


def is_of_moments(lexicon: Lexicon, name: str) -> bool:
    """Whether the rows of a table are counted again and again, such as stock."""
    levels = {metric.table for metric in lexicon.semantics.metrics if metric.non_additive}
    return name in levels or any(column.partition(".")[0] == name for column in lexicon.semantics.non_additive)
