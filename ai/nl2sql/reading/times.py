"""Find the days of a time: an age, a month to come, two overlapping times."""

from ai.language.spans import STEPS, Span
from ai.nl2sql.chart.parts import When
from ai.nl2sql.meaning import Period
from ai.nl2sql.reading.sketch import Sketch

FUTURE = frozenset("planned scheduled upcoming will forthcoming coming expected".split())
BACK = frozenset("last previous past ago were was did this".split())
MONTH = range(28, 32)  # days


def aged(sketch: Sketch, when: When) -> Span:
    if when.age is None:
        return _to_come(sketch, when.span)
    sign, number, unit = when.age
    edge = sketch.today - STEPS[unit] * number
    return Span(None, edge) if sign == ">" else Span(edge, None)


def _to_come(sketch: Sketch, span: Span) -> Span:
    """“planned for December”: the next one, where no year is said."""
    words = {word.key for word in sketch.lattice.words}
    if not FUTURE & words or words & BACK or any(word.number for word in sketch.lattice.words):
        return span
    if not span.start or not span.end or span.end > sketch.today or (span.end - span.start).days not in MONTH:
        return span
    return Span(span.start.replace(year=span.start.year + 1), span.end.replace(year=span.end.year + 1))


def narrowed(sketch: Sketch) -> None:
    """“in 2026, up to october”: of two times of one column, one within the other or open, their overlap."""
    if len(sketch.meaning.periods) != 2 or sketch.flags("versus") or sketch.flags("growth"):
        return
    one, other = sketch.meaning.periods
    starts = [p.start for p in (one, other) if p.start]
    ends = [p.end for p in (one, other) if p.end]
    within = (max(starts, default=None), min(ends, default=None))
    nested = within in ((one.start, one.end), (other.start, other.end))
    if (
        one.field == other.field
        and (nested or len(starts) + len(ends) < 4)
        and not (within[0] and within[1] and within[0] >= within[1])
    ):
        sketch.edit(periods=(Period(one.field, *within),))
