"""The names that no rule has read: a column to show, a related thing that must exist, or a word that is covered already.

Decides phrase by phrase, when the subject is known. What finds no place stays unread, and so is reported.
"""

from dataclasses import replace

from ai.nl2sql.chunks import Chunk
from ai.nl2sql.conditions import total_of
from ai.nl2sql.figures import added
from ai.nl2sql.lexicon import PARTIAL, Sense
from ai.nl2sql.meaning import Field, Group, Measure, Presence
from ai.nl2sql.parse import Doubt, Parse
from ai.nl2sql.schema import display, is_numeric, noun, title


def read_names(parse: Parse) -> Parse:
    """Give every name that is left its place."""
    for at, chunk in enumerate(parse.chunks):
        if at in parse.read or not (chunk.table or chunk.column) or parse.doubt:
            continue
        after = None if chunk.column is None or chunk.rather_table else _show(parse, at, chunk.column)
        if after is None and chunk.table:
            after = _relate(parse, at, chunk.table)
        if after:
            after = after.noted(chunk.note) if chunk.note else after
            parse = replace(after, read=after.read | {at})
    return parse


def how_totalled(parse: Parse, measure: Measure) -> Parse:
    """Note what was assumed about a number column for which no aggregate was named; a metric says it itself."""
    if measure.function == "metric":
        return parse
    word = "average" if measure.function == "avg" else "total"
    return parse.noted(f"{title(Field(measure.table, measure.column or ''))} is the {word}")


# --- columns -----------------------------------------------------------------------------------------------------


def _show(parse: Parse, at: int, sense: Sense) -> Parse | None:
    """A column is shown; in a computation a number column is one more figure."""
    meaning, fields = parse.meaning, _homes(parse, parse.chunks[at])
    if len({field.table for field in fields}) > 1:
        return replace(parse, doubt=_which(parse, parse.chunks[at], fields))
    field = fields[0]
    if _is_covered(parse, field, sense):
        return parse
    if meaning.groups and is_numeric(parse.lexicon, field):
        measure = total_of(field)
        return added(how_totalled(parse, measure), measure)
    if _is_doubtful(parse, parse.chunks[at], field, sense):
        return None
    return _with_shown(parse, _named_by(parse, at, fields))


def _homes(parse: Parse, chunk: Chunk) -> list[Field]:
    """The columns that a phrase may mean here: what is grouped by or asked about goes before everything else."""
    names = [sense for sense in chunk.senses if sense.column and sense.value is None]
    near = [sense for sense in names if sense.cost <= chunk.columns[0].cost + 0.1]
    entities = (group.table for group in parse.meaning.groups if group.column is None)
    for home in (*entities, parse.meaning.subject):
        own = [sense.field for sense in near if sense.table == home]
        if own and any(sense.table in parse.meaning.tables or sense.field in own for sense in chunk.columns):
            return own
    return list(dict.fromkeys(sense.field for sense in chunk.columns))


def _is_covered(parse: Parse, field: Field, sense: Sense) -> bool:
    """Whether the phrase only repeats a group, a figure or a condition, or names the way to another table."""
    meaning = parse.meaning
    conditioned = any(condition.field == field for condition in meaning.filters)
    if conditioned and (meaning.columns or field.table != meaning.subject):
        return True
    if any((m.table, m.column) == (field.table, field.column) for m in meaning.all_measures):
        return bool(meaning.groups)
    if any((group.table, group.column) == (field.table, field.column) for group in meaning.groups):
        return True
    keys = parse.lexicon.table(field.table).foreign_keys
    leads = any(field.column in key.columns and key.target_table in meaning.tables for key in keys)
    return leads and sense.cost >= PARTIAL  # "supported by Jane" is `SupportRepId`


def _is_doubtful(parse: Parse, chunk: Chunk, field: Field, sense: Sense) -> bool:
    """Whether it would be a guess to show this column: half a name elsewhere, a verb, no place beside a figure."""
    half = sense.cost >= PARTIAL and not _is_word_name(chunk)
    if half and (chunk.text.endswith("ed") or field.table != parse.meaning.subject):
        return True
    return bool(parse.meaning.measures) and not _groups_for(parse, field)


def _is_word_name(chunk: Chunk) -> bool:
    return chunk.text.lower() in ("name", "names")


