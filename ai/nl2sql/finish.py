"""From what the rules found to a whole meaning: the subject, the columns to show, the groups and what orders them.

Every function takes a parse and gives a parse; what cannot be completed becomes a doubt, never a guess.
"""

from dataclasses import replace

from ai.nl2sql.chunks import Chunk
from ai.nl2sql.conditions import PARTIAL, total_of
from ai.nl2sql.figures import added
from ai.nl2sql.meaning import Field, Group, Meaning, Measure, Order, Presence
from ai.nl2sql.parse import Doubt, Parse
from ai.nl2sql.schema import all_columns, dates, display, is_numeric, noun, title

_LISTING = frozenset({"all", "which", "each", "every", "different", "distinct"})  # asks for values, not for their sum


def settle_subject(parse: Parse) -> Parse:
    """What the rows are about: the first thing that is named, or what the columns and conditions belong to."""
    if parse.meaning.subject:
        return parse
    rows = [m.table for m in parse.meaning.measures if m.column is None]
    ranked = [group.table for group in parse.meaning.groups if parse.meaning.order and group.column is None]
    tables = [c.table.table for c in parse.unread() if c.table and not c.rather_column]
    fields = [m.table for m in parse.meaning.measures] + [c.column.table for c in parse.unread() if c.column]
    keys = [order.key.table for order in parse.meaning.order]
    conditions = [f.field.table for f in parse.meaning.filters] + [p.field.table for p in parse.meaning.periods]
    groups = [group.table for group in parse.meaning.groups if group.table]
    found = next(iter((*rows, *ranked, *tables, *fields, *keys, *groups, *conditions)), "")
    return replace(parse, meaning=replace(parse.meaning, subject=found))


def read_names(parse: Parse) -> Parse:
    """Give the phrases that are left their place: columns to show, things that must exist, words already covered."""
    for at, chunk in enumerate(parse.chunks):
        if at in parse.read or (chunk.silent and not (chunk.table or chunk.column)):
            continue
        after = _show(parse, chunk) if chunk.column and not _is_subject(chunk) else None
        after = after or (_relate(parse, chunk) if chunk.table else None)
        if after:
            parse = replace(after, read=after.read | {at})
    return parse


def _is_subject(chunk: Chunk) -> bool:
    return bool(chunk.table and chunk.column and chunk.table.cost <= chunk.column.cost)


def _show(parse: Parse, chunk: Chunk) -> Parse | None:
    """A column that no rule has read is shown; in a computation a number column without an aggregate is its total."""
    meaning = parse.meaning
    fields = _homes(parse, chunk)
    if len({field.table for field in fields}) > 1:
        return replace(parse, doubt=_which(parse, chunk, fields))
    field = fields[0]
    conditioned = any(condition.field == field for condition in meaning.filters)
    if conditioned and (meaning.columns or field.table != meaning.subject):
        return parse
    if (
        chunk.column
        and chunk.column.cost >= PARTIAL
        and (chunk.text.endswith("ed") or field.table != meaning.subject or _is_reference(parse, field))
    ):
        return parse if _is_reference(parse, field) else None
    own = display(parse.lexicon.table(meaning.subject)) if meaning.subject else ()
    if own and chunk.text.lower() in ("name", "names") and field.table != meaning.subject and not meaning.groups:
        return _with_shown(parse, own)
    named = display(parse.lexicon.table(field.table))
    if len(fields) > 1 and set(fields) <= set(named):
        return _with_shown(parse, named)
    if chunk.note:
        parse = parse.noted(chunk.note)
    if field in (g for group in meaning.groups if group.column for g in [Field(group.table, group.column)]):
        return parse
    if meaning.groups and is_numeric(parse.lexicon, field):
        measure = total_of(field)
        return added(parse.noted(_how(measure)), measure) if not _measured(meaning, field) else parse
    if meaning.measures and not _groups_for(meaning, field, beside=_is_beside(parse)):
        return None
    return _with_shown(parse, (*named, field) if _beside_name(parse, chunk) else (field,))


def _beside_name(parse: Parse, chunk: Chunk) -> bool:
    """“list customers with their email”: the column goes beside what names the row."""
    at = parse.chunks.index(chunk)
    before = parse.chunks[max(0, at - 2) : at]
    theirs = len(before) > 1 and before[0].sign("have") is not None and before[1].sign("that") == "back"
    return bool(theirs and not parse.meaning.columns and parse.previous is None)


def _homes(parse: Parse, chunk: Chunk) -> list[Field]:
    """The columns that a phrase may mean here: what is grouped by or asked about goes before everything else."""
    everywhere = [s for s in chunk.senses if s.column and s.value is None and s.cost <= chunk.columns[0].cost + 0.1]
    for home in (*(g.table for g in parse.meaning.groups if g.column is None), parse.meaning.subject):
        own = [sense.field for sense in everywhere if sense.table == home]
        if own and any(s.table in parse.meaning.tables or s.field in own for s in chunk.columns):
            return own
    return list(dict.fromkeys(sense.field for sense in chunk.columns))


