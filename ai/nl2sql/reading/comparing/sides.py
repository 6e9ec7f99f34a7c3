"""One figure for each of two conditions: “free vs paid apps”, “lessons on Saturdays vs Wednesdays”."""

from dataclasses import replace

from ai.nl2sql.chart.parts import Part, When
from ai.nl2sql.meaning import Field, Filter, Measure
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import figure_days


def apart(sketch: Sketch) -> bool:
    """Give each side of “vs” a figure of its own; False where there are no two sides."""
    meaning = sketch.meaning
    signs = sketch.flags("versus")
    if len(signs) == 1 and _figures_beside(sketch, signs[0]):
        return sketch.flag("versus")
    figures = meaning.measures or _count(sketch)
    if len(signs) != 1 or len(figures) != 1 or meaning.fold or meaning.limit or figures[0].per or figures[0].less:
        return False
    told = [(part, tests) for part in sketch.cover.parts if (tests := _tests(sketch, part))]
    before = [tests for part, tests in told if part.end <= signs[0].start]
    after = [tests for part, tests in told if part.start >= signs[0].end]
    if not before or not after or not _opposed(before[-1], after[0]):
        return False
    sketch.flag("versus")
    sides = (before[-1], after[0])
    rest = tuple(test for test in meaning.filters if test not in (*sides[0], *sides[1]))
    each = tuple(replace(figures[0], where=(*figures[0].where, *side)) for side in sides)
    sketch.edit(measures=each, filters=rest, columns=(), subject=figures[0].table)
    return True


def _figures_beside(sketch: Sketch, sign: Part) -> bool:
    """“billed vs collected”: two figures."""
    totals = {Field(measure.table, measure.column or "") for measure in sketch.meaning.measures}
    said = [*sketch.parts("measure"), *(part for part in sketch.parts("attribute") if part.data in totals)]
    on_both = any(part.end <= sign.start for part in said) and any(part.start >= sign.end for part in said)
    days = {tuple(figure_days(sketch.lexicon, measure)[:1]) for measure in sketch.meaning.measures}
    timed = any(group.unit for group in sketch.meaning.groups)
    return on_both and len(sketch.meaning.measures) == len(said) > 1 and (len(days) == 1 or not timed)


def _count(sketch: Sketch) -> tuple[Measure, ...]:
    target, meaning = sketch.target, sketch.meaning
    plain = target is not None and not target.column and not sketch.shown and not meaning.order
    return (Measure("count", target.table),) if target and plain else ()


def _tests(sketch: Sketch, part: Part) -> tuple[Filter, ...]:
    if part.kind == "filter" and not part.either:
        tests: tuple[Filter, ...] = part.data
        return tests
    if isinstance(part.data, When) and part.data.weekdays:
        days = part.data.weekdays
        return tuple(f for f in sketch.meaning.filters if f.operator == "weekday" and f.values == days)
    return part.such


def _opposed(one: tuple[Filter, ...], other: tuple[Filter, ...]) -> bool:
    return one != other and {test.field.table for test in one} == {test.field.table for test in other}
