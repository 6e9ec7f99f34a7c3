"""Whether one thing is so: “is Lumo still live?” asks for its column; the state of the rows shown."""

from ai.nl2sql.chart.parts import Part
from ai.nl2sql.definitions import is_term
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Filter
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import display, end_day

BE = frozenset({"is", "are", "was", "were"})


def asked_state(sketch: Sketch) -> None:
    meaning, names = sketch.meaning, display(sketch.lexicon, sketch.meaning.subject) if sketch.meaning.subject else ()
    named = [test for test in meaning.filters if test.operator == "=" and test.field in names]
    told = [test for test in meaning.filters if test.field.table == meaning.subject and test not in named]
    plain = all(not is_term(test.field) and test.operator in ("=", "null", "not null") for test in told)
    asks = sketch.lattice.words[0].key in BE and not (meaning.all_measures or sketch.shown)
    if asks and named and told and plain and set(meaning.columns) <= set(names):
        rest = tuple(test for test in meaning.filters if test not in told)
        sketch.edit(columns=(*names, *(test.field for test in told)), filters=rest)


def open_of_shown(sketch: Sketch) -> None:
    """“how many of those are still open”: of the rows shown, those without their end; no state of far things."""
    if sketch.context is None:
        return
    shown = sketch.lexicon.table(sketch.context.root)
    for part in sketch.parts("filter"):
        signs = _pending_in(sketch, part)
        if not signs or part.data[0].field.table in sketch.context.tables:
            continue
        if end := end_day(shown, signs[0].value or "finished"):
            kept = (test for test in sketch.meaning.filters if test not in part.data)
            sketch.edit(filters=(*kept, Filter(end, "null")))


def _pending_in(sketch: Sketch, part: Part) -> list[Item]:
    """Return the words for things not over in a condition: “open”, a value of another table."""
    starts = range(max(0, part.start - 1), part.end)
    found = (item for start in starts for item in sketch.lattice.at(start, "pending"))
    return [item for item in found if item.end >= part.end]
