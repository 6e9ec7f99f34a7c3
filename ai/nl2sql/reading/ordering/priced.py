"""The key of “cheapest installs”: what one of them costs, not the cost of all."""

import re

from ai.nl2sql.chart.parts import Part, Rank, Wanted
from ai.nl2sql.definitions import metric_field
from ai.nl2sql.meaning import Field, Measure
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.words import keys
from ai.sql.semantics import Metric

PRICED = frozenset("cheap cheapest expensive priciest costliest dearest".split())
UNPRICED = "I cannot tell what one of the “{}” costs; name the figure to rank by."


def priced(sketch: Sketch, key: Measure | Field | None) -> Measure | Field | None:
    """Return the figure behind “cheapest”, or the defined ratio of money over it; else the key."""
    found = _figure_behind(sketch)
    if found is None or not isinstance(key, Field):
        return key
    wanted: Wanted = found.data
    ratios = [wanted.measure] if _is_ratio(sketch, wanted.measure) else _ratios_over(sketch, wanted.measure)
    if len(ratios) == 1:
        return ratios[0]
    sketch.doubt(UNPRICED.format(found.said))
    return key


def _figure_behind(sketch: Sketch) -> Part | None:
    """Return the figure right behind an adjective of price."""
    ends = {part.end for part in sketch.parts("rank") if isinstance(part.data, Rank) and PRICED & {*keys(part.said)}}
    return next((part for part in sketch.parts("measure") if part.start in ends), None)


def _metric(sketch: Sketch, measure: Measure) -> Metric | None:
    return sketch.lexicon.metric_of(measure)


def _is_ratio(sketch: Sketch, measure: Measure) -> bool:
    metric = _metric(sketch, measure)
    return measure.function == "avg" or (metric is not None and "/" in metric.expression)


def _ratios_over(sketch: Sketch, measure: Measure) -> list[Measure]:
    metric = _metric(sketch, measure)
    counted = set(re.findall(r"\w+", metric.expression)) if metric else {measure.column or "*"}
    columns = {column.name for column in sketch.lexicon.table(measure.table).columns} & counted
    found = []
    for other in sketch.lexicon.metrics.values():
        over = set(re.findall(r"\w+", other.expression.rpartition("/")[2])) if "/" in other.expression else set()
        if other.table == measure.table and columns and columns <= over:
            found.append(Measure("metric", other.table, metric_field(other).column))
    return found
