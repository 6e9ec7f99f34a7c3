"""Add columns to the rows shown: their own, or those of the one parent of each."""

import re
from dataclasses import replace

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Group, Meaning
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import days, display, referred_table
from ai.nl2sql.threads.edits import listed

WITH = re.compile(
    r"^(?:and |also |now |but )?(?:with|including|plus|along with|together with|show|add|list|give me|include)"
    r"(?: me)? (?:also )?(?P<what>(?:their|its|the|his|her)? ?.+?)"
    r"(?: (?:too|as well|also|for each(?: of them)?|for all(?: of them)?))?[.!? ]*$",
    re.IGNORECASE,
)

TIMES = frozenset(("time", "times", "date", "dates", "day"))


def with_more(sketch: Sketch | None, before: Meaning, lexicon: Lexicon) -> Meaning | None:
    """“with their price and team”: more columns of each row; None when the words name anything else."""
    if sketch is None or sketch.unread():
        return None
    parts = [part for part in sketch.cover.parts if part.kind != "flag"]
    fields: list[Field] = []
    for part in parts:
        if part.kind == "attribute" and isinstance(part.data, Field):
            fields += _named(part.data, part.said, lexicon)
        elif part.kind == "noun" and not part.such:
            fields += display(lexicon, str(part.data))
        else:
            return None
    read = {at for part in parts for at in range(part.start, part.end)}
    timed = any(word.key in TIMES for at, word in enumerate(sketch.lattice.words) if at not in read)
    dated = days(lexicon, before.subject)[:1] if timed else []
    if timed and not dated:
        return None
    return with_columns(before, (*dated, *fields), lexicon) if fields or dated else None


def _named(field: Field, said: str, lexicon: Lexicon) -> tuple[Field, ...]:
    """Show a key as the name of its row, unless its number is asked for."""
    target = referred_table(lexicon, field)
    if target is None or {"id", "ids", "code", "number", "key"} & set(said.lower().split()):
        return (field,)
    return display(lexicon, target.name) or (field,)


def with_columns(before: Meaning, fields: tuple[Field, ...], lexicon: Lexicon) -> Meaning | None:
    """Add columns to each row: its own, or those of its one parent."""
    if before.groups:
        entities = {g.table for g in before.groups if g.column is None}
        measures = before.measures or before.all_measures
        others = dict.fromkeys(f.table for f in fields if f.table not in entities)
        if not entities or not all(_belongs(table, entities, fields, lexicon) for table in others):
            return None
        groups = (*before.groups, *(Group(table) for table in others if Group(table) not in before.groups))
        own = before.columns or tuple(f for table in entities for f in display(lexicon, table))
        added = tuple(f for f in fields if f.table in entities)
        return replace(
            before,
            measures=measures,
            groups=groups,
            columns=tuple(dict.fromkeys((*own, *added))) if added else before.columns,
        )
    shown = () if display(lexicon, before.subject) else fields
    base = before if before.columns and not before.measures else listed(before, lexicon, shown)
    if any(
        lexicon.links.path(base.subject, f.table) is None or many_between(lexicon, base.subject, f.table)
        for f in fields
    ):
        return None
    return replace(base, columns=tuple(dict.fromkeys((*base.columns, *fields))), distinct=False)


def _belongs(table: str, entities: set[str], fields: tuple[Field, ...], lexicon: Lexicon) -> bool:
    """Whether each group has one parent row, shown by name alone."""
    near = [
        entity for entity in entities if lexicon.links.path(entity, table) and not many_between(lexicon, entity, table)
    ]
    return bool(near) and {f for f in fields if f.table == table} <= set(display(lexicon, table))
