"""Several figures of one question, each with conditions of its own: also the two sides of “free vs paid apps”."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ai.nl2sql.chart.parts import Part, Wanted, When
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Meaning, Measure, Period
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import figure_days
from ai.nl2sql.spans import DATED
from ai.nl2sql.values import truths
from ai.nl2sql.words import singular

JOINING = frozenset({"and", "vs", "versus", "plus", "with", "or", "&"})
ONE_BY_ONE = "I cannot count in two ways in one answer; ask for one number at a time."
OWNING = frozenset({"had", "have", "has", "made", "with"})
AMOUNTS = frozenset({"many", "much"})
BARE = frozenset({"in", "at", "of", "for", "from", "are", "were", "with", "on"})


def counted_again(sketch: Sketch) -> None:
    """“how many rooms in total, and how many in Bonn”: a condition behind a second number is none of the first."""
    words = sketch.lattice.words
    asked = [at for at, word in enumerate(words) if at and word.key in AMOUNTS and words[at - 1].key == "how"]
    if len(asked) != 2 or not sketch.meaning.measures or asked[-1] + 1 >= len(words):
        return
    at, bare = asked[-1], words[asked[-1] + 1].key in BARE
    tests = [(part.start, test) for part in sketch.parts("filter") for test in part.data]
    tests += [(part.end, test) for part in sketch.parts("measure") for test in part.data.filters]
    behind = [test for place, test in tests if place > at]
    behind += _flags_behind(sketch, at) if bare else ()
    first = sketch.meaning.measures[0]
    rivals = {test.field for test in behind}
    before = [test for place, test in tests if place <= at and (not bare or test.field in rivals)]
    if _done_on_other_day(sketch, behind):
        sketch.doubt(ONE_BY_ONE)
        return
    if not behind or first.per or first.less:
        if bare and not any(part.start > at for part in sketch.parts("period")):
            sketch.doubt(ONE_BY_ONE)
        return
    if bare or (
        before and len(sketch.meaning.measures) == 1 and {test.field.table for test in behind} == {first.table}
    ):
        sides = (tuple(dict.fromkeys(before)), tuple(dict.fromkeys(behind)))
        sketch.flag("count")
        sketch.edit(
            measures=tuple(replace(first, where=(*first.where, *side)) for side in sides),
            filters=tuple(test for test in sketch.meaning.filters if test not in (*before, *behind)),
        )


def _done_on_other_day(sketch: Sketch, tests: Sequence[Filter]) -> bool:
    """Whether what is counted second has a day of its own: “how many retired”."""
    timed = {period.field for period in sketch.meaning.periods}
    done = {test.field for test in tests if test.operator == "not null"}
    return bool(timed) and any(sketch.lexicon.column(field).kind in DATED for field in done - timed if field.column)


def kinds_counted(sketch: Sketch) -> None:
    """Count “releases and hotfixes” side by side."""
    meaning = sketch.meaning
    if len(meaning.measures) != 1 or meaning.measures[0].function != "count":
        return
    words, figure = sketch.lattice.words, meaning.measures[0]
    for part in sketch.parts("filter"):
        last = words[part.end - 1].key
        joined = words[part.start - 1].key == "and" and any(
            rows.end == part.start - 1 for rows in (*sketch.parts("measure"), *sketch.parts("noun"))
        )
        if joined and singular(last) != last and all(test in meaning.filters for test in part.data):
            rest = tuple(test for test in meaning.filters if test not in part.data)
            sketch.edit(measures=(figure, replace(figure, where=(*figure.where, *part.data))), filters=rest)
            return


def each_its_own(sketch: Sketch) -> None:
    """“revenue on iOS and installs on Android”: each value belongs to its figure."""
    figures = [_said(measure, sketch) for measure in sketch.meaning.measures]
    said = [part for part in figures if part is not None]
    if len(said) != len(figures) or len({part.start for part in said}) != len(said) or len(said) < 2:
        return
    owned: dict[int, list[Filter]] = {}
    for part in sketch.parts("filter"):
        before = [at for at, figure in enumerate(said) if figure.start < part.start]
        owned.setdefault(max(before, key=lambda at: said[at].start, default=-1), []).extend(part.data)
    fields = [{test.field for test in tests} for tests in owned.values()]
    if set(owned) != set(range(len(said))) or any(one != fields[0] for one in fields):
        return
    rest = tuple(test for test in sketch.meaning.filters if test.field not in fields[0])
    measures = (replace(m, where=(*m.where, *owned[at])) for at, m in enumerate(sketch.meaning.measures))
    sketch.edit(measures=tuple(measures), filters=rest)


def _said(measure: Measure, sketch: Sketch) -> Part | None:
    """Return the part of the question that names a figure."""
    for part in (*sketch.parts("measure"), *sketch.parts("attribute")):
        named = part.data.measure if isinstance(part.data, Wanted) else part.data
        if named in (measure, Field(measure.table, measure.column or "")):
            return part
    return None


def _flags_behind(sketch: Sketch, at: int) -> Iterator[Filter]:
    """Yield the tests of yes/no columns behind a word: “how many of them are insured”."""
    fields = [part.data for part in sketch.parts("attribute") if part.start > at]
    fields += [Field(m.table, m.column) for p in sketch.parts("measure") if p.end > at and (m := p.data.measure).column]
    for field in fields:
        yes = [value for value, true in truths(sketch.lexicon.column(field)) if true]
        sketch.shown = [shown for shown in sketch.shown if not yes or shown != field]
        yield from (Filter(field, "=", (value,)) for value in yes)


def stand_apart(sketch: Sketch) -> None:
    """Give figures of several tables (“how many orders and returns”) their own conditions, where all hold for each."""
    meaning = sketch.meaning
    bare = replace(meaning, filters=(), periods=())
    if not bare.stands_apart:
        return
    if _of_the_other(sketch):
        sketch.doubt("I cannot tell how these two figures belong together; ask for one at a time.")
        return
    made = [_with_own(measure, meaning, sketch.lexicon) for measure in meaning.measures]
    found = tuple(measure for measure in made if measure is not None)
    if len(found) == len(made):
        sketch.edit(measures=found, filters=(), periods=())


def _of_the_other(sketch: Sketch) -> bool:
    """“how many countries do we have revenue from”, “how many guests had bookings”: no two figures."""
    values = any(measure.function == "count" and measure.column for measure in sketch.meaning.measures)
    said = sorted(part.end for part in (*sketch.parts("measure"), *sketch.parts("attribute")))
    between = {word.key for word in sketch.lattice.words[said[0] : said[-1]]} if said else set()
    has = bool(between & OWNING) and all(measure.function != "sum" for measure in sketch.meaning.measures)
    return (values and not between & JOINING) or (has and not between & (JOINING - {"with"}))


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
