"""What is asked of the rows: order, the first few, the most and the least, groups, aggregates, counts."""

from dataclasses import replace

from ai.nl2sql.conditions import aggregated, function_of, total_of
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.meaning import Field, Function, Group, Measure, Order
from ai.nl2sql.parse import Hit, Parse
from ai.nl2sql.schema import columns_named, is_numeric
from ai.nl2sql.words import singular


def added(parse: Parse, *measures: Measure) -> Parse:
    """The measures, appended in the order of the question."""
    known = parse.meaning.measures
    new = tuple(measure for measure in measures if measure not in known)
    return replace(parse, meaning=replace(parse.meaning, measures=(*known, *new)))


def _ranked(parse: Parse, key: Field | Measure, *, descending: bool) -> Parse:
    order = (*parse.meaning.order, Order(key, descending))
    return replace(parse, meaning=replace(parse.meaning, order=order), rank=None)


def grouped(parse: Parse, group: Group) -> Parse:
    groups = parse.meaning.groups
    return parse if group in groups else replace(parse, meaning=replace(parse.meaning, groups=(*groups, group)))


def _entity(hit: Hit, label: str = "entity") -> Group:
    """What is ranked or grouped: the rows of a table, or the values of a column; the better name decides."""
    chunk = hit[label]
    if chunk.table and not chunk.rather_column:
        return Group(chunk.table.table)
    field = hit.field(label)
    return Group(field.table, field.column)


def _measure(parse: Parse, hit: Hit, label: str = "column") -> Measure | None:
    """The aggregate of a column: by the sign beside it, or else by the nature of the column."""
    field, sign = hit.field(label), hit.sign("aggregate")
    if not is_numeric(parse.lexicon, field):
        return None
    return aggregated(function_of(sign), field) if sign else total_of(field)


# --- order -------------------------------------------------------------------------------------------------------


def sort_by(parse: Parse, hit: Hit) -> Parse | None:
    if hit.sign("order") == "verb":
        return None
    descending = hit.sign("direction") == "desc"
    key = _measure(parse, hit) if "aggregate" in hit else hit.field()
    return _ranked(parse, key, descending=descending) if key else None


def sort_in_order_of(parse: Parse, hit: Hit) -> Parse | None:
    """“in ascending order of age”."""
    said = [hit["direction"].text.split()[-1], parse.chunks[hit.places[0] + 1].text]
    return _sorting(parse, sort_by(parse, hit)) if said == ["order", "of"] else None


def sort_if_sorting(parse: Parse, hit: Hit) -> Parse | None:
    """“sort the apps by price”: the verb stands before what is sorted."""
    return _sorting(parse, sort_by(parse, hit)) if _verb(parse) is not None else None


def _verb(parse: Parse) -> int | None:
    """Where "sort" or "sorted" stands alone."""
    return next((at for at, c in enumerate(parse.chunks) if c.sign("order") == "verb" and at not in parse.read), None)


def _sorting(parse: Parse, after: Parse | None) -> Parse | None:
    verb = _verb(parse)
    return replace(after, read=after.read | {verb}) if after and verb is not None else after


def sort_by_figure(parse: Parse, hit: Hit) -> Parse | None:
    """“sort it by the total”, of what the question before computed."""
    function = function_of(hit.sign("aggregate") or "sum")
    before = parse.previous.all_measures if parse.previous else ()
    key = next((measure for measure in before if measure.function == function), None)
    return _ranked(parse, key, descending=hit.sign("direction") != "asc") if key else None


def sort_by_count(parse: Parse, hit: Hit) -> Parse | None:
    """“sorted by the number of reviews”, “sort it by the count”."""
    before = parse.previous.measures if parse.previous else ()
    key = Measure("count", hit.table()) if "table" in hit else next((m for m in before if m.function == "count"), None)
    return _ranked(parse, key, descending=hit.sign("direction") != "asc") if key else None


def sort_by_name(parse: Parse, hit: Hit) -> Parse | None:
    if hit.sign("order") != "name":
        return None
    return _sorting(parse, replace(parse, rank="name " + (hit.sign("direction") or "asc")))


