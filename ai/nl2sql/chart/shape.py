"""The shape of an answer: groups, ranks, orders, limits, and lone words of grammar."""

from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.chart.figures import field_of, table_named
from ai.nl2sql.chart.parts import Part, Rank, Sorting, Wanted
from ai.nl2sql.chart.rules import Rule, Run, implied_tables
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Field, Filter, Group, Measure, Unit
from ai.nl2sql.schema import averaged, columns_named, is_numeric
from ai.nl2sql.words import name_parts, stem

UNITS: dict[str, Unit] = {
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "weekday": "weekday",
}
ADVERBS = ("daily", "weekly", "monthly", "quarterly", "yearly", "annual", "annually")
DATED = ("date", "datetime")
EXTREMES = frozenset({"the", "maximum", "max", "minimum", "min"})  # of a day; its “best” is another question
COUNTING = frozenset({"most", "least", "fewest", "number", "amount"})


def part_of(run: Run, kind: str, data: object, cost: float = 0.0, tables: frozenset[str] = frozenset()) -> Part:
    notes = [item.note for item in run.items if item is not None and item.note]
    return Part(kind, run.start, run.end, run.cost + cost, data, tables, "; ".join(notes),  # type: ignore[arg-type]
                said=run.lattice.text(run.start, run.end))  # fmt: skip


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
    if len(found) < len(keys):
        return
    first = run.item(0)
    rows = [g for g in found if g.column and is_numeric(run.lexicon, Field(g.table, g.column))]
    rows = [g for g in rows if not averaged(Field(g.table, g.column or ""))]
    cost = (0.25 if first.value == "by" else 1.8) * len(rows)
    dates = [g for g in found if g.column and run.lexicon.column(Field(g.table, g.column)).kind in DATED]
    tables = frozenset(g.table for g in found if g.table)
    yield part_of(run, "group", tuple(found), cost - 0.25 * (len(found) - 1) + 0.1 * len(dates), tables)


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


def ranked(run: Run) -> Iterator[Part]:
    """“most reviews”, “highest revenue”, “the lowest average rating”."""
    sign, what = run.item(0), run.items[-1]
    if isinstance(what, Part):
        if isinstance(what.data, Wanted) and not what.data.mean and not _is_plain(run, what):
            yield part_of(run, "rank", Rank(what.data.figure, sign.value == "desc"), tables=what.tables)
        return
    words = run.lattice.words[sign.start : sign.end]
    if isinstance(what, Item) and what.kind == "table" and not {word.key for word in words} & COUNTING:
        return
    if isinstance(what, Item) and what.kind == "table":
        yield part_of(run, "rank", Rank(Measure("count", table_named(what)), sign.value == "desc"), 0.05,
                    frozenset({table_named(what)}))  # fmt: skip
    elif isinstance(what, Item):
        field = field_of(what)
        numeric = is_metric(field) or is_numeric(run.lexicon, field)
        numeric = numeric or (run.lexicon.column(field).kind in DATED and {word.key for word in words} <= EXTREMES)
        if numeric and not is_metric(field):
            yield part_of(run, "rank", Rank(field, sign.value == "desc"), tables=frozenset({field.table}))


def _is_plain(run: Run, what: Part) -> bool:
    """Whether a figure is a mere column of numbers, ranked by its own rule."""
    measure = what.data.measure
    return measure.function in ("sum", "avg") and not run.lattice.at(what.start, "aggregate") and measure.per is None


def ranked_owner(run: Run) -> Iterator[Part]:
    """“the largest invoice total”."""
    owner, field = table_named(run.item(1)), field_of(run.item(2))
    if owner == field.table and not is_metric(field) and is_numeric(run.lexicon, field):
        yield part_of(run, "rank", Rank(field, run.item(0).value == "desc"), -0.2, frozenset({owner}))


def ranked_after(run: Run) -> Iterator[Part]:
    """“earn the most”."""
    what = run.part(0)
    if isinstance(what.data, Wanted) and not what.data.mean and not what.said.lower().startswith("how "):
        yield part_of(run, "rank", Rank(what.data.figure, run.item(1).value == "desc"), 0.05, what.tables)


def ranked_such(run: Run) -> Iterator[Part]:
    """“the most hotfixes”: by how many rows have the value."""
    sense = run.item(1).sense
    if sense is not None and sense.value is not None:
        counted = Measure("count", sense.table, where=(Filter(sense.field, "=", (sense.value,)),))
        yield part_of(run, "rank", Rank(counted, run.item(0).value == "desc"), 0.15, frozenset({sense.table}))


def rank_count(run: Run) -> Iterator[Part]:
    """“which 2 platforms …”: the limit of a rank behind it."""
    number = run.item(1).number
    if isinstance(number, int) and 0 < number < 1000:
        yield part_of(run, "rank", Rank(None, True, number, asked=False), 0.1)


def most_such(run: Run) -> Iterator[Part]:
    """“the most 5 star reviews”: the thing counted comes after its conditions."""
    for place in range(run.end + 1, min(run.end + 5, len(run.lattice.words))):
        for item in run.lattice.at(place, "table"):
            rank = Rank(Measure("count", table_named(item)), run.item(0).value == "desc")
            yield part_of(run, "rank", rank, 0.4 + item.cost, frozenset({table_named(item)}))


