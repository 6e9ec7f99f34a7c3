"""Times and places that the rows asked about have not: those of treatments that were X-rays, or of other rows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from ai.nl2sql.chart.parts import When
from ai.nl2sql.definitions import is_term
from ai.nl2sql.items import PARTLY
from ai.nl2sql.joins import turns
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning, Measure, Period
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.reading.times import aged
from ai.nl2sql.schema import days, display, noun, title
from ai.nl2sql.words import keys, name_parts
from ai.sql.catalog import Column

MOST = 4
QUANTITIES = frozenset({"quantity", "qty", "pieces", "units"})
PLACES = frozenset({"country", "region", "city", "state", "continent", "market"})


def of_events(sketch: Sketch) -> tuple[Meaning, ...]:
    """Return the counts of the dated rows that refer to the things counted, where those have no day."""
    meaning, whens = sketch.meaning, [when for when in sketch.data("period") if isinstance(when, When)]
    counted = [measure for measure in meaning.measures if measure.function == "count" and not measure.column]
    if len(counted) != 1 or len(meaning.measures) > 1 or len(whens) != 1 or meaning.groups or not meaning.filters:
        return ()
    thing = counted[0].table
    named = {*display(sketch.lexicon, thing)}
    if whens[0].field or whens[0].weekdays or not all(test.field in named for test in meaning.filters):
        return ()
    span = aged(sketch, whens[0])
    found = []
    for figure, day in islice(_figures(thing, sketch.lexicon), MOST):
        period = Period(day, span.start, span.end)
        found.append(replace(meaning, subject=figure.table, columns=(), periods=(period,), measures=(figure,)))
    return tuple(found)


def _figures(thing: str, lexicon: Lexicon) -> Iterator[tuple[Measure, Field]]:
    """Yield totals of quantities first, then numbers of rows, each with its day."""
    events = list(_events(thing, lexicon))
    for table, day in events:
        for column in lexicon.table(table).columns:
            if QUANTITIES & set(name_parts(column.name)) and column.kind in ("integer", "number"):
                yield Measure("sum", table, column.name), day
    yield from ((Measure("count", table), day) for table, day in events)


def _events(thing: str, lexicon: Lexicon) -> Iterator[tuple[str, Field]]:
    """Yield the tables of a thing's rows, each with its only day."""
    near: list[tuple[int, str, Field]] = []
    for table in lexicon.catalog.tables:
        path = lexicon.links.path(table.name, thing)
        if table.name == thing or not path or many_between(lexicon, table.name, thing):
            continue
        between = {link.target for link in path}
        owners = [link.target for link in lexicon.links.steps.get(table.name, ()) if not link.many]
        own = days(lexicon, table.name)
        found = own or [day for owner in owners if owner not in between for day in days(lexicon, owner)]
        if len(found) == 1:
            near.append((len(path), table.name, found[0]))
    yield from ((name, day) for _, name, day in sorted(near, key=lambda one: one[0]))


def place_of_another(sketch: Sketch, figures: Sequence[Measure]) -> str:
    """Say where a place named is none of the rows counted."""
    named = {str(part.data) for part in sketch.parts("noun")} | {field.table for field in sketch.shown}
    for measure in figures:
        for test in sketch.meaning.filters:
            there = test.field.table
            own = _own_place(sketch.lexicon, measure.table, there)
            far = (
                there not in {*named, measure.table}
                and not is_term(test.field)
                and _is_place(sketch.lexicon.column(test.field))
            )
            said = any(set(keys(part.said)) & set(name_parts(test.field.column)) for part in sketch.cover.parts)
            if own and far and not said and test.values:
                place, whose = title(test.field), noun(sketch.lexicon, there)
                mine = f"{title(Field(measure.table, own))} of {noun(sketch.lexicon, measure.table)}"
                return f"“{test.values[0]}” is a {place} of {whose}, not a {mine}; name the {whose} if you mean it."
    return ""


def _own_place(lexicon: Lexicon, name: str, other: str) -> str:
    """Return a column of places, but for keys to the other table."""
    table = lexicon.table(name)
    keys_there = {column for key in table.foreign_keys if key.target_table == other for column in key.columns}
    return next((c.name for c in table.columns if _is_place(c) and c.name not in keys_there), "")


def _is_place(column: Column) -> bool:
    """Whether a column tells places; a `state` of small letters is how far something got."""
    told = PLACES & set(name_parts(column.name))
    return bool(told - {"state"}) or (bool(told) and not (column.values and all(map(str.islower, column.values))))


def loosely_linked(sketch: Sketch) -> None:
    """A column of a table that is not named, and only shares a parent with the rows, is rarely meant."""
    meaning = sketch.meaning
    root = meaning.root
    shown = {group.table for group in meaning.groups} | {m.table for m in meaning.all_measures}
    tests = [(root, test.field) for test in meaning.conditions if root]
    nouns = [str(part.data) for part in sketch.parts("noun")][:1]
    for table, field in (*tests, *((table, column) for table in nouns for column in meaning.columns)):
        path = sketch.lexicon.links.path(table, field.table) or ()
        if turns(path) and field.table not in shown and not _is_named(sketch, field.table):
            things, others = noun(sketch.lexicon, table), noun(sketch.lexicon, field.table)
            sketch.doubt(f"I cannot tell what {title(field)} of {others} says of {things}.")
            return


def _is_named(sketch: Sketch, table: str) -> bool:
    """Whether words name a table itself, and not only a value of it."""
    items = (item for found in sketch.lattice.items.values() for item in found if item.kind == "table")
    return any(item.sense and item.sense.table == table and item.cost < PARTLY for item in items)
