"""Add columns to the rows shown: their own, or those of the one parent of each."""

import re
from dataclasses import replace

from ai.nl2sql.definitions import is_term
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Group, Meaning
from ai.nl2sql.reading.rows.happenings import days_asked
from ai.nl2sql.reading.sketch import many_between
from ai.nl2sql.schema import days, display, numbered_by, referred_table
from ai.nl2sql.spans import DATED
from ai.nl2sql.threads.edits import defining, listed
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.words import keys, name_parts, singular

WITH = re.compile(
    r"^(?:and |also |now |but )?(?:with|including|plus|along with|together with|show|add|list|give me|include)"
    r"(?: me)? (?:also )?(?P<what>(?:their|its|the|his|her)? ?.+?)"
    r"(?: (?:too|as well|also|for each(?: of them)?|for all(?: of them)?))?[.!? ]*$",
    re.IGNORECASE,
)

LIST = re.compile(r"(?:,\s*(?:and\s+)?|\s+(?:and|plus|&)\s+)", re.IGNORECASE)
OWN = re.compile(r"^(?:their|its|the|his|her|each) ", re.IGNORECASE)
TIMES = frozenset(("time", "times", "date", "dates", "day"))
NAMES = frozenset(("name", "names"))
UNSAID = frozenset(("year", "month", "week", "number", "type", "kind", "status"))  # words of grammar that end a name


def with_more(what: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Meaning | None:
    """“with their price and team”: more columns of each row; None when the words name anything else."""
    pieces = [OWN.sub("", piece).strip(" .?!") for piece in LIST.split(what)]
    apart = [_columns_of(piece, before, lexicon, read) for piece in pieces if piece]
    fields = (
        [field for found in apart for field in found or ()] if all(apart) else _columns_of(what, before, lexicon, read)
    )
    return with_columns(before, tuple(dict.fromkeys(fields)), lexicon) if fields else None


def _columns_of(what: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> list[Field] | None:
    """Return the columns that a piece of a list names; None where it names anything else."""
    if len(words := keys(what)) == 1 and (own := _by_word(words[0], before, lexicon)):
        return own
    sketch = best_of(read, what)
    if sketch is None or sketch.unread():
        return _held(words[0], before, lexicon) if len(words) == 1 else None
    parts = [part for part in sketch.cover.parts if part.kind != "flag"]
    fields: list[Field] = []
    for part in parts:
        if part.kind == "attribute" and isinstance(part.data, Field):
            fields += _own(part.said, part.data, before, lexicon) or _named(part.data, part.said, lexicon)
        elif part.kind == "noun" and not part.such:
            fields += display(lexicon, str(part.data))
        else:
            return _held(words[0], before, lexicon) if len(words) == 1 and part.kind == "measure" else None
    taken = {at for part in parts for at in range(part.start, part.end)}
    timed = any(word.key in TIMES for at, word in enumerate(sketch.lattice.words) if at not in taken)
    dated = _dated(before, lexicon) if timed else []
    return None if timed and not dated else [*dated, *fields]


def _by_word(word: str, before: Meaning, lexicon: Lexicon) -> list[Field]:
    """Return the day, the name, or the one column with a word in its name, of the rows listed."""
    columns = [Field(before.subject, column.name) for column in lexicon.table(before.subject).columns]
    if any(singular(word) == singular("_".join(name_parts(field.column))) for field in columns):
        return []
    if word in TIMES:
        return _dated(before, lexicon)
    if word in NAMES:
        return list(display(lexicon, before.subject))
    return _held(word, before, lexicon) or [] if word in UNSAID else []


def _own(said: str, field: Field, before: Meaning, lexicon: Lexicon) -> list[Field]:
    """Return the column of the rows listed where a word names one of many rows of theirs: “amount” of grants."""
    if field.table == before.subject or not many_between(lexicon, before.subject, field.table):
        return []
    return (_held(said.lower(), before, lexicon) or []) if len(said.split()) == 1 else []


def _held(word: str, before: Meaning, lexicon: Lexicon) -> list[Field] | None:
    """Return the one column of the rows listed with a word in its name: “minutes” of `running_minutes`."""
    columns = [Field(before.subject, column.name) for column in lexicon.table(before.subject).columns]
    held = [field for field in columns if {word, singular(word)} & {*name_parts(field.column)}]
    return held if len(held) == 1 else None


def _dated(before: Meaning, lexicon: Lexicon) -> list[Field]:
    """Return the day that the rows are picked by, or came into their state on, else their usual one."""
    picked = [*(period.field for period in before.periods), *(test.field for test in before.filters)]
    own = [f for f in picked if f.table == before.subject and not is_term(f) and lexicon.column(f).kind in DATED]
    return own[:1] or days_asked(before, before.subject, lexicon)[:1]


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
    if before.measures and defining(before, lexicon) is None:
        return None  # the rows behind the figure cannot be told
    dated = any(not lexicon.column(day).may_miss for day in days(lexicon, before.subject))  # rows of an event
    of_others = any(field.table != before.subject for field in fields)
    numbered = numbered_by(lexicon.table(before.subject)) if of_others else ()  # “with company” says not which invoice
    shown = (*numbered, *fields) if dated and not display(lexicon, before.subject) else ()
    base = before if before.columns and not before.measures else listed(before, lexicon, shown)
    beside = {field.table for field in base.columns}
    if any(
        lexicon.links.path(base.subject, f.table) is None or many_between(lexicon, base.subject, f.table)
        for f in fields
        if f.table not in beside
    ):
        return None
    return replace(base, columns=tuple(dict.fromkeys((*base.columns, *fields))), distinct=False)


def _belongs(table: str, entities: set[str], fields: tuple[Field, ...], lexicon: Lexicon) -> bool:
    """Whether each group has one parent row, shown by name alone."""
    near = [
        entity for entity in entities if lexicon.links.path(entity, table) and not many_between(lexicon, entity, table)
    ]
    return bool(near) and {f for f in fields if f.table == table} <= set(display(lexicon, table))
