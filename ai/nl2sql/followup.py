"""Follow-ups: a question that leans on the one before becomes an edit of its meaning, never of its SQL.

One filter replaces the other condition on its column or is added; a period, the groups, the figure, the order or the
first few are replaced; named columns turn a figure into a list.
"""

from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.chunks import Chunk
from ai.nl2sql.conditions import total_of
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning
from ai.nl2sql.parse import Doubt, Parse
from ai.nl2sql.schema import is_numeric


def usable(previous: Meaning | None, lexicon: Lexicon) -> Meaning | None:
    """The previous meaning, if its tables and metrics are still there: the database or the file may have changed since."""
    if previous is None or any(lexicon.catalog.table(table) is None for table in previous.tables):
        return None
    metrics = [Field(m.table, m.column or "") for m in previous.all_measures if m.function == "metric"]
    return previous if all(field in lexicon.metrics for field in metrics) else None


def refers_back(chunks: Sequence[Chunk]) -> bool:
    """Whether the words lean on an earlier question: they begin as a follow-up, point back, or name nothing to ask of."""
    if begins_as_one(chunks) or any(chunk.sign("that") == "again" for chunk in chunks):
        return True
    for chunk in chunks:
        if chunk.names_table:
            return False
        if chunk.sign("that") == "back":
            return True
    return False


def begins_as_one(chunks: Sequence[Chunk]) -> bool:
    """“what about …”, “and …”, “only …”, or “… instead” at the end."""
    return bool(chunks) and any(chunk.sign("followup") is not None for chunk in (chunks[0], chunks[-1]))


def edit_previous(parse: Parse) -> Parse:
    """Merge what was read into the previous meaning when the question continues it; else leave it as it stands."""
    previous, new = parse.previous, parse.meaning
    leans = refers_back(parse.chunks)
    if previous is None:
        lost = leans and not _stands_alone(parse)
        return (
            replace(parse, doubt=Doubt("I do not know which earlier question this continues; please ask it in full."))
            if lost
            else parse
        )
    if not leans and _stands_alone(parse):
        return parse
    tables = [table for c in parse.chunks if (table := c.names_table) and not c.rather_column]
    other = [table for table in tables if table not in previous.tables]
    if other and not new.groups and not new.presences:
        return _about_another(parse, previous)
    pointed = any(chunk.sign("that") == "again" for chunk in parse.chunks)
    if leans and tables and parse.has("count") and new.measures and not pointed:
        return parse
    merged = _merged(parse, previous, new)
    if parse.rank and merged.limit and not merged.order and not merged.all_measures:
        parse = replace(parse.noted("the list has no order, so these are simply its first rows"), rank=None)
    return replace(parse, meaning=merged)


def _stands_alone(parse: Parse) -> bool:
    """Whether the question names by itself what it asks: a thing, a figure, or columns that are new to the thread."""
    if any(c.names_table for c in parse.chunks):
        return True
    new, before = parse.meaning, parse.previous.tables if parse.previous else set()
    numeric = any(is_numeric(parse.lexicon, field) for field in new.columns)
    elsewhere = bool({field.table for field in new.columns} - before)
    figures = new.all_measures if new.groups else new.measures
    return numeric or elsewhere or any(measure.column for measure in figures)


def _about_another(parse: Parse, previous: Meaning) -> Parse:
    """“what about teams?”: the same plain count of something else; anything richer must be asked in full."""
    new = parse.meaning
    if parse.has("count") or parse.has("aggregate") or parse.has("list") or parse.has("most"):
        return parse
    plain = previous == Meaning(previous.subject, measures=previous.measures) and previous.all_measures
    if plain and previous.measures[0].column is None and not new.columns:
        measures = tuple(replace(measure, table=new.subject) for measure in previous.measures)
        return replace(parse, meaning=replace(new, measures=measures))
    return replace(parse, doubt=Doubt("I cannot tell how this continues the question before; please ask it in full."))


def _merged(parse: Parse, previous: Meaning, new: Meaning) -> Meaning:
    merged = _with_conditions(previous, new)
    if new.groups:
        kept = previous.groups if _adds(parse) else ()
        merged = replace(merged, measures=merged.measures or merged.all_measures)
        merged = replace(
            merged, groups=(*kept, *(g for g in new.groups if g not in kept)), columns=(), order=(), limit=None
        )
    merged = _with_figures(parse, merged, new)
    if new.order:
        merged = replace(merged, order=new.order)
    if new.offset:
        return replace(merged, limit=1, offset=new.offset)
    return replace(merged, limit=new.limit, offset=0) if new.limit else merged


def _with_conditions(previous: Meaning, new: Meaning) -> Meaning:
    merged = previous
    replaced = {condition.field for condition in new.filters}
    if replaced:
        merged = replace(merged, filters=tuple(f for f in merged.filters if f.field not in replaced) + new.filters)
    if new.periods:
        merged = replace(merged, periods=new.periods)
    presences = {presence.table: presence for presence in (*merged.presences, *new.presences)}
    return replace(merged, presences=tuple(presences.values()), havings=(*merged.havings, *new.havings))


def _with_figures(parse: Parse, merged: Meaning, new: Meaning) -> Meaning:
    """Another figure, or columns in the place of a figure."""
    measures, computed = new.measures, merged.all_measures
    if computed and new.columns and _only_numbers(parse, new) and not parse.has("list"):
        measures = tuple(total_of(field) for field in new.columns)
    if measures:
        order = tuple(replace(o, key=measures[0]) for o in merged.order if o.key in computed) if merged.groups else ()
        shown = measures if merged.measures or not order else ()
        return replace(merged, measures=shown, columns=(), order=order, limit=merged.limit if order else None)
    if new.columns:
        kept: tuple[Field, ...] = merged.columns if _adds(parse) else ()
        columns = tuple(dict.fromkeys((*kept, *new.columns)))
        return replace(merged, columns=columns, measures=(), groups=() if not merged.limit else merged.groups)
    asks_list = parse.has("list") and any(c.sign("that") == "back" for c in parse.chunks)
    if asks_list and merged.measures and not merged.groups and not new.filters:
        return replace(merged, measures=(), columns=())
    return merged


def _only_numbers(parse: Parse, new: Meaning) -> bool:
    return all(is_numeric(parse.lexicon, field) for field in new.columns)


def _adds(parse: Parse) -> bool:
    return any(word in parse.text.lower().split() for word in ("also", "too", "and"))
