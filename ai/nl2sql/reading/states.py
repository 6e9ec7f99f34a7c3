"""Figures that hold a state: people per day, stock, balances. They add up across things, never over time."""

from dataclasses import replace
from datetime import timedelta

from ai.nl2sql.meaning import Field, Fold, Group, Measure, Period
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import days, title
from ai.nl2sql.vocabulary import STATES
from ai.nl2sql.words import name_parts, singular

AVERAGE, LATEST = "the average per day", "the latest day"


def holds_state(measure: Measure) -> bool:
    """Whether a total of this column must not run over several days."""
    if measure.function != "sum" or not measure.column or measure.per:
        return False
    said = " ".join(singular(part) for part in name_parts(measure.column))
    return any(f" {word} " in f" {said} " for word in STATES)


def _of_now(sketch: Sketch) -> None:
    """A metric of what is open or running now has no history: a time asked of it cannot be answered."""
    meaning = sketch.meaning
    for measure in meaning.all_measures:
        metric = sketch.lexicon.metrics.get(Field(measure.table, measure.column or ""))
        if metric is None or "IS NULL" not in metric.condition.upper():
            continue
        here = [p for p in meaning.periods if p.field.table == measure.table] + [
            t for t in measure.where if isinstance(t, Period)
        ]
        today = [p for p in here if p.start == sketch.today]
        if here and len(today) == len(here):
            sketch.edit(periods=tuple(p for p in meaning.periods if p not in here))
        elif here or any(group.unit for group in meaning.all_groups):
            sketch.doubt(f"{metric.name} is a figure of now; this data does not say what it was at another time.", 1.0)


def states(sketch: Sketch) -> None:
    """Settle a state over time: a single day is its value; otherwise the two ways to read it are a choice."""
    _of_now(sketch)
    meaning = sketch.meaning
    held = [m for m in meaning.measures if holds_state(m)]
    if not held or meaning.fold:
        return
    table = held[0].table
    fields = days(sketch.lexicon, table)
    words = {word.key for word in sketch.lattice.words}
    adverb = (
        "daily" in words and meaning.groups and all(g.unit == "day" for g in meaning.groups) and not meaning.periods
    )
    if adverb:
        sketch.edit(groups=(), order=())
        meaning = sketch.meaning
    if not fields or any(g.unit == "day" and g.table == table for g in meaning.all_groups):
        return
    periods = [p for p in meaning.periods if p.field in fields]
    if any(p.start and p.end and p.end - p.start == timedelta(days=1) for p in periods):
        return
    day = fields[0]
    averaged = replace(meaning, fold=Fold("avg", (Group(day.table, day.column, "day"),)), order=(), limit=None)
    if sketch.parts("group") or meaning.limit:
        averaged = replace(averaged, order=meaning.order, limit=None)
    yesterday = Period(day, sketch.today - timedelta(days=1), sketch.today)
    latest = replace(meaning, periods=(*(p for p in meaning.periods if p not in periods), yesterday))
    daily = {"daily", "dau", "current", "currently", "now"} & {word.key for word in sketch.lattice.words}
    if daily and not periods:
        sketch.meaning = latest
        sketch.assume("of yesterday, the last whole day")
        return
    name = title(Field(table, held[0].column or ""))
    sketch.choices = [(f"average {name} per day", averaged), (f"{name} yesterday", latest)]
