"""Conditions joined by “or”, and by “both … and …”, each true of some row."""

from dataclasses import replace
from itertools import pairwise

from ai.nl2sql.chart.parts import Part
from ai.nl2sql.meaning import Field, Filter, Group, Having, Measure, Presence, Scalar
from ai.nl2sql.reading.comparing.series import follow_each_other
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import is_numeric

Tests = tuple[Filter, ...]
CONDITIONS = ("filter", "period", "having", "presence")


def said_with_or(sketch: Sketch) -> dict[int, Tests]:
    """Return the conditions joined by “or”, by the start of each part; others are a doubt."""
    found: dict[int, Tests] = {}
    parts = [part for part in sketch.cover.parts if part.kind in CONDITIONS]
    for before, after in pairwise(parts):
        if not _or_between(sketch, before, after) or follow_each_other(before, after):
            continue
        pair = (before, after)
        if any(part.kind != "filter" or part.either or len(part.data) != 1 for part in pair):
            sketch.doubt("I cannot read “or” between these conditions; please ask for one of them at a time.")
        elif len({part.data[0].field for part in pair}) > 1 or any(
            part.data[0].operator not in ("=", "in") for part in pair
        ):
            tests = (*found.pop(before.start, before.data), *after.data)
            found |= {before.start: (), after.start: tests}
    return found


def _or_between(sketch: Sketch, before: Part, after: Part) -> bool:
    between = sketch.lattice.words[before.end : after.start]
    return any(word.key == "or" for word in between) and len(between) < 12


def all_of(sketch: Sketch) -> None:
    """“played by both A and B”: some row with each; “industries with both …”: groups with rows of each."""
    if not sketch.flags("both"):
        return
    tests = _each(sketch)
    if len(tests) < 2:
        return
    meaning, table = sketch.meaning, tests[0].field.table
    root = meaning.measures[0].table if meaning.measures else meaning.subject
    rest = tuple(f for f in meaning.filters if f.field != tests[0].field)
    if many_between(sketch.lexicon, root, table) and table not in {f.table for f in meaning.columns}:
        there = tuple(Presence(table, present=True, where=(test,)) for test in tests)
        sketch.edit(filters=rest, presences=(*meaning.presences, *there))
    elif len(meaning.columns) == 1 and not meaning.all_measures and not is_numeric(sketch.lexicon, meaning.columns[0]):
        _values_with_each(sketch, tests, rest)
    else:
        return
    sketch.flag("both")


def _each(sketch: Sketch) -> Tests:
    """The conditions on one column no single row can meet."""
    start = sketch.flags("both")[0].start
    said = [test for part in sketch.parts("filter") if part.start > start for test in part.data]
    fields = {test.field for test in said}
    if len(fields) != 1 or any(test.operator in ("!=", "not in") or test.than for test in said):
        return ()
    return tuple(dict.fromkeys(_single(test, value) for test in said for value in test.values))


def _single(test: Filter, value: Scalar) -> Filter:
    operator = "=" if test.operator == "in" else test.operator
    return replace(test, operator=operator, values=(value,))


def _values_with_each(sketch: Sketch, tests: Tests, rest: Tests) -> None:
    shown, table = sketch.meaning.columns[0], tests[0].field.table
    if shown.table != table and (many_between(sketch.lexicon, table, shown.table) or shown == tests[0].field):
        return
    row = shown.table != table and _names_one(sketch, shown)
    group = Group(shown.table) if row else Group(shown.table, shown.column)
    havings = tuple(Having(Measure("count", table, where=(test,)), ">", 0) for test in tests)
    sketch.edit(groups=(group,), columns=(shown,) if row else (), filters=rest, havings=havings, distinct=False,
                subject=table, order=())  # fmt: skip


def _names_one(sketch: Sketch, field: Field) -> bool:
    return any(str(part.data) == field.table for part in sketch.parts("noun"))
