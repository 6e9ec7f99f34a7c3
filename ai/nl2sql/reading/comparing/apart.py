"""Figures of several tables, each with its own conditions."""

from dataclasses import replace

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Filter, Meaning, Measure, Period
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import figure_days


def stand_apart(sketch: Sketch) -> None:
    """Give figures of several tables (“how many orders and returns”) their own conditions, where all hold for each."""
    meaning = sketch.meaning
    bare = replace(meaning, filters=(), periods=())
    if not bare.stands_apart:
        return
    made = [_with_own(measure, meaning, sketch.lexicon) for measure in meaning.measures]
    found = tuple(measure for measure in made if measure is not None)
    if len(found) == len(made):
        sketch.edit(measures=found, filters=(), periods=())


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
