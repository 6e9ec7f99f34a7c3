"""Words repeating the definition of a figure: "gross", "in hours", "incl. tax".

A word counts as read where the name, the description, the unit or the condition of a figure holds it.
"""

from functools import lru_cache

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ai.nl2sql.chart.parts import Flag
from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.meaning import Field, Measure
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import is_money, title, unit_of
from ai.nl2sql.vocabulary import currencies, units
from ai.nl2sql.words import keys, name_parts, stem
from ai.sql.semantics import Metric

PERCENT = ("percent", "percentage", "pct")  # a change is told in percent too
AGAIN, NAMED_AGAIN = 0.3, 1.2  # what a word costs that is said twice, and one that names something of the data too


def restated(sketch: Sketch) -> None:
    """Take words as read where they repeat the definition of a figure, or of a column shown or compared."""
    fields = [*sketch.meaning.columns, *(test.field for test in sketch.meaning.filters)]
    known = {word for measure in sketch.meaning.all_measures for word in _said_of(sketch, measure)}
    known |= {word for field in fields for word in _unit_of(sketch, field)}
    if any(measure.less for measure in sketch.meaning.measures):
        known |= {stem(word) for word in PERCENT}
    units = {group.unit for group in sketch.meaning.all_groups if group.unit}
    for part in sketch.parts("flag"):
        again = isinstance(part.data, Flag) and part.data.sign == "unit" and part.data.value in units
        if again and part.start not in sketch.used:
            sketch.used.add(part.start)
            sketch.cost += AGAIN
    _averaged_again(sketch)
    for at in sketch.unread_places():
        word = sketch.lattice.words[at]
        if word.number is None and word.stem in known and not _mere_grammar(word.key):
            sketch.again.add(at)
            named = any(item.sense and not item.note for item in sketch.lattice.items[at]) and not _as_unit(sketch, at)
            sketch.cost += NAMED_AGAIN if named else AGAIN
    _included(sketch)


def _averaged_again(sketch: Sketch) -> None:
    """“how long does it take, on average”: said once more of a figure that is an average."""
    measures = sketch.meaning.all_measures
    if measures and all(measure.function == "avg" for measure in measures):
        said = [part for part in sketch.flags("aggregate") if part.data.value == "avg"]
        sketch.used |= {part.start for part in (*said, *sketch.flags("average"))}


def _as_unit(sketch: Sketch, at: int) -> bool:
    """“in minutes”, “45 kg”."""
    word, before = sketch.lattice.words[at], sketch.lattice.words[at - 1] if at else None
    unit = any(word.key in family for family in units())
    return unit and before is not None and (before.key == "in" or before.number is not None)


def _mere_grammar(key: str) -> bool:
    return bool(kinds_of(key) - {"filler", "verb", "unit"})


def _said_of(sketch: Sketch, measure: Measure) -> set[str]:
    metric = sketch.lexicon.metric_of(measure)
    if metric is not None:
        names = " ".join((metric.name, *metric.synonyms, metric.description, metric.unit))
        return {*map(stem, keys(names)), *_spelt(metric.unit), *map(stem, _columns_of(metric))}
    return _unit_of(sketch, Field(measure.table, measure.column)) if measure.column else set()


def _unit_of(sketch: Sketch, field: Field) -> set[str]:
    unit = unit_of(sketch.lexicon, field)
    own = {stem(word) for word in title(field).split()}
    money = {stem(word) for word in currencies()} if is_money(sketch.lexicon, field) else set()
    return own | money | _spelt(unit.unit if unit else name_parts(field.column)[-1])


def _spelt(unit: str) -> set[str]:
    """Return the stems of a unit in its ways to be written: km, kilometers."""
    family = next((words for words in units() if unit.lower() in words), frozenset({unit.lower()}))
    return {stem(word) for word in family}


@lru_cache(maxsize=512)
def _columns_of(metric: Metric) -> frozenset[str]:
    try:
        trees = [parse_one(text) for text in (metric.expression, metric.condition) if text]
    except SqlglotError:
        return frozenset()
    columns = (column for tree in trees for column in tree.find_all(exp.Column))
    return frozenset(part for column in columns for part in name_parts(column.name))


def _included(sketch: Sketch) -> None:
    """Hold “incl. tax” and “before tax” against the expression of the figure."""
    for part in sketch.parts("flag"):
        if not isinstance(part.data, Flag) or part.data.sign != "included":
            continue
        wanted, _, column = part.data.value.partition("|")
        metrics = [sketch.lexicon.metric_of(m) for m in sketch.meaning.all_measures]
        held = [stem(column) in map(stem, name_parts(metric.expression)) for metric in metrics if metric]
        if len(held) == len(metrics) == 1 and held[0] == (wanted == "with"):
            sketch.used.add(part.start)
            sketch.cost -= AGAIN
