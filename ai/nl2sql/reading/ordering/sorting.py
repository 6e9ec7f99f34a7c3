"""The order of the rows, as far as words say it."""

from dataclasses import replace

from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.chart.parts import Part, Sorting
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.meaning import Field, Group, Measure, Operator, Order
from ai.nl2sql.reading.ordering.ranks import JUDGED, is_bad
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import averaged, days, display, is_numeric
from ai.nl2sql.spans import DATED
from ai.nl2sql.totals import is_amount
from ai.nl2sql.words import name_parts

AGES = frozenset({"oldest", "newest", "earliest", "latest", "recent", "youngest"})
SIZES = frozenset("highest lowest largest biggest smallest most least fewest longest shortest cheapest".split())


def sorted_as_said(sketch: Sketch) -> None:
    """Orders said outright; without one, groups go by size and times by time."""
    said = [part for part in sketch.parts("order") if isinstance(part.data, Sorting)]
    direction = next((s.data.descending for s in said if s.data.key is None), None)
    verb = sketch.flags("order")
    if said:
        sketch.used |= {part.start for part in verb if part.data.value != "by"}  # “ordered by” needs its key
    for part in said:
        sorting = part.data
        if not isinstance(sorting, Sorting) or sorting.key is None or part.start in sketch.used:
            continue
        loose = sorting.loose and not verb and direction is None and not _by_figure(sketch, sorting)
        if (loose or isinstance(sorting.key, Measure)) and _kinds_by_figure(sketch, sorting):
            continue
        if loose:
            sketch.doubt("I cannot tell what “by” means here.")
            continue
        if sorting.loose and not verb and _is_text_by_size(sketch, sorting, said):
            sketch.doubt("I cannot sort words by their size; say the figure, such as “by revenue”.")
            continue
        ranking = sorting.loose and isinstance(sorting.key, Measure) and direction is None
        ranking = ranking or (isinstance(sorting.key, Field) and is_amount(sketch.lexicon, sorting.key))
        down = sorting.descending if sorting.descending is not None else bool(direction) or ranking
        key = _key(sketch, sorting.key)
        if key is not None:
            sketch.edit(order=(*(o for o in sketch.meaning.order if o.key != key), Order(key, down)))
    if direction is not None and not sketch.meaning.order:
        _sorted_as_shown(sketch, said, descending=direction)


