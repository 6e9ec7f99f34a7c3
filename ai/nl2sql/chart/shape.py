"""The shape of an answer: groups, ranks, orders, limits, and lone words of grammar."""

from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.chart.figures import field_of, table_named
from ai.nl2sql.chart.parts import Part, Sorting, Wanted
from ai.nl2sql.chart.rules import Rule, Run, part_of
from ai.nl2sql.definitions import is_metric, is_term
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Field, Filter, Group, Measure, Unit
from ai.nl2sql.schema import averaged, is_numeric
from ai.nl2sql.spans import DATED
from ai.nl2sql.values import truths
from ai.nl2sql.words import is_participle, name_parts, stem

UNITS: dict[str, Unit] = {
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "weekday": "weekday",
    "hour": "hour",
}
BEFORE_FIGURE = 1.0  # what it costs to split by a word right before a figure
CLEAR = 0.1  # what a name costs at most that nothing else is called by
ACTING = frozenset({"we", "they", "you", "were", "was", "did"})
BY_HOUR = 0.3
ADVERBS = ("daily", "weekly", "monthly", "quarterly", "yearly", "annual", "annually")


def group_of(item: Item) -> Group | None:
    """The grouping by a table or column: by its rows or its values."""
    if item.kind == "table":
        return Group(table_named(item))
    if item.kind == "unit":
        return Group("", unit=UNITS[item.value])
    field = field_of(item)
    return None if is_metric(field) else Group(field.table, field.column)


def grouped(run: Run) -> Iterator[Part]:
    """“per app”, “by month”, “for each category and platform”."""
    keys = [item for item in run.items[1:] if isinstance(item, Item) and item.kind in ("table", "column", "unit")]
    found = [group for item in keys if (group := group_of(item))]
    if len(found) < len(keys) or any(_is_guessed_state(run, item) for item in keys):
        return
    first = run.item(0)
    rows = [g for g in found if g.column and is_numeric(run.lexicon, Field(g.table, g.column))]
    rows = [g for g in rows if not averaged(Field(g.table, g.column or ""))]
    cost = (0.25 if first.value == "by" else 1.8) * len(rows)
    dates = [g for g in found if g.column and run.lexicon.column(Field(g.table, g.column)).kind in DATED]
    tables = frozenset(g.table for g in found if g.table)
    cost += BEFORE_FIGURE * (first.value == "by" and _figure_follows(run))
    yield part_of(run, "group", tuple(found), cost - 0.25 * (len(found) - 1) + 0.1 * len(dates), tables)


def _is_guessed_state(run: Run, item: Item) -> bool:
    """Whether a related word stands for a yes or no: nobody splits by that."""
    return bool(item.note and item.kind == "column" and not is_metric(field_of(item)) and not is_term(field_of(item))
                and truths(run.lexicon.column(field_of(item))))  # fmt: skip


def _figure_follows(run: Run) -> bool:
    """Whether a figure is named right behind, as in “by room revenue”."""
    after = [item for item in run.lattice.at(run.end, "column") if item.cost < CLEAR and not item.note]
    return any(is_metric(field_of(item)) or is_numeric(run.lexicon, field_of(item)) for item in after)


def by_hour(run: Run) -> Iterator[Part]:
    """“orders by hour”: of the day, where nothing is called so."""
    if {"by", "each", "every"} & {word.key for word in run.lattice.words[run.start : run.end]}:  # a rate is per hour
        yield part_of(run, "group", (Group("", unit="hour"),), BY_HOUR)


def grouped_by_number(run: Run) -> Iterator[Part]:
    """“number of flats by number of rooms”: of the same rows."""
    field = field_of(run.item(2))
    named = (item for start in range(run.start) for item in run.lattice.items.get(start, ()) if item.end <= run.start)
    counted = {item.sense.table for item in named if item.sense and item.kind in ("table", "value")}
    counts = any(run.lattice.at(start, "count") for start in range(run.start))
    if counts and field.table in counted and not is_metric(field) and is_numeric(run.lexicon, field):
        yield part_of(run, "group", (Group(field.table, field.column),), 0.1, frozenset({field.table}))


