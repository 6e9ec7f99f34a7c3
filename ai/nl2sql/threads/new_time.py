"""The time that a follow-up sets, and the column of days it lies on."""

from dataclasses import replace
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from ai.nl2sql.chart.parts import Flag
from ai.nl2sql.comparison import moved
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning, Measure, Period
from ai.nl2sql.reading.conditions import on_field
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.reading.times import BACK, FUTURE
from ai.nl2sql.schema import days, figure_days
from ai.nl2sql.words import keys, name_parts, stems

LAST_YEAR = ("last year", "in last year", "for last year", "over last year", "during last year")
A_QUARTER = timedelta(days=92)


def new_periods(sketch: Sketch, before: Meaning, lexicon: Lexicon) -> tuple[Period, ...]:
    """Return the new time, on the thread's column of days; after days to come, a month of no year lies ahead."""
    if same := _a_year_before(sketch, before):
        return same
    new = _of_the_rows(_new_periods(sketch, before, lexicon), sketch, before, lexicon)
    ahead = any(period.start and period.start >= sketch.today for period in before.periods)
    named = {word for test in before.filters for said in (test.field.column, *test.values) for word in keys(str(said))}
    if not (ahead or FUTURE & named) or any(word.number or word.key in BACK for word in sketch.lattice.words):
        return new
    return tuple(
        moved(period, relativedelta(years=-1)) if _is_past_month(period, sketch.today) else period for period in new
    )


def _a_year_before(sketch: Sketch, before: Meaning) -> tuple[Period, ...]:
    """Return the same month or quarter of last year: “and last year?” after October."""
    said = [part.said.lower() for part in sketch.cover.parts if not isinstance(part.data, Flag)]
    if len(said) != 1 or said[0] not in LAST_YEAR or len(before.periods) != 1:
        return ()
    held = before.periods[0]
    if held.start is None or held.end is None or held.start.year != sketch.today.year:
        return ()
    short = held.end - held.start <= A_QUARTER
    return (moved(held, relativedelta(years=1)),) if short else ()


def _of_the_rows(new: tuple[Period, ...], sketch: Sketch, before: Meaning, lexicon: Lexicon) -> tuple[Period, ...]:
    """Put the first time of a thread on the day that its rows must have: “this year only” after those delivered."""
    held = [f.field for f in before.filters if f.operator == "not null" and f.field in days(lexicon, before.root)]
    named = any(isinstance(part.data, Field) for part in sketch.parts("attribute")) or happened(sketch)
    if before.periods or len(held) != 1 or named or sketch.wanted:
        return new
    return tuple(replace(period, field=held[0]) if period.field.table == held[0].table else period for period in new)


def _is_past_month(period: Period, today: date) -> bool:
    if period.start is None or period.end is None or period.end > today:
        return False
    return period.start.day == 1 and period.end == period.start + relativedelta(months=1)


def _new_periods(sketch: Sketch, before: Meaning, lexicon: Lexicon) -> tuple[Period, ...]:
    inside = [presence.where for presence in sketch.meaning.presences]
    inside += [wanted.measure.where for wanted in sketch.wanted]
    if sketch.meaning.periods or any(isinstance(test, Period) for where in inside for test in where):
        return _by_figure(sketch, lexicon)
    tables = [m.table for m in before.all_measures] + [before.subject]
    fields = (
        [*happened(sketch)] + [p.field for p in before.periods] + [f for table in tables for f in days(lexicon, table)]
    )
    for part in sketch.parts("period"):
        if fields and not part.data.weekdays:  # they are a condition beside the time
            on_field(sketch, fields[0], part.data.span)
    return sketch.meaning.periods


def happened(sketch: Sketch) -> tuple[Field, ...]:
    """Return the day of the new time where a verb names it: “published this year”."""
    said = {word.stem for word in sketch.lattice.words}
    fields = {period.field for period in sketch.meaning.periods}
    return tuple(field for field in fields if said & set(stems(name_parts(field.column)[:1])))


def _by_figure(sketch: Sketch, lexicon: Lexicon) -> tuple[Period, ...]:
    """Put the new time on the day of the one new figure, unless a day is named."""
    named = any(isinstance(part.data, Field) for part in sketch.parts("attribute"))
    figures = [wanted.measure for wanted in sketch.wanted]
    figures += [sorting.key for sorting in sketch.data("order") if isinstance(sorting.key, Measure)]
    own = figure_days(lexicon, figures[0]) if len(figures) == 1 and not named else []
    return tuple(replace(p, field=own[0]) if own and p.field not in own else p for p in sketch.meaning.periods)