def sort_again(parse: Parse, hit: Hit) -> Parse:
    """A direction alone: of the key that is there already, or of what will be computed."""
    direction = hit.sign("direction") or "asc"
    if parse.rank and parse.rank.startswith("name"):
        return replace(parse, rank=f"name {direction}")
    parse = _sorting(parse, parse) or parse
    if not parse.meaning.order:
        return replace(parse, rank=direction)
    *rest, last = parse.meaning.order
    order = (*rest, replace(last, descending=direction == "desc"))
    return replace(parse, meaning=replace(parse.meaning, order=order))


# --- the first few, the most, the least --------------------------------------------------------------------------


def first_few(parse: Parse, hit: Hit) -> Parse | None:
    number = hit["number"].number
    if not isinstance(number, int) or number < 1:
        return None
    rank = None if hit["top"].text.lower() == "first" else hit.sign("top")
    return replace(parse, meaning=replace(parse.meaning, limit=number), rank=rank)


def all_ranked(parse: Parse, hit: Hit) -> Parse | None:
    """“top countries by revenue”: no number, so all of them, in that order."""
    if hit["top"].text.lower() not in ("top", "bottom") or not parse.has("group"):
        return None
    return replace(parse, rank=hit.sign("top"))


def next_one(parse: Parse, hit: Hit) -> Parse | None:
    """“and the second?”, after “which artist has the most albums?”."""
    if parse.previous is None or not (parse.previous.order and parse.previous.limit):
        return None
    return replace(parse, meaning=replace(parse.meaning, offset=int(hit.sign("next") or 1)))


def rank_by(parse: Parse, hit: Hit) -> Parse | None:
    """“… by revenue”, after “top 5”; a column of the listed rows themselves is no total."""
    key = _measure(parse, hit)
    if parse.rank is None or key is None:
        return None
    entity = next((table for c in parse.chunks if (table := c.names_table)), None)
    own = "aggregate" not in hit and entity == key.table
    return _ranked(parse, hit.field() if own else key, descending=parse.rank == "desc")


def rank_by_rows(parse: Parse, hit: Hit) -> Parse | None:
    """“… by number of reviews”, after “top 5”."""
    if parse.rank is None:
        return None
    return _ranked(parse, Measure("count", hit.table()), descending=parse.rank == "desc")


def most_rows(parse: Parse, hit: Hit) -> Parse | None:
    """“which team has the most apps”."""
    entity = _entity(hit)
    if entity == Group(hit.table()):
        return None
    return _first(grouped(_ranked(parse, Measure("count", hit.table()), descending=_most(hit)), entity))


def most_of(parse: Parse, hit: Hit) -> Parse | None:
    """“which app has the highest price”, “the country with the most installs”."""
    field, entity = hit.field(), _entity(hit)
    numeric = entity.column and is_numeric(parse.lexicon, Field(entity.table, entity.column))
    if numeric or hit["entity"].sign("aggregate") or entity == Group(field.table, field.column):
        return None
    if entity == Group(field.table):
        return _first(_about(_ranked(parse, field, descending=_most(hit)), entity.table))
    measure = _measure(parse, hit)
    return _first(grouped(_ranked(parse, measure, descending=_most(hit)), entity)) if measure else None


def does_most(parse: Parse, hit: Hit) -> Parse | None:
    """“which 3 genres sell the most”: a metric as the verb."""
    number = hit["number"].number if "number" in hit else None
    after = most_of(parse, hit) if is_metric(hit.field()) else None
    if after is None or number is None:
        return after
    return replace(after, meaning=replace(after.meaning, limit=int(number)))


def most_done(parse: Parse, hit: Hit) -> Parse | None:
    """“the worst rated app”; of several (“apps”) all are ranked."""
    if not hit["column"].text.lower().endswith("ed"):
        return None
    limit, after = parse.meaning.limit, most_of(parse, hit)
    single = hit["entity"].text.lower() == singular(hit["entity"].text.lower())
    return after if single or after is None else replace(after, meaning=replace(after.meaning, limit=limit))


def most_value(parse: Parse, hit: Hit) -> Parse | None:
    """“what is the highest price”: a value, not the row that has it."""
    field = hit.field()
    if not is_numeric(parse.lexicon, field) or not _owns(hit):
        return None
    extreme = aggregated("max" if _most(hit) else "min", field)
    return added(parse, extreme) if extreme else None


