"""Parts taken over from the question before: its time (“that month”), its place (“there”)."""

import re
from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Filter, Meaning, Period
from ai.nl2sql.schema import days, figure_days, names_of
from ai.nl2sql.threads.referents import referent, same_moment
from ai.nl2sql.threads.steps import Followed

_UNIT = r"(?:day|week|month|quarter|year|period|time ?frame|time ?span|time|range|window|dates?)"
SAME_TIME = re.compile(
    rf"\s*\b(?:(?:in|for|during|over|within|of) (?:that|the same|this same|the|those same) (?:same )?{_UNIT}"
    rf"|(?:in|for) those {_UNIT}s|that (?:same )?(?:month|week|quarter|year|day)"
    r"|back then|at that time)\b(?! (?:before|after|of|ago|range|\d))",
    re.IGNORECASE,
)
SAME_PLACE = re.compile(
    r"(?<!\bare)(?<!\bis)(?<!\bwere)(?<!\bwas)\s+(?:in |from |over )?there\b"
    r"(?= ?[?.!,]| ?$| (?:last|this|in|on|by|per)\b)",
    re.IGNORECASE,
)
NO_PLACE = "I cannot tell which place this refers to; please name it."
WHOSE = "Do you mean the same ones as before, or all?"


def carried_over(meaning: Meaning, before: Meaning, lexicon: Lexicon, *, time: bool, place: bool) -> Followed | None:
    """A question of its own within the time or the conditions of the one before; None where they do not fit it."""
    root = meaning.root
    spoken = periods_in(before)
    if not root or (time and not has_time(before) and not place):
        return None
    made = meaning
    if time and not meaning.periods:
        made = _timed(meaning, before, spoken, lexicon)
    filters = tuple(f for old in before.filters if (f := _moved(old, root, lexicon)))
    taken = {f.field for f in made.filters} | {name for group in made.groups for name in names_of(group, lexicon)}
    kept = replace(made, filters=(*made.filters, *(f for f in filters if f.field not in taken)))
    if place:
        own = tuple(p for p in before.periods if p.field.table == root)
        shown = _shown_place(before, root, lexicon)
        made = replace(kept, periods=kept.periods or own, among=(*kept.among, *shown))
        if not shown and made.filters == meaning.filters:
            return Followed(None, problem=NO_PLACE)
    elif kept != made and root != before.root and not meaning.filters:
        return Followed(None, problem=WHOSE, choices=(kept, made), asks=True)
    elif not meaning.filters:
        made = kept
    if made == meaning:
        return None
    return Followed(None, problem=why) if (why := complaint(made, lexicon)) else Followed(made)


def _shown_place(before: Meaning, root: str, lexicon: Lexicon) -> tuple[Among, ...]:
    about = referent(before, lexicon) if before.limit else before.among[-1] if before.among else None
    if not isinstance(about, Among):
        return ()
    if about.field.table != root and lexicon.table(root).column(about.field.column):
        about = replace(about, field=Field(root, about.field.column))
    return (about,) if lexicon.links.path(root, about.field.table) is not None else ()


def _timed(meaning: Meaning, before: Meaning, spoken: tuple[Period, ...], lexicon: Lexicon) -> Meaning:
    """Set the one moment shown, or the time asked for; several moments change nothing."""
    root = meaning.root
    own = [p.field for p in spoken if p.field.table == root]
    defined = figure_days(lexicon, meaning.measures[0]) if len(meaning.measures) == 1 else []
    field = next(iter((*defined, *own, *days(lexicon, root))), None)
    if field is None:
        return meaning
    if any(group.unit for group in before.groups):
        moment = same_moment(before, field)
        return replace(meaning, among=(*meaning.among, moment)) if moment else meaning
    return replace(meaning, periods=tuple(replace(p, field=field) for p in spoken[:1]))


def has_time(before: Meaning) -> bool:
    """Whether a meaning is of a time, or shows a single one."""
    return bool(periods_in(before)) or (before.limit == 1 and any(group.unit for group in before.groups))


def periods_in(before: Meaning) -> tuple[Period, ...]:
    """Return the time of a meaning, or of the one it refers to."""
    return before.periods or next((p for among in before.among if (p := periods_in(among.source))), ())


def _moved(old: Filter, root: str, lexicon: Lexicon) -> Filter | None:
    """Move a condition to the new rows where they have its column."""
    if old.field.table != root and lexicon.table(root).column(old.field.column):
        return replace(old, field=Field(root, old.field.column))
    return old if lexicon.links.path(root, old.field.table) is not None else None
