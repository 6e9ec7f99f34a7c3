"""Ways between two rows of one table: “loads from Oslo to Bergen”, where a load has a key for each end."""

from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.chart.parts import Part
from ai.nl2sql.meaning import Among, Field, Filter, Meaning
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.words import name_parts

BEGINS = frozenset("from origin source departure departing depart start begin pickup sender sending".split())
TOWARDS = ("to", "into")
ENDS = frozenset("to destination dest arrival arriving arrive end dropoff target recipient receiving".split())


def both_ends(sketch: Sketch) -> None:
    """Put each end of a way on its own key."""
    ends = _ends(sketch)
    if len(ends) != 2:
        return
    table = ends[0].field.table
    keys = _keys(sketch, table) if table == ends[1].field.table else None
    if keys is None:
        sketch.doubt(f"I cannot read a way from {ends[0].values[0]} to {ends[1].values[0]}; ask for one end.")
        return
    said = {test.field for test in ends}
    column = sketch.lexicon.table(table).primary_key[0]
    rows = (Meaning(table, columns=(Field(table, column),), filters=(end,)) for end in ends)
    sketch.edit(
        filters=tuple(test for test in sketch.meaning.filters if test.field not in said),
        among=(*sketch.meaning.among, *(Among(key, row) for key, row in zip(keys, rows, strict=True))),
    )


def _ends(sketch: Sketch) -> Sequence[Filter]:
    """Return the conditions on the two ends, () where the words tell no way."""
    words = [word.key for word in sketch.lattice.words]
    begins = words.index("from") if "from" in words else None
    to = next((at for at in range(begins, len(words)) if words[at] in TOWARDS), None) if begins is not None else None
    if begins is None or to is None:
        return ()
    parts = [part for part in sketch.parts("filter") if part.start > begins and part.start - to <= 2]
    if not parts or parts[0].start - begins > 2 or not parts[0].start < to < parts[-1].end:
        return ()
    return [end for part in parts for end in _each(part)]


def _each(part: Part) -> list[Filter]:
    return [
        replace(test, operator="=", values=(value,))
        for test in part.data
        if test.operator in ("=", "in")
        for value in test.values
    ]


def _keys(sketch: Sketch, table: str) -> tuple[Field, Field] | None:
    asked = [wanted.measure.table for wanted in sketch.wanted]
    asked += [sketch.target.table] if sketch.target else []
    for source in dict.fromkeys((*asked, *(str(part.data) for part in sketch.parts("noun")))):
        links = [link for link in sketch.lexicon.links.steps.get(source, ()) if link.target == table and not link.many]
        keys = [Field(*link.keys[0]) for link in links if len(link.keys) == 1]
        begin, end = ([key for key in keys if set(name_parts(key.column)) & role] for role in (BEGINS, ENDS))
        if len(begin) == len(end) == 1 and begin != end:
            return begin[0], end[0]
    return None
