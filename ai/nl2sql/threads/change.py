"""A follow-up as an edit: every constituent changes its part of the meaning before."""

from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.comparison import alone, both_times
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning, Measure, Period
from ai.nl2sql.reading.conditions import on_field
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import days, display, figure_days
from ai.nl2sql.threads import edits, signals
from ai.nl2sql.threads.columns import with_columns
from ai.nl2sql.threads.referents import thing
from ai.nl2sql.threads.restrict import with_filters, with_periods, with_union
from ai.nl2sql.threads.steps import Followed


def edited(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str, *, add: bool) -> Followed:
    """Make every constituent an edit of the meaning before."""
    left = set(sketch.cover.unread) - sketch.again
    if left:
        return Followed(None, problem=sketch.unreadable())
    narrowing = bool(signals.NARROWS.search(text)) and bool(sketch.meaning.filters)
    subjects = [] if narrowing else [str(part.data) for part in sketch.parts("noun")]
    before = _uncompared(before, sketch)
    meaning: Meaning | None = before
    periods = new_periods(sketch, before, lexicon)
    if sketch.wanted:
        meaning = edits.with_measures(before, sketch, add=add and not before.fold)
    elif subjects and subjects[0] != thing(before, lexicon) and not sketch.data("group"):
        meaning = _of_another(before, subjects[0], lexicon)
    if meaning is not None:
        united = with_union(meaning, sketch) if edits.ADDED.search(text) else None
        meaning = with_periods(united or with_filters(meaning, sketch), periods)
        meaning = edits.with_groups(meaning, sketch, text)
    if meaning is not None and sketch.data("having"):
        meaning = edits.with_havings(meaning, sketch)
    if meaning is not None:
        meaning = edits.with_rank(meaning, sketch, text)
    if meaning is not None:
        meaning = edits.with_order(meaning, sketch)
    if meaning is not None and sketch.shown:
        fields = tuple(sketch.shown)
        meaning = with_columns(meaning, fields, lexicon)
    return checked(meaning, before, lexicon, tuple(sketch.notes[:2]), sketch)


def _uncompared(before: Meaning, sketch: Sketch) -> Meaning:
    """Return a comparison of times as one figure, where the follow-up names a time or splits by one."""
    if any(group.unit for found in sketch.data("group") for group in found):
        return both_times(before)
    return alone(before) if sketch.data("period") else before


def _of_another(before: Meaning, table: str, lexicon: Lexicon) -> Meaning | None:
    """“what about teams?” after “how many apps”: the same of another thing, where no condition stands in the way."""
    counted = before.measures == (Measure("count", before.subject),)
    if before.filters or before.groups or before.havings or before.among:
        return None
    if counted:
        return replace(before, subject=table, measures=(Measure("count", table),), periods=())
    return (
        replace(before, subject=table, columns=display(lexicon, table), order=(), periods=())
        if not before.measures
        else None
    )


def new_periods(sketch: Sketch, before: Meaning, lexicon: Lexicon) -> tuple[Period, ...]:
    """Return the new time, on the thread's column of days."""
    inside = [presence.where for presence in sketch.meaning.presences]
    inside += [wanted.measure.where for wanted in sketch.wanted]
    if sketch.meaning.periods or any(isinstance(test, Period) for where in inside for test in where):
        return _by_figure(sketch, lexicon)
    tables = [m.table for m in before.all_measures] + [before.subject]
    fields = [p.field for p in before.periods] + [f for table in tables for f in days(lexicon, table)]
    for part in sketch.parts("period"):
        if fields:
            on_field(sketch, fields[0], part.data.span)
    return sketch.meaning.periods


def _by_figure(sketch: Sketch, lexicon: Lexicon) -> tuple[Period, ...]:
    """Put the new time on the day of the one new figure, unless a day is named."""
    named = any(isinstance(part.data, Field) for part in sketch.parts("attribute"))
    figures = [wanted.measure for wanted in sketch.wanted]
    figures += [sorting.key for sorting in sketch.data("order") if isinstance(sorting.key, Measure)]
    own = figure_days(lexicon, figures[0]) if len(figures) == 1 and not named else []
    return tuple(replace(p, field=own[0]) if own and p.field not in own else p for p in sketch.meaning.periods)


def checked(
    meaning: Meaning | None, before: Meaning, lexicon: Lexicon, notes: tuple[str, ...], sketch: Sketch
) -> Followed:
    if meaning is None or not all(group.table for group in meaning.all_groups):
        return Followed(None, problem="I cannot read this as a change of the question before; please ask it in full.")
    said = any(sketch.data(kind) for kind in ("filter", "order", "rank", "group", "period", "having"))
    if meaning == before and not said and not sketch.parts("noun"):
        return Followed(None, problem="I cannot see what this changes in the question before.")
    lost = [p for p in sketch.problems if "date" in p and sketch.data("period") and not meaning.periods]
    if lost:
        return Followed(None, problem=lost[0])
    if why := complaint(meaning, lexicon):
        return Followed(None, problem=why)
    return Followed(meaning, notes)
