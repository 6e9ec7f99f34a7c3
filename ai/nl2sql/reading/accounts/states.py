"""Whether one thing is so: “is Lumo still live?” asks for the column that tells it."""

from ai.nl2sql.definitions import is_term
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import display

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
