"""Times asked of things without a day: “how many X-rays in October” are the treatments that were X-rays."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from ai.nl2sql.chart.parts import When
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning, Measure, Period
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.reading.times import aged
from ai.nl2sql.schema import days, display
from ai.nl2sql.words import name_parts

MOST = 4
QUANTITIES = frozenset({"quantity", "qty", "pieces", "units"})


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
