"""The column or figure that a rank or a sort means: “cheapest one?”, “newest first”, “by name”."""

import re

from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.chart.parts import Rank
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Group, Meaning, Measure
from ai.nl2sql.reading.sketch import Sketch, is_fact
from ai.nl2sql.schema import days, display, is_numeric, names_of
from ai.nl2sql.spans import DATED
from ai.nl2sql.words import keys, name_parts, stems

TOP = ("top", "first")
FEW = (*TOP, "bottom", "last")
AGED = frozenset(("newest", "oldest", "latest", "earliest", "recent"))
YOUNG = frozenset(("newest", "oldest", "youngest"))
PRICED = frozenset(("expensive", "cheapest", "cheap", "dearest", "priciest"))
PRICES = frozenset("price prices cost costs fee fees fare rate rent amount charge".split())
NAMES = frozenset(("name", "title", "label"))


def key_meant(rank: Rank, before: Meaning, said: str, text: str, lexicon: Lexicon) -> Measure | Field | None:
    key = _number_shown(rank, before, said, lexicon) or _ranking_key(
        rank, before, lexicon, by_place=said.lower().startswith(FEW)
    )
    if PRICED & {*keys(said)} and (figure := _priced_figure(before, key, lexicon)):
        return figure
    if isinstance(key, Field) and AGED & {*keys(said)} and key.table != before.root:
        return _day_of_shown(key, before, text, lexicon)
    return key


def _priced_figure(before: Meaning, key: Measure | Field | None, lexicon: Lexicon) -> Measure | None:
    """Return the price shown of each group where “cheapest one” names no other: after the average rate by room type."""
    figure = next(iter(before.measures), None)
    other = key is not None and figure is not None and key.column != figure.column
    priced = figure is not None and _is_price(figure, lexicon)
    return figure if before.groups and other and priced else None


def _is_price(key: Measure | Field, lexicon: Lexicon) -> bool:
    metric = lexicon.metric_of(key)
    words = re.findall(r"\w+", metric.expression) if metric else [key.column or ""]
    return any(PRICES & set(name_parts(word)) for word in words)


def _day_of_shown(key: Field, before: Meaning, text: str, lexicon: Lexicon) -> Field | None:
    """“most recent one” goes by a day of the rows shown, “newest one” by that of their groups."""
    thing = Group(key.table) in before.groups and bool(YOUNG & {*keys(text)})
    if thing or _is_named(key, text):
        return key
    return next(iter(days(lexicon, before.root)), None) if not before.groups else None


def _is_named(key: Field, text: str) -> bool:
    return bool(set(stems(name_parts(key.column))) & set(stems(keys(text))))


def _number_shown(rank: Rank, before: Meaning, said: str, lexicon: Lexicon) -> Field | None:
    """Return the one number shown of listed rows where “shortest” names no other: “shortest 3” with their runtime."""
    key = rank.key
    if key is None or before.measures or before.groups or key.table == before.subject:
        return None
    if set(stems(name_parts(key.column or ""))) & set(stems(keys(said))):
        return None
    numbers = [f for f in before.columns if f.table == before.subject and is_numeric(lexicon, f)]
    return numbers[0] if len(numbers) == 1 else None


def _ranking_key(rank: Rank, before: Meaning, lexicon: Lexicon, *, by_place: bool) -> Measure | Field | None:
    key = rank.key
    if isinstance(key, Field):
        return total_of(key) if is_fact(lexicon, key.table) or (before.groups and is_numeric(lexicon, key)) else key
    if key is not None:
        return key
    figure = next(iter(before.all_measures), None)
    if before.order and not (
        isinstance(before.order[0].key, Field) and (figure or (_is_name(before, lexicon) and not by_place))
    ):
        return before.order[0].key
    numbers = [field for field in before.columns if is_numeric(lexicon, field) and not by_place]
    return figure or (numbers[0] if len(numbers) == 1 else None)  # “top 2” of what is sorted by name


def _is_name(before: Meaning, lexicon: Lexicon) -> bool:
    key = before.order[0].key
    return isinstance(key, Field) and lexicon.column(key).kind == "text"


def name_shown(key: Measure, before: Meaning, lexicon: Lexicon) -> Measure | Field:
    """Sort rows by the name beside them where a count would be meant elsewhere: “sort by trainer”."""
    names = [field for field in display(lexicon, key.table) if field in before.columns]
    return names[0] if names and key == Measure("count", key.table) and key.table != before.subject else key


def usual_key(before: Meaning, sketch: Sketch) -> Measure | Field | None:
    """Return what “lowest first” sorts by: the key before, else the figure; “newest first” sorts by time."""
    if AGED & {word.key for word in sketch.lattice.words}:
        return _time_of(before) if before.groups else day_of(before, sketch.lexicon)
    if PRICED & {word.key for word in sketch.lattice.words}:
        prices: list[Measure | Field] = [
            *before.all_measures,
            *(f for f in before.columns if is_numeric(sketch.lexicon, f)),
        ]
        return next((each for each in prices if _is_price(each, sketch.lexicon)), None)
    numbers = [field for field in before.columns if is_numeric(sketch.lexicon, field)]
    shown = numbers[0] if len(numbers) == 1 else next(iter(before.columns), None)
    return before.order[0].key if before.order else next(iter(before.all_measures), None) or shown


def _time_of(before: Meaning) -> Field | None:
    return next((Field(group.table, group.column or "") for group in before.groups if group.unit), None)


def day_of(before: Meaning, lexicon: Lexicon) -> Field | None:
    """Return the day or the year shown, else the last day of the rows."""
    dated = [field for field in before.columns if lexicon.column(field).kind in DATED]
    dated = dated or [field for field in before.columns if "year" in name_parts(field.column)]
    return next(reversed(dated or days(lexicon, before.subject)), None)


def name_of(before: Meaning, lexicon: Lexicon) -> Field | None:
    """Return the name of each row: the value of its group, or the name of its thing."""
    if before.groups:
        return next(iter(names_of(before.groups[0], lexicon)), None)
    return next(iter(display(lexicon, before.subject)), None)


def of_groups(key: Field, before: Meaning, lexicon: Lexicon) -> Field | Measure:
    """Return the figure or the group meant by a column; the name of something else is that of the groups."""
    figure = next((m for m in before.all_measures if (m.table, m.column) == (key.table, key.column)), None)
    if figure is not None or any(key.table == group.table and not group.column for group in before.groups):
        return figure or key
    own = [field for group in before.groups for field in names_of(group, lexicon)]
    same = next((field for field in own if field.column == key.column), None)
    called = own[:1] if NAMES & set(name_parts(key.column)) else []
    return same or next(iter(called), key)