def is_most(parse: Parse, hit: Hit) -> Parse | None:
    """“whose price is the highest”: the rows themselves, by their own column."""
    field = hit.field()
    if not is_numeric(parse.lexicon, field) or not any(c.table and c.table.table == field.table for c in parse.chunks):
        return None
    return _first(_ranked(parse, field, descending=_most(hit)))


def _owns(hit: Hit) -> bool:
    """Whether the table named before a column is its own: "average invoice total"."""
    return "owner" not in hit or hit.table("owner") == hit.field().table


def most_adjective(parse: Parse, hit: Hit) -> Parse | None:
    """“the cheapest app”, “the latest release”, “the most common category”: the adjective names the column."""
    names, _, direction = (hit.sign("adjective") or "").partition("|")
    entity, descending = _entity(hit), direction == "desc"
    if names == "count" and entity.column is None:
        return None
    if names == "count":
        return _first(grouped(_ranked(parse, Measure("count", entity.table), descending=descending), entity), hit)
    table = parse.lexicon.table(entity.table)
    key = next((column for name in names.split() for column in columns_named(table, name)), None)
    if key is None and names == "age":
        key, descending = next(iter(columns_named(table, "birth")), None), not descending
    if key is None or entity.column:
        return None
    return _first(_about(_ranked(parse, Field(table.name, key.name), descending=descending), table.name), hit)


def _first(parse: Parse, hit: Hit | None = None) -> Parse:
    number = hit["number"].number if hit and "number" in hit else None
    return replace(parse, meaning=replace(parse.meaning, limit=parse.meaning.limit or int(number or 1)))


def _most(hit: Hit) -> bool:
    return hit.sign("most") == "desc"


def _about(parse: Parse, table: str) -> Parse:
    return replace(parse, meaning=replace(parse.meaning, subject=table))


# --- groups ------------------------------------------------------------------------------------------------------


def group_by(parse: Parse, hit: Hit) -> Parse | None:
    """“per country”, “for each team”, “by country and platform”."""
    for label in ("entity", "second"):
        if label in hit:
            entity = _entity(hit, label)
            if entity.column and is_numeric(parse.lexicon, Field(entity.table, entity.column)) and parse.rank:
                return None
            parse = grouped(parse, entity)
    return parse


# --- aggregates --------------------------------------------------------------------------------------------------


def aggregate(parse: Parse, hit: Hit) -> Parse | None:
    """“average price”, “minimum and maximum age”, “total installs and revenue”."""
    signs = [hit[label].sign("aggregate") for label in ("aggregate", "then", "last") if label in hit]
    fields = [hit.field(label) for label in ("column", "second") if label in hit]
    if not all(is_numeric(parse.lexicon, field) for field in fields) or not _owns(hit):
        return None
    functions: list[Function] = [function_of(sign) for sign in signs if sign]
    measures = [measure for field in fields for f in functions if (measure := aggregated(f, field))]
    return added(parse, *measures) if len(measures) == len(fields) * len(functions) else None


def count_rows(parse: Parse, hit: Hit) -> Parse | None:
    """“how many apps”, “total apps”; with a number column, “how many installs” adds up."""
    if hit.sign("aggregate") not in (None, "sum"):
        return None
    table = hit.table()
    if not parse.meaning.subject and not parse.meaning.groups:
        parse = _about(parse, table)
    return added(parse, Measure("count", table))


def count_column(parse: Parse, hit: Hit) -> Parse | None:
    """“how many installs” is their sum; “how many different countries” counts the values."""
    field = hit.field()
    if is_numeric(parse.lexicon, field) and "distinct" not in hit:
        total = aggregated("sum", field)
        return added(parse, total) if total else None
    if hit["column"].column and hit["column"].column.cost > 0.3:  # part of a name is too little to count by
        return None
    return added(parse, Measure("count", field.table, field.column))


def count_found(parse: Parse, _: Hit) -> Parse | None:
    """“how many?” in a follow-up."""
    if parse.previous is None or parse.meaning.measures or any(c.table for c in parse.unread()):
        return None
    return added(parse, Measure("count", parse.previous.subject))