def _is_reference(parse: Parse, field: Field) -> bool:
    """A column that only leads to a table which the question speaks of: "supported by Jane" is `SupportRepId`."""
    keys = parse.lexicon.table(field.table).foreign_keys
    return any(field.column in key.columns and key.target_table in parse.meaning.tables for key in keys)


def _groups_for(meaning: Meaning, field: Field, *, beside: bool) -> tuple[Group, ...]:
    """The groups that give a column its place beside a figure: "the names of teachers and the number of courses"."""
    if any(group.table == field.table for group in meaning.groups):
        return meaning.groups
    counted = {measure.table for measure in meaning.measures if measure.function == "count"}
    if not counted or meaning.groups or not beside:
        return ()
    return (Group(field.table, field.column),) if field.table in counted else (Group(field.table),)


def _is_beside(parse: Parse) -> bool:
    """Whether a list and a figure are joined by “and”, the list first."""
    loud = [chunk for chunk in parse.chunks if not chunk.silent]
    joined = any(chunk.sign("and") == "and" for chunk in parse.chunks)
    return joined and bool(loud) and loud[0].sign("count") is None


def _with_shown(parse: Parse, fields: tuple[Field, ...]) -> Parse:
    meaning = parse.meaning
    groups = _groups_for(meaning, fields[0], beside=_is_beside(parse)) if meaning.measures else meaning.groups
    if Group(fields[0].table, fields[0].column) in groups:
        return replace(parse, meaning=replace(meaning, groups=groups))
    columns = tuple(dict.fromkeys((*meaning.columns, *fields)))
    return replace(parse, meaning=replace(meaning, columns=columns, groups=groups))


def _measured(meaning: Meaning, field: Field) -> bool:
    return any((m.table, m.column) == (field.table, field.column) for m in meaning.all_measures)


def _how(measure: Measure) -> str:
    word = "average" if measure.function == "avg" else "total"
    return f"{title(Field(measure.table, measure.column or ''))} is the {word}"


def _which(parse: Parse, chunk: Chunk, fields: list[Field]) -> Doubt:
    names = [f"{noun(parse.lexicon, f.table, many=False)} {title(f)}" for f in fields]
    text = parse.text.rstrip("?!. ")
    return Doubt(
        f"“{chunk.text}” can be {' or '.join(names)}: which one do you mean?",
        tuple(text.replace(chunk.text, name, 1) + "?" for name in names),
    )


def _relate(parse: Parse, chunk: Chunk) -> Parse | None:
    """A table that is named beside the subject: covered already, certain to exist, or a condition of its own."""
    table, meaning = (chunk.table.table if chunk.table else ""), parse.meaning
    if _is_shown(parse, chunk):
        shown = display(parse.lexicon.table(table))
        own = meaning.columns or display(parse.lexicon.table(meaning.subject))
        return replace(parse, meaning=replace(meaning, columns=tuple(dict.fromkeys((*own, *shown)))))
    if table in meaning.tables or table in {p.table for p in meaning.presences}:
        return parse
    if chunk.table and chunk.table.cost >= 0.9:
        return None
    path = parse.lexicon.links.path(meaning.subject, table)
    at = parse.chunks.index(chunk)
    if path is None or (meaning.measures and at and parse.chunks[at - 1].sign("distinct") is not None):
        return None
    absent = {presence.table for presence in meaning.presences if not presence.present}
    if absent & {link.target for link in path}:
        return parse
    if not any(link.many or link.optional for link in path):
        return parse
    presence = Presence(table, present=True)
    return replace(parse, meaning=replace(meaning, presences=(*meaning.presences, presence)))


def _is_shown(parse: Parse, chunk: Chunk) -> bool:
    """“with their team”, “the names of teachers and their courses”: the name of the row is wanted, not a condition."""
    at = parse.chunks.index(chunk)
    path = parse.lexicon.links.path(parse.meaning.subject, chunk.table.table) if chunk.table else None
    if not path or parse.meaning.measures or parse.meaning.groups or not display(parse.lexicon.table(path[-1].target)):
        return False
    before = [c for c in parse.chunks[max(0, at - 3) : at] if c.sign("filler") is None or c.sign("that")]
    listed = bool(before and before[-1].sign("and") == "and" and parse.meaning.columns)
    theirs = bool(before and before[-1].sign("that") == "back" and not any(link.many for link in path))
    return listed or theirs


