"""From what the rules found to a whole meaning: the subject, the columns to show, the groups and what orders them.

Every function takes a parse and gives a parse; what cannot be completed becomes a doubt, never a guess.
"""

from dataclasses import replace

from ai.nl2sql.conditions import total_of
from ai.nl2sql.meaning import Field, Group, Meaning, Measure, Order
from ai.nl2sql.names import how_totalled
from ai.nl2sql.parse import Doubt, Parse
from ai.nl2sql.schema import all_columns, days, display, is_numeric, noun

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


def imply_measures(parse: Parse) -> Parse:
    """Groups without a figure are counted; a period needs no key of its own; "everything" shows all columns."""
    meaning = parse.meaning
    pointed = parse.has("list") and any(c.sign("that") == "back" for c in parse.chunks)
    lists = (
        bool(_LISTING & set(parse.text.lower().split()))
        or pointed
        or any(c.sign("list") == "rows" or c.names_table for c in parse.chunks)
    )
    totals = tuple(total_of(field) for field in meaning.columns if is_numeric(parse.lexicon, field))
    if totals and len(totals) == len(meaning.columns) and not (lists or meaning.all_measures or meaning.groups):
        parse = how_totalled(parse, totals[0])
        return replace(parse, meaning=replace(meaning, columns=(), measures=totals))
    entities = all(group.column is None and not group.unit for group in meaning.groups)
    if meaning.groups and meaning.columns and entities and not totals and not meaning.all_measures:
        return replace(parse, meaning=replace(meaning, groups=()))  # "the name of each singer" is a list
    if meaning.groups and not meaning.all_measures:
        fields = [f for f in meaning.columns if is_numeric(parse.lexicon, f)]
        measures = tuple(total_of(field) for field in fields) or (Measure("count", meaning.subject),)
        columns = tuple(f for f in meaning.columns if f not in fields)
        parse = replace(parse, meaning=replace(meaning, measures=measures, columns=columns))
        parse = how_totalled(parse, measures[0]) if fields else parse
    return _time_groups(parse)


def _time_groups(parse: Parse) -> Parse:
    """Put "per month" on the column of days of what is measured."""
    groups = []
    for group in parse.meaning.groups:
        if group.table or group.unit is None:
            groups.append(group)
            continue
        tables = [*(m.table for m in parse.meaning.all_measures), parse.meaning.subject]
        found = [field for table in tables for field in days(parse.lexicon, table)]
        if not found:
            reason = f"there is no date in {noun(parse.lexicon, parse.meaning.subject)} to group by {group.unit}"
            return replace(parse, doubt=Doubt(f"I cannot read this: {reason}."))
        groups.append(Group(found[0].table, found[0].column, group.unit))
    return replace(parse, meaning=replace(parse.meaning, groups=tuple(groups)))


def complete(parse: Parse) -> Parse:
    """Fill in what was not said: what to show of each row, by what groups are ordered, how ranks are decided."""
    meaning = parse.meaning
    if meaning.all_measures and not meaning.groups and not meaning.measures:
        counted = {measure.table for measure in meaning.all_measures} == {meaning.subject}
        counted = counted or not any(c.names_table for c in parse.chunks)  # “top countries by revenue” are no rows
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
    named = any(c.names_table for c in parse.chunks)
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
    if everything or not display(parse.lexicon, table.name):
        return replace(meaning, columns=all_columns(table))
    keys = tuple(order.key for order in meaning.order if isinstance(order.key, Field) and meaning.limit)
    return replace(meaning, columns=tuple(dict.fromkeys((*display(parse.lexicon, table.name), *keys))))


def _with_order(parse: Parse, meaning: Meaning) -> Meaning:
    """Ranks in waiting get the figure that was asked for as their key; groups go by size, times by time."""
    if parse.rank and not meaning.order:
        measures = meaning.all_measures
        if parse.rank.startswith("name"):
            named = [
                Order(f, parse.rank == "name desc")
                for f in (meaning.columns or display(parse.lexicon, meaning.subject))[:1]
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


def note_left_out(parse: Parse) -> Parse:
    """Say which rows belong to no group: apps without a team are in no team's number."""
    meaning = parse.meaning
    for group in meaning.groups if not (parse.doubt or meaning.limit) else ():
        root = meaning.all_measures[0].table if meaning.all_measures else meaning.subject
        for link in parse.lexicon.links.path(root, group.table) or ():
            if link.optional and not link.many:
                things, thing = noun(parse.lexicon, link.source), noun(parse.lexicon, link.target, many=False)
                parse = parse.noted(f"{things} without {thing} are left out")
    return parse