def grouped_by_its_time(run: Run) -> Iterator[Part]:
    """“by launch year”, “per month of birth”."""
    keys = [item for item in run.items[1:] if isinstance(item, Item)]
    field = next(field_of(item) for item in keys if item.kind == "column")
    unit = next(UNITS[item.value] for item in keys if item.kind == "unit")
    if not is_metric(field) and not is_term(field) and run.lexicon.column(field).kind in DATED:
        yield part_of(run, "group", (Group(field.table, field.column, unit),), -0.2, frozenset({field.table}))


def grouped_by_deed(run: Run) -> Iterator[Part]:
    """“how many apps did we launch each year”: by the day of the verb."""
    column, unit = run.item(0), UNITS[run.item(2).value]
    field, word = field_of(column), run.lattice.words[column.start]
    before = run.lattice.words[column.start - 1].key if column.start else ""
    if column.end != column.start + 1 or before not in ACTING or is_metric(field) or is_term(field):
        return
    deed = stem(name_parts(field.column)[0]) == word.stem and run.lexicon.column(field).kind in DATED
    if deed:
        yield part_of(run, "group", (Group(field.table, field.column, unit),), -0.1, frozenset({field.table}))


def grouped_by_yes_or_no(run: Run) -> Iterator[Part]:
    """“by hotfix or not”."""
    field = field_of(run.item(1))
    if not is_metric(field) and not is_term(field) and truths(run.lexicon.column(field)):
        yield part_of(run, "group", (Group(field.table, field.column),), -0.2, frozenset({field.table}))


def grouped_owner(run: Run) -> Iterator[Part]:
    """“per app category”."""
    owner, column = table_named(run.item(1)), field_of(run.item(2))
    if owner == column.table and not is_metric(column):
        yield part_of(run, "group", (Group(column.table, column.column),), -0.3, frozenset({owner}))


def by_whom(run: Run) -> Iterator[Part]:
    """“who booked …”, where a key names the doer: `booked_by_id`."""
    column, field = run.item(1), field_of(run.item(1))
    parts = name_parts(field.column) if not is_metric(field) else ()
    said = run.lattice.words[column.start]
    if parts[1:] == ("name",) and stem(parts[0]) == said.stem and said.key != parts[0]:
        yield part_of(
            run, "attribute", field, -0.4 - column.cost, frozenset({field.table})
        )  # “who hosts it”: `host_name`
    keyed = any(key.columns == (field.column,) for key in run.lexicon.table(field.table).foreign_keys)
    if keyed and "by" in parts[1:] and stem(parts[0]) == said.stem and run.item(0).end == column.start:
        yield part_of(run, "group", (Group(field.table, field.column),), -column.cost, frozenset({field.table}))


def by_adverb(run: Run) -> Iterator[Part]:
    """“monthly revenue”."""
    item = run.item(0)
    words = run.lattice.words[item.start : item.end]
    if words[0].key in ADVERBS or len(words) > 1 or "-by-" in words[0].key:
        yield part_of(run, "group", (Group("", unit=UNITS[item.value]),))


def sorted_by(run: Run) -> Iterator[Part]:
    """“sorted by price descending”, “in order of the number of apps”."""
    direction = next((i.value for i in run.items if isinstance(i, Item) and i.kind == "direction"), None)
    what = next(
        (i for i in run.items[1:] if i is not None and not (isinstance(i, Item) and i.kind == "direction")), None
    )
    down = None if direction is None else direction == "desc"
    first = run.item(0)
    if first.kind == "order" and first.value != "by":
        return
    if isinstance(what, Part) and isinstance(what.data, Wanted):
        yield part_of(run, "order", Sorting(what.data.figure, down), tables=what.tables)
    elif isinstance(what, Item) and what.kind == "column" and not is_metric(field_of(what)):
        yield part_of(run, "order", Sorting(field_of(what), down), 0.02, frozenset({field_of(what).table}))
    elif isinstance(what, Item) and what.kind == "unit" and what.value == "day":
        yield part_of(run, "order", Sorting("date", down))
    elif isinstance(what, Item) and what.kind == "table":
        yield part_of(
            run, "order", Sorting(Measure("count", table_named(what)), down), 0.6, frozenset({table_named(what)})
        )


def sorted_by_owner(run: Run) -> Iterator[Part]:
    """“in descending order of the company's market value”."""
    owner, column = run.item(-2), run.item(-1)
    if table_named(owner) == field_of(column).table:
        yield from sorted_by(replace(run, items=(*run.items[:-2], column)))