def imply_measures(parse: Parse) -> Parse:
    """Groups without a figure are counted; a period needs no key of its own; "everything" shows all columns."""
    meaning = parse.meaning
    pointed = parse.has("list") and any(c.sign("that") == "back" for c in parse.chunks)
    lists = (
        bool(_LISTING & set(parse.text.lower().split()))
        or pointed
        or any(c.sign("list") == "rows" or (c.table and c.table.cost < 1) for c in parse.chunks)
    )
    totals = tuple(total_of(field) for field in meaning.columns if is_numeric(parse.lexicon, field))
    if totals and len(totals) == len(meaning.columns) and not (lists or meaning.all_measures or meaning.groups):
        parse = parse.noted(_how(totals[0]))
        return replace(parse, meaning=replace(meaning, columns=(), measures=totals))
    entities = all(group.column is None and not group.unit for group in meaning.groups)
    if meaning.groups and meaning.columns and entities and not totals and not meaning.all_measures:
        return replace(parse, meaning=replace(meaning, groups=()))  # "the name of each singer" is a list
    if meaning.groups and not meaning.all_measures:
        fields = [f for f in meaning.columns if is_numeric(parse.lexicon, f)]
        measures = tuple(total_of(field) for field in fields) or (Measure("count", meaning.subject),)
        columns = tuple(f for f in meaning.columns if f not in fields)
        parse = replace(parse, meaning=replace(meaning, measures=measures, columns=columns))
        parse = parse.noted(_how(measures[0])) if fields else parse
    return _time_groups(parse)


def _time_groups(parse: Parse) -> Parse:
    """Put "per month" on the column of days of what is measured."""
    groups = []
    for group in parse.meaning.groups:
        if group.table or group.unit is None:
            groups.append(group)
            continue
        tables = [*(m.table for m in parse.meaning.all_measures), parse.meaning.subject]
        days = [Field(table, c.name) for table in tables for c in dates(parse.lexicon.table(table))]
        if not days:
            reason = f"there is no date in {noun(parse.lexicon, parse.meaning.subject)} to group by {group.unit}"
            return replace(parse, doubt=Doubt(f"I cannot read this: {reason}."))
        groups.append(Group(days[0].table, days[0].column, group.unit))
    return replace(parse, meaning=replace(parse.meaning, groups=tuple(groups)))


def complete(parse: Parse) -> Parse:
    """Fill in what was not said: what to show of each row, by what groups are ordered, how ranks are decided."""
    meaning = parse.meaning
    if meaning.all_measures and not meaning.groups and not meaning.measures:
        counted = {measure.table for measure in meaning.all_measures} == {meaning.subject}
        own = tuple(Group(field.table, field.column) for field in meaning.columns)
        meaning = (
            replace(meaning, groups=own, columns=())
            if counted and own
            else replace(meaning, groups=(Group(meaning.subject),))
        )
    meaning = _with_order(parse, meaning)
    if parse.doubt is None and not meaning.measures and not meaning.columns:
        meaning = _with_columns(parse, meaning)
    if parse.rank and not meaning.order:
        return replace(
            parse, doubt=Doubt(f"I cannot tell by what to rank or sort the {noun(parse.lexicon, meaning.subject)}.")
        )
    named = any(c.table and c.table.cost < 1 for c in parse.chunks)
    named = named or bool(parse.previous and meaning.subject in parse.previous.tables)
    distinct = (
        parse.has("distinct") or not named
    ) and not meaning.all_measures  # "list all countries" has no rows to list
    return replace(parse, meaning=replace(meaning, distinct=meaning.distinct or distinct))


def _with_columns(parse: Parse, meaning: Meaning) -> Meaning:
    """A list shows what names a row, and what it is ordered by; "show all" and "everything" show all columns."""
    if meaning.groups:
        return meaning
    table = parse.lexicon.table(meaning.subject)
    everything = parse.has("everything") or any(c.sign("list") == "all" for c in parse.chunks)
    if everything or not display(table):
        return replace(meaning, columns=all_columns(table))
    keys = tuple(order.key for order in meaning.order if isinstance(order.key, Field) and meaning.limit)
    return replace(meaning, columns=tuple(dict.fromkeys((*display(table), *keys))))


def _with_order(parse: Parse, meaning: Meaning) -> Meaning:
    """Ranks in waiting get the figure that was asked for as their key; groups go by size, times by time."""
    if parse.rank and not meaning.order:
        measures = meaning.all_measures
        if parse.rank.startswith("name"):
            named = [
                Order(f, parse.rank == "name desc")
                for f in (meaning.columns or display(parse.lexicon.table(meaning.subject)))[:1]
            ]
            return replace(meaning, order=tuple(named))
        numbers = [field for field in meaning.columns if is_numeric(parse.lexicon, field)]
        key = measures[0] if measures else numbers[0] if len(numbers) == 1 else None
        if key:
            return replace(meaning, order=(Order(key, parse.rank == "desc"),))
    if any(isinstance(order.key, Field) for order in meaning.order) and meaning.groups:
        return replace(meaning, order=tuple(_grouped_key(order, meaning) for order in meaning.order))
    timed = any(group.unit for group in meaning.groups)
    if meaning.groups and meaning.measures and not meaning.order and not timed:
        return replace(meaning, order=(Order(meaning.measures[0], descending=True),))
    return meaning


def _grouped_key(order: Order, meaning: Meaning) -> Order:
    """A column that orders groups: the figure made of it, or the group itself."""
    if isinstance(order.key, Measure):
        return order
    same = next((m for m in meaning.measures if (m.table, m.column) == (order.key.table, order.key.column)), None)
    return replace(order, key=same) if same else order
