"""The keys of ranks that no word names: the figure asked for, the number of rows, the day; no first without a value."""

from collections.abc import Sequence

from ai.nl2sql.chart.parts import Rank, Wanted
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Group, Measure
from ai.nl2sql.reading.havings import counted_beside
from ai.nl2sql.reading.rows.which_day import day_of_deed_named
from ai.nl2sql.reading.sketch import Sketch, is_fact, many_between
from ai.nl2sql.schema import always_known, days, main_amount
from ai.nl2sql.words import name_parts, singular, stems

MOST = frozenset({"most", "least", "fewest"})
SIZES = frozenset({"highest", "largest", "biggest", "lowest", "smallest"})


def implied_key(sketch: Sketch, rank: Rank) -> Measure | Field | None:
    """“top 5 apps revenue”: the figure asked for; “most common category”: the number of rows."""
    if sketch.wanted:
        return sketch.wanted[0].measure
    if (deeds := _done_most(sketch)) is not None:
        return deeds
    kind, groups = sketch.target, sketch.meaning.groups
    if rank.common and kind and kind.column and groups and kind not in groups:
        return Measure("count", kind.table)  # “most common platform per team”
    if rank.limit and sketch.meaning.groups and sketch.target and sketch.target not in sketch.meaning.groups:
        return _number_of_each(sketch, sketch.target)
    largest = any(SIZES & set(part.said.lower().split()) for part in sketch.parts("rank"))
    target = sketch.target
    if largest and target and not target.column and not sketch.meaning.groups and is_fact(sketch.lexicon, target.table):
        return main_amount(sketch.lexicon, target.table)
    if not rank.asked and rank.limit and sketch.target:
        common = not any(
            part.said.split()[0].lower() in ("first", "last") for part in sketch.parts("rank") if part.said
        )
        if common:
            return Measure("count", counted_beside(sketch) or _occurring(sketch, sketch.target))
        columns = days(sketch.lexicon, sketch.target.table)
        always = always_known(sketch.lexicon, columns)
        sure = columns if len(columns) == 1 else always if len(always) == 1 else day_of_deed_named(always)
        if is_last(sketch) and len(sure) == 1:
            return sure[0]
        done = [field for field in sketch.shown if field in columns]
        if not is_last(sketch) and len(done) == 1:
            sketch.edit(filters=(*sketch.meaning.filters, Filter(done[0], "not null")))
            return done[0]  # “the first 3 apps launched”
    return None


def _done_most(sketch: Sketch) -> Measure | None:
    """“most returned product”: by how many returns it has."""
    said = {word for part in sketch.parts("rank") for word in part.said.lower().split()}
    target = sketch.target
    if target is None or not said & MOST:
        return None
    done = [
        test
        for test in sketch.meaning.filters
        if test.operator == "not null" and many_between(sketch.lexicon, target.table, test.field.table)
    ]
    if len(done) != 1:
        return None
    sketch.edit(filters=tuple(test for test in sketch.meaning.filters if test != done[0]))
    return Measure("count", done[0].field.table)


def is_last(sketch: Sketch) -> bool:
    """“the last 3 orders”, “the 3 last orders”."""
    return any("last" in part.said.lower().split() for part in sketch.parts("rank"))


def _number_of_each(sketch: Sketch, target: Group) -> Measure | None:
    """“supporters per country, top 3”: the groups are ranked by how many there are."""
    first = next(iter(sketch.parts("group")), None)
    if target.column or first is None or any(part.start < first.start for part in sketch.parts("rank")):
        return None
    sketch.target = None
    sketch.wanted.append(Wanted(Measure("count", target.table)))
    return sketch.wanted[0].measure


def _occurring(sketch: Sketch, target: Group) -> str:
    """The rows counted for the most common thing: of the only table with a key to it."""
    links = [link for link in sketch.lexicon.links.steps.get(target.table, ()) if link.many]
    own = {*stems(name_parts(target.table)), *stems(name_parts(singular(target.table)))}
    said = {word.stem for word in sketch.lattice.words}
    called = [link for link in links if (set(stems(name_parts(link.keys[0][1]))) - own) & said]  # “source language”
    children = {link.target for link in called or links}
    return children.pop() if len(children) == 1 and not target.column else target.table


def keep_known(sketch: Sketch, groups: Sequence[Group]) -> None:
    sketch.edit(filters=tuple(dict.fromkeys((*sketch.meaning.filters, *only_known(sketch.lexicon, groups)))))


def only_known(lexicon: Lexicon, groups: Sequence[Group]) -> list[Filter]:
    """Return the conditions that rank no rows without a value."""
    fields = [Field(g.table, g.column) for g in groups if g.column and not g.unit and not g.column.startswith("=")]
    return [Filter(field, "not null") for field in fields if lexicon.column(field).nullable]
