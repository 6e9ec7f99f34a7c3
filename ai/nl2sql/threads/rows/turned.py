"""Turn the order of the rows round, or leave out the first or the last of them."""

from collections.abc import Sequence
from dataclasses import replace

from ai.language.numbers import number_of
from ai.nl2sql.meaning import Field, Meaning, Order
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.referents import list_before
from ai.nl2sql.threads.steps import Followed

NO_ORDER = "There is no order in the answer before to turn round."
CUT = "I cannot turn a list round of which the first are left out; please ask for the whole list."
NOTHING_LEFT = "Nothing is left without it."


def turned(text: str, earlier: Sequence[Meaning]) -> Followed | None:
    """Turn the order shown round, or leave out its first or last row."""
    before = earlier[0]
    if signals.REVERSED.match(text):
        return _reversed(before)
    if (found := signals.LEFT_OUT.match(text)) is not None:
        return _without(list_before(earlier), signals.PLACES[found["place"].lower()], found["count"])
    if signals.BY_HOW_MUCH.match(text) and before.limit == 1 and before.order and before.groups:
        return Followed(replace(before, limit=2), ("the first two",)) if before.shown_measures else None
    return None


def _reversed(before: Meaning) -> Followed:
    """Return the least in place of the most, or the rows from the last to the first."""
    timed = [group for group in before.groups if group.unit and group.column]
    order = before.order or tuple(Order(Field(group.table, group.column or "")) for group in timed[:1])
    if before.offset:
        return Followed(None, problem=CUT)
    if not order and (others := _without_instead(before)):
        return Followed(others)
    if not order or before.within or before.fold:
        return Followed(None, problem=NO_ORDER)
    turned = tuple(replace(each, descending=not each.descending) for each in order)
    return Followed(replace(before, order=turned))


def _without_instead(before: Meaning) -> Meaning | None:
    """Return the rows with what the others lack: “the other way round” after apps without a release."""
    if len(before.presences) != 1 or before.filters or before.measures or before.among:
        return None
    other = replace(before.presences[0], present=not before.presences[0].present)
    return replace(before, presences=(other,))


def _without(before: Meaning, place: int, count: str | None) -> Followed | None:
    """Return the rows shown without the first or the last of them; None for one in between."""
    several = int(number_of(count) or 1) if count else 1
    ordered = before.order or any(group.unit for group in before.groups)
    if (
        not ordered
        or before.within
        or before.fold
        or place not in (0, -1)
        or not (before.groups or not before.measures)
    ):
        return None
    if before.limit is not None and before.limit <= several:
        return Followed(None, problem=NOTHING_LEFT)
    left = before.limit - several if before.limit else None
    if place == 0:
        return Followed(replace(before, offset=before.offset + several, limit=left))
    return Followed(replace(before, limit=left)) if left else None