def _named_by(parse: Parse, at: int, fields: list[Field]) -> tuple[Field, ...]:
    """The columns to show: “name” is whatever names a row, and “with their email” goes beside it."""
    chunk, meaning, field = parse.chunks[at], parse.meaning, fields[0]
    subject = display(parse.lexicon, meaning.subject) if meaning.subject else ()
    if subject and _is_word_name(chunk) and field.table != meaning.subject and not meaning.groups:
        return subject
    named = display(parse.lexicon, field.table)
    if len(fields) > 1 and set(fields) <= set(named):
        return named
    before = parse.chunks[max(0, at - 2) : at]
    theirs = len(before) > 1 and before[0].sign("have") is not None and before[1].sign("that") == "back"
    return (*named, field) if theirs and not meaning.columns and parse.previous is None else (field,)


def _groups_for(parse: Parse, field: Field) -> tuple[Group, ...]:
    """The groups that give a column its place beside a figure: “the names of teachers and the number of courses”."""
    meaning = parse.meaning
    if any(group.table == field.table for group in meaning.groups):
        return meaning.groups
    counted = {measure.table for measure in meaning.measures if measure.function == "count"}
    loud = [chunk for chunk in parse.chunks if not chunk.silent]
    listed = any(chunk.sign("and") == "and" for chunk in parse.chunks) and loud[0].sign("count") is None
    if not counted or meaning.groups or not listed:
        return ()
    return (Group(field.table, field.column),) if field.table in counted else (Group(field.table),)


def _with_shown(parse: Parse, fields: tuple[Field, ...]) -> Parse:
    meaning = parse.meaning
    groups = _groups_for(parse, fields[0]) if meaning.measures else meaning.groups
    if Group(fields[0].table, fields[0].column) in groups:
        return replace(parse, meaning=replace(meaning, groups=groups))
    columns = tuple(dict.fromkeys((*meaning.columns, *fields)))
    return replace(parse, meaning=replace(meaning, columns=columns, groups=groups))


def _which(parse: Parse, chunk: Chunk, fields: list[Field]) -> Doubt:
    names = [f"{noun(parse.lexicon, f.table, many=False)} {title(f)}" for f in fields]
    text = parse.text.rstrip("?!. ")
    options = tuple(text.replace(chunk.text, name, 1) + "?" for name in names)
    return Doubt(f"“{chunk.text}” can be {' or '.join(names)}: which one do you mean?", options)


# --- tables ------------------------------------------------------------------------------------------------------


def _relate(parse: Parse, at: int, sense: Sense) -> Parse | None:
    """A table that is named beside the subject: covered already, certain to exist, or a condition of its own."""
    table, meaning = sense.table, parse.meaning
    if _is_listed(parse, at, table):
        own = meaning.columns or display(parse.lexicon, meaning.subject)
        columns = dict.fromkeys((*own, *display(parse.lexicon, table)))
        return replace(parse, meaning=replace(meaning, columns=tuple(columns)))
    if table in meaning.tables | {presence.table for presence in meaning.presences}:
        return parse
    path = parse.lexicon.links.path(meaning.subject, table)
    kinds = bool(meaning.measures) and at > 0 and parse.chunks[at - 1].sign("distinct") is not None
    if path is None or kinds or not parse.chunks[at].names_table:
        return None
    absent = {presence.table for presence in meaning.presences if not presence.present}
    if absent & {link.target for link in path} or not any(link.many or link.optional for link in path):
        return parse
    presence = Presence(table, present=True)
    return replace(parse, meaning=replace(meaning, presences=(*meaning.presences, presence)))


def _is_listed(parse: Parse, at: int, table: str) -> bool:
    """“with their team”, “the names of teachers and their courses”: the name of the row is wanted, not a condition."""
    meaning, path = parse.meaning, parse.lexicon.links.path(parse.meaning.subject, table)
    if not path or meaning.measures or meaning.groups or not display(parse.lexicon, table):
        return False
    before = [c for c in parse.chunks[max(0, at - 3) : at] if c.sign("filler") is None or c.sign("that")]
    listed = bool(before and before[-1].sign("and") == "and" and meaning.columns)
    theirs = bool(before and before[-1].sign("that") == "back" and not any(link.many for link in path))
    return listed or theirs