def rank_limited(run: Run) -> Iterator[Part]:
    """“top 5 …”, “the 3 cheapest”, “first 10”: the limit; the key may follow."""
    number = next(i.number for i in run.items if isinstance(i, Item) and i.kind == "number")
    sign = next((i for i in run.items if isinstance(i, Item) and i.kind == "top"), None)
    if not isinstance(number, int) or number < 1 or sign is None:
        return
    word = run.lattice.words[sign.start].key
    if run.lattice.at(run.end, "unit"):
        return
    yield part_of(run, "rank", Rank(None, sign.value == "desc", number, asked=word not in ("first", "last")))


def rank_bare(run: Run) -> Iterator[Part]:
    """“top apps by revenue”: no number was said."""
    word = run.lattice.words[run.start].key
    if word in ("top", "bottom"):
        yield part_of(run, "rank", Rank(None, run.item(0).value == "desc", every=True), 0.1)
    elif word in ("best", "worst", "highest", "lowest", "most", "least", "largest", "smallest", "biggest"):
        yield part_of(run, "rank", Rank(None, run.item(0).value == "desc", 1), 0.6)


def by_adjective(run: Run) -> Iterator[Part]:
    """“the cheapest app”, “3 newest releases”, “most common category”."""
    sign = next(i for i in run.items if isinstance(i, Item) and i.kind == "adjective")
    number = next((i.number for i in run.items if isinstance(i, Item) and i.kind == "number"), None)
    limit = number if isinstance(number, int) else None
    vague = 0.5 if run.lattice.words[sign.start].key in ("first", "last") and sign.end == sign.start + 1 else 0.0
    words, _, direction = sign.value.partition("|")
    if words == "count":
        yield part_of(run, "rank", Rank(None, direction == "desc", limit or 1, asked=False, common=True), 0.1)
        return
    after = {i.sense.table for i in run.lattice.items.get(run.end, ()) if i.sense and i.kind in ("table", "term")}
    for table in implied_tables(run):
        other = 1.0 * bool(after and table.name not in after)
        columns = [c for word in words.split() for c in columns_named(run.lexicon, table, word)]
        for place, column in enumerate(dict.fromkeys(columns)):
            field = Field(table.name, column.name)
            if is_numeric(run.lexicon, field) or column.kind in DATED:
                rank = Rank(field, direction == "desc", limit or 1, ahead=direction == "next")
                yield part_of(run, "rank", rank, 0.1 + 0.1 * place + vague + other, frozenset({table.name}))


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
            run, "order", Sorting(Measure("count", table_named(what)), loose=True), 0.4, frozenset({table_named(what)})
        )


def sorted_by_name(run: Run) -> Iterator[Part]:
    direction = next((i.value for i in run.items if isinstance(i, Item) and i.kind == "direction"), None)
    sign = next(i for i in run.items if isinstance(i, Item) and i.kind == "order")
    if sign.value == "name":
        yield part_of(run, "order", Sorting("", direction == "desc"))


def sorted_by_count(run: Run) -> Iterator[Part]:
    """“sort it by the count”, of the figure already there."""
    direction = run.optional(2)
    yield part_of(run, "order", Sorting(None, direction is None or direction.value == "desc"))


def directed(run: Run) -> Iterator[Part]:
    """“highest first” alone, or before its key."""
    sign = run.item(0)
    keyed = run.end < len(run.lattice.words) and run.lattice.words[run.end].key in ("of", "by")
    if not keyed:
        yield part_of(run, "order", Sorting(None, sign.value == "desc"), 0.1)


GROUPS = (
    Rule("who column", by_whom),
    Rule("group table|column|unit", grouped),
    Rule("group table|column|unit and table|column|unit", grouped),
    Rule("group table|column|unit group table|column|unit", grouped),
    Rule("group table ~column", grouped_owner),
    Rule("unit", by_adverb),
)
RANKS = (
    Rule("most measure|table|column", ranked),
    Rule("most table ~column", ranked_owner),
    Rule("top number", rank_limited),
    Rule("number top", rank_limited),
    Rule("top", rank_bare),
    Rule("number? adjective", by_adjective),
    Rule("adjective number", by_adjective),
    Rule("most", most_such),
    Rule("most value", ranked_such),
    Rule("measure most", ranked_after),
    Rule("list number", rank_count),
)
ORDERS = (
    Rule("order measure|column|table|unit direction?", sorted_by),
    Rule("order direction measure|column|table", sorted_by),
    Rule("order direction? table ~column", sorted_by_owner),
    Rule("direction table ~column", sorted_by_owner, 0.3),
    Rule("direction measure|column", sorted_by, 0.3),
    Rule("group measure|column|table", keyed_by),
    Rule("order count direction?", sorted_by_count),
    Rule("order direction?", sorted_by_name),
    Rule("direction order", sorted_by_name),
    Rule("direction", directed),
)