def _sorted_as_shown(sketch: Sketch, said: list[Part], *, descending: bool) -> None:
    """A direction without a key, “highest first”: by the figure, or by what is listed."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    words = [word for part in said for word in part.said.lower().split()]
    key = meaning.measures[0] if meaning.measures else next((f for f in meaning.columns), None)
    key = _by_age(sketch, said) or _by_size(sketch, said) or key
    if key is None and meaning.subject:
        key = next(iter(display(lexicon, meaning.subject)), None)
    if key is None:
        return
    if meaning.subject and key in _age_in_years(sketch):
        descending = next((word == "oldest" for word in words if word in AGES), descending)
    elif JUDGED & set(words) and is_bad(sketch.lexicon, key):
        descending = not descending
    sketch.edit(order=(Order(key, descending),))


def _by_figure(sketch: Sketch, sorting: Sorting) -> bool:
    """“teams by average rating”: things by a figure of theirs."""
    target, key = sketch.target, sorting.key
    if target is None or target.column or sketch.wanted:
        return False
    if isinstance(key, Field):
        return not sketch.shown and key.table == target.table and is_amount(sketch.lexicon, key)
    if not isinstance(key, Measure):
        return False
    path = sketch.lexicon.links.path(key.table, target.table)
    return key.table != target.table and bool(path) and not any(link.many for link in path or ())


def _kinds_by_figure(sketch: Sketch, sorting: Sorting) -> bool:
    """“countries by installs”, “grades by rating”: the figure of each kind, where nothing else is asked."""
    key, kinds = sorting.key, sketch.shown
    starts = {part.start for part in sketch.parts("attribute")}
    if any(part.end not in starts for part in sketch.parts("noun")):
        return False  # “app categories”, but no “apps with category”
    if len(kinds) != 1 or is_metric(kinds[0]) or sketch.meaning.measures or sketch.meaning.groups or sketch.wanted:
        return False
    if isinstance(key, Field):
        if is_metric(key) or not is_numeric(sketch.lexicon, key):
            return False
        key = Measure("avg" if averaged(key) else "sum", key.table, key.column)
    table, column = kinds[0].table, sketch.lexicon.column(kinds[0])
    if not isinstance(key, Measure) or column.kind != "text" or kinds[0] in display(sketch.lexicon, table):
        return False
    way = sketch.lexicon.links.path(key.table, table)
    if way is None or any(link.many for link in way):
        return False
    sketch.edit(measures=(key,), groups=(Group(table, column.name),), columns=(), order=(Order(key, descending=True),))
    sketch.shown = []
    return True


def _is_text_by_size(sketch: Sketch, sorting: Sorting, said: list[Part]) -> bool:
    """Whether “by country, largest first” would sort names: it counts the rows of each country."""
    sized = SIZES & {word for part in said for word in part.said.lower().split()}
    if not sized or sketch.meaning.all_measures or not isinstance(sorting.key, Field) or is_metric(sorting.key):
        return False
    return sketch.lexicon.column(sorting.key).kind == "text"


def _by_age(sketch: Sketch, said: list[Part]) -> Field | None:
    """“oldest first”: the day shown, or the only one."""
    ages = AGES & {word for part in said for word in part.said.lower().split()}
    meaning = sketch.meaning
    if not ages or meaning.measures or not meaning.subject:
        return None
    shown = [field for field in meaning.columns if sketch.lexicon.column(field).kind in DATED]
    fields = shown or _age_in_years(sketch) or days(sketch.lexicon, meaning.subject)
    if len(fields) != 1:
        sketch.doubt("I cannot tell which date says how old these are.")
    return fields[0] if fields else None


def _age_in_years(sketch: Sketch) -> list[Field]:
    """The ages of people, from “youngest” to “oldest”."""
    table = sketch.lexicon.table(sketch.meaning.subject)
    ages = (Field(table.name, column.name) for column in table.columns if name_parts(column.name)[-1:] == ("age",))
    return [field for field in ages if is_numeric(sketch.lexicon, field)]


def _by_size(sketch: Sketch, said: list[Part]) -> Field | None:
    """“largest first”: the only number shown, never the name."""
    meaning = sketch.meaning
    if meaning.measures or not SIZES & {word for part in said for word in part.said.lower().split()}:
        return None
    numbers = [field for field in meaning.columns if is_numeric(sketch.lexicon, field)]
    if len(numbers) != 1:
        sketch.doubt("I cannot tell by what to sort these; say it, such as “by revenue”.")
    return numbers[0] if numbers else None


def _key(sketch: Sketch, key: "Measure | Field | str") -> Measure | Field | None:
    meaning, lexicon = sketch.meaning, sketch.lexicon
    if key == "" and not meaning.subject:
        return None
    if key == "":
        return next(iter(meaning.columns or display(lexicon, meaning.subject)), None)
    if isinstance(key, Field) and meaning.all_measures:
        same = next((m for m in meaning.measures if (m.table, m.column) == (key.table, key.column)), None)
        own = not meaning.groups or key.table in {group.table for group in meaning.groups}
        return same or (key if own else total_of(key) if is_numeric(lexicon, key) else _of_groups(sketch, key))
    if isinstance(key, Measure) and not meaning.all_measures and meaning.subject:
        sketch.edit(groups=meaning.groups or (sketch.target or Group(meaning.subject),))
    if (
        isinstance(key, Measure)
        and not sketch.meaning.measures
        and key.column
        and key.table == meaning.subject
        and key.function != "metric"
    ):
        sketch.edit(groups=meaning.groups)
        return Field(key.table, key.column)
    return key if isinstance(key, Measure | Field) else None


def _of_groups(sketch: Sketch, key: Field) -> Field | None:
    """“each document and its paragraphs, by id”: a column of the groups called as the one of their rows."""
    last = name_parts(key.column)[-1:]
    numbers = [
        Field(g.table, name) for g in sketch.meaning.groups for name in sketch.lexicon.table(g.table).primary_key
    ]
    keyed = [key] if key in sketch.meaning.keys else []
    found = next((f for f in (*keyed, *sketch.meaning.columns, *numbers) if name_parts(f.column)[-1:] == last), None)
    if found is None:
        sketch.doubt("I cannot tell what “by” means here.")
    return found


def judged(sketch: Sketch) -> None:
    """“a grade worse than 2.5” is above it where less is better."""
    if not any({"worse", "better"} & {*part.said.lower().split()} for part in sketch.parts("having")):
        return
    flipped: dict[Operator, Operator] = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
    havings = tuple(
        replace(having, operator=flipped.get(having.operator, having.operator))
        if is_bad(sketch.lexicon, having.measure)
        else having
        for having in sketch.meaning.havings
    )
    sketch.edit(havings=havings)
