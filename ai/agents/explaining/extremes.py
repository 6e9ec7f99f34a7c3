"""Find what of a shown answer is meant: the step called a spike or a dip, the one thing shown, “the second one”."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from ai.analysis.study import Days
from ai.answers.formats import is_number
from ai.language.spans import unit_of
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Filter, Meaning, Unit
from ai.nl2sql.reader import ListPlace
from ai.nl2sql.schema import names_of
from ai.results.table import Row

UP = re.compile(r"\b(?:the|that|this) (?:\w+ )?(?:spike|peak|jump|surge|high|bump)\b", re.IGNORECASE)
DOWN = re.compile(r"\b(?:the|that|this) (?:\w+ )?(?:dip|low|trough|drop|slump|crash|hole)\b", re.IGNORECASE)
DAY = timedelta(days=1)


def extreme_step(text: str, meaning: Meaning, rows: Sequence[Row]) -> tuple[Days, Days] | None:
    """Return the two periods between which a series moved most; of a time picked, it and the one before."""
    sign = 1 if UP.search(text) else -1 if DOWN.search(text) else 0
    unit = next((group.unit for group in meaning.groups if group.unit), None)
    if unit in (None, "weekday") or len(meaning.groups) != 1:
        return None
    if meaning.limit == 1 and len(rows) == 1 and (picked := _day(rows[0][0])):
        return _step_to(unit, picked)
    if not sign or len(rows) < 3:
        return None
    known = [(start, row[-1]) for row in rows if (start := _day(row[0])) and is_number(row[-1])]
    whole = sorted(known)[:-1]  # the last one may not be over
    steps = [(sign * (float(after[1]) - float(before[1])), after[0]) for before, after in pairwise(whole)]
    if not steps or max(steps)[0] <= 0:
        return None
    return _step_to(unit, max(steps)[1])


def _step_to(unit: Unit | None, day: date) -> tuple[Days, Days] | None:
    now = _unit(unit, day)
    before = _unit(unit, now.start - DAY) if now else None
    return (before, now) if before and now else None


def one_shown(place: ListPlace | None, meaning: Meaning, rows: Sequence[Row], lexicon: Lexicon) -> Filter | None:
    """Return the condition for the row at a place, or for the only one: “why did the second one grow?”."""
    group = meaning.groups[0] if len(meaning.groups) == 1 else None
    names = names_of(group, lexicon) if group and not group.unit else ()
    at = place.at if place else 0
    is_alone = meaning.limit == 1 and len(rows) == 1
    if len(names) != 1 or not (place or is_alone) or not -len(rows) <= at < len(rows):
        return None
    value = rows[at][0]
    return Filter(names[0], "=", (value,)) if isinstance(value, str | int) else None


def _unit(unit: Unit | None, day: date) -> Days | None:
    span = unit_of(unit or "day", day)
    return Days(span.start, span.end) if span.start and span.end else None


def _day(cell: object) -> date | None:
    text = cell.isoformat() if isinstance(cell, date) else str(cell)
    try:
        return date.fromisoformat(f"{text}-01"[:10] if len(text) == len("2026-11") else text[:10])
    except ValueError:
        return None
