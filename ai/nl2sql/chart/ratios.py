"""One figure over another of the same rows: “revenue per active user”."""

from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.additivity import held
from ai.nl2sql.chart.figures import additive, field_of, made
from ai.nl2sql.chart.parts import Part, Wanted
from ai.nl2sql.chart.rules import Rule, Run
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.meaning import Measure
from ai.nl2sql.schema import adds_up, averaged, is_numeric


def of_each(run: Run) -> Iterator[Part]:
    """“revenue per active user”: one figure over another of the same rows."""
    above, below = run.part(0).data, field_of(run.item(2))
    if not isinstance(above, Wanted) or above.mean or above.measure.per or run.item(1).value == "by":
        return
    if is_metric(below):
        yield from _of_each_defined(run, above, Measure("metric", below.table, below.column))
        return
    numeric = is_numeric(run.lexicon, below) and not averaged(below)
    if numeric and below.table != above.measure.table and additive(run.lexicon, above.measure):
        each = replace(above.measure, per=Measure("max", below.table, below.column))
        yield made(run, Wanted(each), cost=0.1)
    if not numeric or below.table != above.measure.table or below.column == above.measure.column:
        return
    if not additive(run.lexicon, above.measure) or not adds_up(run.lexicon, below):
        return
    ratio = Measure(above.measure.function, above.measure.table, above.measure.column, above.measure.where,
                    Measure("sum", below.table, below.column))  # fmt: skip
    yield made(run, Wanted(ratio), cost=0.1)


def _of_each_defined(run: Run, above: Wanted, below: Measure) -> Iterator[Part]:
    """“ad spend per install”, where the file defines installs."""
    figures = above.measure, below
    added = all(additive(run.lexicon, figure) and not held(figure, run.lexicon) for figure in figures)
    if added and above.measure.table == below.table and above.measure != below:
        yield made(run, Wanted(replace(above.measure, per=below)), cost=0.1)


RATIOS = (Rule("measure group column", of_each),)