def keyed_by(run: Run) -> Iterator[Part]:
    """“top 5 apps by revenue”: the key of a rank said elsewhere."""
    what = run.items[1]
    if run.item(0).value != "by":
        return
    if isinstance(what, Part) and isinstance(what.data, Wanted) and not what.data.mean:
        yield part_of(run, "order", Sorting(what.data.figure, loose=True), 0.05, what.tables)
    elif isinstance(what, Item) and what.kind == "column" and not is_metric(field_of(what)):
        yield part_of(run, "order", Sorting(field_of(what), loose=True), 0.15, frozenset({field_of(what).table}))
    elif isinstance(what, Item) and what.kind == "table":
        yield part_of(
            run, "order", Sorting(Measure("count", table_named(what)), loose=True), 0.25, frozenset({table_named(what)})
        )


def keyed_by_such(run: Run) -> Iterator[Part]:
    """“top 3 couriers by delivered orders”: by how many rows are such."""
    such, table = run.item(1), table_named(run.item(2))
    if run.item(0).value != "by" or such.sense is None or such.sense.table != table:
        return
    if such.kind == "value" and such.sense.value is not None:
        test = Filter(such.sense.field, "=", (such.sense.value,))
    elif such.kind == "column" and not is_metric(such.sense.field) and is_done(run, such):
        test = Filter(such.sense.field, "not null")
    else:
        return
    counted = Measure("count", table, where=(test,))
    yield part_of(run, "order", Sorting(counted, loose=True), -0.1, frozenset({table}))


def is_done(run: Run, column: Item) -> bool:
    """Whether a day that may be empty is called by what was done: “screened” of `screened_date`."""
    sense = column.sense
    if sense is None or is_term(sense.field):
        return False
    kept = run.lexicon.column(sense.field)
    return kept.kind in DATED and kept.nullable and is_participle(run.lattice.words[column.end - 1].key)


def sorted_by_name(run: Run) -> Iterator[Part]:
    direction = next((i.value for i in run.items if isinstance(i, Item) and i.kind == "direction"), None)
    sign = next(i for i in run.items if isinstance(i, Item) and i.kind == "order")
    if sign.value == "name":
        yield part_of(run, "order", Sorting("", direction == "desc"))


def sorted_by_count(run: Run) -> Iterator[Part]:
    """“sort it by the count”, of the figure already there."""
    direction = run.optional(2)
    word = run.lattice.words[run.start]
    by = "by" in {said.key for said in run.lattice.words[run.start : run.end]}
    if not by and any(sense.column is None for sense in run.lexicon.senses((word.key,))):
        return  # “order count” is the number of orders
    yield part_of(run, "order", Sorting(None, direction is None or direction.value == "desc"))


def directed(run: Run) -> Iterator[Part]:
    """“highest first” alone, or before its key."""
    sign = run.item(0)
    after = [word.key for word in run.lattice.words[run.end : run.end + 2]]
    keyed = after[:1] in (["of"], ["by"]) or after in (["order", "of"], ["order", "by"])
    if not keyed:
        yield part_of(run, "order", Sorting(None, sign.value == "desc"), 0.1)


GROUPS = (
    Rule("who column", by_whom),
    Rule("group table|column|unit", grouped),
    Rule("group table|column|unit and table|column|unit", grouped),
    Rule("group table|column|unit group table|column|unit", grouped),
    Rule("group table ~column", grouped_owner),
    Rule("group column ~unit", grouped_by_its_time),
    Rule("group unit column", grouped_by_its_time),
    Rule("column ~group ~unit", grouped_by_deed),
    Rule("group count column", grouped_by_number),
    Rule("group ~clock", by_hour),
    Rule("group column|value or|versus not", grouped_by_yes_or_no),
    Rule("unit", by_adverb),
)
ORDERS = (
    Rule("order measure|column|table|unit direction?", sorted_by),
    Rule("order direction measure|column|table", sorted_by),
    Rule("order direction? table ~column", sorted_by_owner),
    Rule("direction table ~column", sorted_by_owner, 0.3),
    Rule("direction measure|column", sorted_by, 0.3),
    Rule("group measure|column|table", keyed_by),
    Rule("group value|column ~table", keyed_by_such),
    Rule("order count direction?", sorted_by_count),
    Rule("order direction?", sorted_by_name),
    Rule("direction order", sorted_by_name),
    Rule("direction", directed),
)
