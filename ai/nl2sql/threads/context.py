"""What a new question takes over from the one before: its time (“that month”), its place (“there”), another side to compare."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Group, Meaning, Period
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import days
from ai.nl2sql.threads import edits
from ai.nl2sql.threads.change import new_periods
from ai.nl2sql.threads.steps import Followed, shifted

_UNIT = r"(?:day|week|month|quarter|year|period|time ?frame|time ?span|time|range|window|dates?)"
SAME_TIME = re.compile(
    rf"\s*\b(?:(?:in|for|during|over|within|of) (?:that|the same|this same|the|those same) (?:same )?{_UNIT}|(?:in|for) those {_UNIT}s|that (?:same )?(?:month|week|quarter|year|day)|back then"
    r"|at that time)\b(?! (?:before|after|of|ago|range|\d))",
    re.IGNORECASE,
)
SAME_PLACE = re.compile(
    r"(?<!\bare)(?<!\bis)(?<!\bwere)(?<!\bwas)\s+(?:in |from |over )?there\b(?= ?[?.!,]| ?$| (?:last|this|in|on|by|per)\b)",
    re.IGNORECASE,
)
COMPARED = re.compile(r"^compared to (?P<side>.+?)[.?! ]*$", re.IGNORECASE)
BEFORE = re.compile(
    r"^(?:the |that )?(?:(?P<unit>day|week|month|quarter|year) (?:before|earlier|prior)(?: that)?|(?:previous|prior|preceding) (?P<before>day|week|month|quarter|year|period))$",
    re.IGNORECASE,
)


def carried_over(meaning: Meaning, before: Meaning, lexicon: Lexicon, *, time: bool, place: bool) -> Followed | None:
    """A question of its own within the time or the conditions of the one before; None where they do not fit it."""
    root = meaning.all_measures[0].table if meaning.all_measures else meaning.subject
    if not root or (time and not before.periods and not place):
        return None
    periods, filters = meaning.periods, meaning.filters
    if time and before.periods and not periods:
        fields = days(lexicon, root)
        own = [p for p in before.periods if p.field.table == root]
        periods = tuple(own) or tuple(replace(p, field=fields[0]) for p in before.periods[:1] if fields)
    if place:
        taken = {f.field for f in filters}
        filters = (
            *filters,
            *(f for old in before.filters if (f := _moved(old, root, lexicon)) and f.field not in taken),
        )
        periods = periods or tuple(p for p in before.periods if p.field.table == root)
    made = replace(meaning, periods=periods, filters=filters)
    if made == meaning:
        return None
    return Followed(None, problem=why) if (why := complaint(made, lexicon)) else Followed(made)


def _moved(old: Filter, root: str, lexicon: Lexicon) -> Filter | None:
    """A condition on a column that the new rows have themselves is asked of them."""
    if old.field.table != root and lexicon.table(root).column(old.field.column):
        return replace(old, field=Field(root, old.field.column))
    return old if lexicon.links.path(root, old.field.table) is not None else None


def compared(side: str, found: Sketch | None, earlier: Sequence[Meaning], lexicon: Lexicon) -> Followed | None:
    """“compared to October”, “vs the month before”, “vs Android”: both beside each other."""
    before = earlier[0]
    if not before.measures or before.fold:
        return None
    if shift := BEFORE.match(side):
        moved = shifted(before, (shift["unit"] or shift["before"]).lower(), later=False)
        return _beside(before, moved.periods, lexicon) if moved else None
    if found is None or found.unread() or found.wanted:
        return None
    if found.data("period") and not found.meaning.filters:
        return _beside(before, new_periods(found, before, lexicon), lexicon)
    new = found.meaning.filters
    old = next(
        (f for f in before.filters if len(new) == 1 and f.field == new[0].field and f.operator in edits.EQUAL), None
    )
    if old is None or found.data("period"):
        return None
    both = Filter(old.field, "in", tuple(dict.fromkeys((*old.values, *new[0].values))))
    group = Group(old.field.table, old.field.column)
    groups = before.groups if group in before.groups else (*before.groups, group)
    return Followed(replace(before, filters=tuple(both if f == old else f for f in before.filters), groups=groups))


def _beside(before: Meaning, periods: tuple[Period, ...], lexicon: Lexicon) -> Followed | None:
    """Each figure in the old time and in the new one."""
    if len(periods) != 1 or len(before.periods) != 1 or periods[0] == before.periods[0]:
        return None
    old, new = before.periods[0], replace(periods[0], field=before.periods[0].field)
    measures = tuple(replace(m, where=(*m.where, period)) for m in before.measures for period in (old, new))
    groups = tuple(group for group in before.groups if not group.unit)
    if len(groups) < len(before.groups):
        return None
    made = replace(before, measures=measures, periods=(), order=(), share=False, series="")
    return Followed(None, problem=why) if (why := complaint(made, lexicon)) else Followed(made)
