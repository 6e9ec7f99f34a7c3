"""Pronouns and ordinals of a follow-up: the rows, groups or the one thing shown before."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from ai.nl2sql.definitions import is_term
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Filter, Group, Meaning, Measure, Order
from ai.nl2sql.reading.sketch import Sketch, counts, is_fact
from ai.nl2sql.schema import display, noun
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.fragments import Sketches, best_of, pointing_word
from ai.nl2sql.threads.signals import DEMONSTRATIVE
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import name_parts

DEEPEST = 4
OWNERS = frozenset(("its", "his", "her"))
WHICH_ONE = "Which of the {} do you mean by “{}”? Please name one."
IT = re.compile(r"\bits?\b", re.IGNORECASE)
FIRST_ANSWER = re.compile(r"^(?:very )?(?:first|original|initial|start|beginning)(?: (?:one|question|answer))?$", re.I)
LEADERS = frozenset("lead leader manager head owner director chief".split())
PERSONS = LEADERS | {"author"}


def usable(previous: Meaning | None, lexicon: Lexicon) -> Meaning | None:
    """Return the previous meaning, unless the database or the file lost a table or metric of it."""
    if previous is None or any(lexicon.catalog.table(table) is None for table in previous.tables):
        return None
    metrics = [Field(m.table, m.column or "") for m in previous.all_measures if m.function == "metric"]
    terms = [f.field for f in previous.conditions if is_term(f.field)]
    known = all(field in lexicon.metrics for field in metrics) and all(field in lexicon.terms for field in terms)
    return previous if known else None


def shown_key(previous: Meaning, lexicon: Lexicon) -> Field | None:
    """Return the identifying column of a meaning: the key of its things, or the values of its groups."""
    groups = previous.all_groups
    group = groups[-1] if previous.within else next(iter(groups), None)
    if group is not None:
        if group.unit:
            return None
        if group.column:
            return Field(group.table, group.column)
        return _key(group.table, lexicon)
    if previous.measures:
        return None
    return _key(previous.subject, lexicon)


def _key(table: str, lexicon: Lexicon) -> Field | None:
    keys = lexicon.table(table).primary_key
    return Field(table, keys[0]) if len(keys) == 1 else None


def referent(previous: Meaning, lexicon: Lexicon, place: int | None = None) -> Among | tuple[Filter, ...] | None:
    """Return the condition for the rows shown, or for the one at `place`; None when nothing was shown."""
    key = shown_key(previous, lexicon)
    if key is None and before_among(previous) and place is None:
        return previous.among[-1]
    if key is None:
        return (named_in(previous, lexicon) or None) if place is None else None
    if _depth(previous) >= DEEPEST:
        return None
    if place is not None and not (previous.order or previous.limit):
        return None
    if place is None and (one := _only_rows_of(previous, key)):
        return one
    source = _keys_only(previous, key)
    if place is not None:
        source = _at(source, place)
    return Among(key, source)


def _only_rows_of(previous: Meaning, key: Field) -> Among | None:
    """Return the condition that a list consists of: “who teaches that” lists the course shown, with its tutor."""
    held = previous.among[0] if len(previous.among) == 1 and previous.among[0].field == key else None
    plain = Meaning(previous.subject, columns=previous.columns, distinct=previous.distinct, among=previous.among)
    return held if held and not held.unit and plain == previous else None


def unranked(before: Meaning, sketch: Sketch) -> Meaning:
    """Keep the things of a ranking pointed at: “installs of those” after the top 3 by revenue."""
    several = before.limit and before.limit > 1 and before.groups
    about = referent(before, sketch.lexicon) if several and signals.pointers(sketch.lattice.words) else None
    if not isinstance(about, Among):
        return before
    among = (*before.among, about)
    figures = before.measures or before.all_measures[:1]
    order = (Order(figures[0], descending=True),) if figures else ()
    return replace(before, measures=figures, among=among, limit=None, offset=0, order=order, havings=())


def list_before(earlier: Sequence[Meaning]) -> Meaning:
    """The newest answer whose rows an ordinal can count: several, in an order."""
    counted = (m for m in earlier if (m.order or m.limit or _along_time(m)) and m.limit != 1 and _has_rows(m))
    return next(counted, earlier[0])


def _has_rows(meaning: Meaning) -> bool:
    return bool(meaning.groups) or not meaning.measures


def _along_time(meaning: Meaning) -> bool:
    return any(group.unit for group in meaning.groups)


def same_moment(previous: Meaning, field: Field) -> Among | None:
    """Keep to the one day, week or month shown: “in that month”."""
    units = [group for group in previous.groups if group.unit]
    if previous.limit != 1 or len(units) != 1 or len(previous.groups) != 1 or not previous.order:
        return None
    group = units[0]
    source = _keys_only(previous, Field(group.table, group.column or ""))
    return Among(field, source, group.unit)


def the_one(previous: Meaning, lexicon: Lexicon) -> Among | None:
    """Return the condition for the one group shown: the best month, the smallest city."""
    if previous.limit != 1 or len(previous.groups) != 1:
        return None
    group = previous.groups[0]
    if group.unit:
        return same_moment(previous, Field(group.table, group.column or ""))
    about = referent(previous, lexicon)
    return about if isinstance(about, Among) else None


def named_in(previous: Meaning, lexicon: Lexicon) -> tuple[Filter, ...]:
    """Return the conditions picking a thing by name, here or in the meaning referred to."""
    own = tuple(f for f in previous.filters if f.field in display(lexicon, f.field.table) and f.operator in ("=", "in"))
    return own or next((found for among in previous.among if (found := named_in(among.source, lexicon))), ())


def before_among(previous: Meaning) -> bool:
    """Whether the meaning is itself about rows shown before."""
    return bool(previous.among) and not previous.filters


def _keys_only(previous: Meaning, key: Field) -> Meaning:
    """Return the meaning with its keys alone, in the same order and number."""
    if previous.fold:
        previous = replace(previous, groups=previous.fold.grain, fold=None, order=(), limit=None)
    if previous.groups:
        order = previous.order if previous.limit or previous.offset or previous.order else ()
        column = (key,) if any(g == Group(key.table) for g in previous.groups) else ()
        return replace(
            previous,
            columns=column,
            measures=() if order or previous.havings or column else previous.measures,
            order=order,
            share=False,
            series="",
        )
    return replace(previous, columns=(key,), distinct=False)


def _at(source: Meaning, place: int) -> Meaning:
    if place < 0 and source.limit:
        return replace(source, limit=1, offset=source.offset + source.limit - 1)
    if place < 0:
        turned = tuple(replace(order, descending=not order.descending) for order in source.order)
        return replace(source, order=turned, limit=1, offset=0)
    only = replace(source, limit=1, offset=source.offset + place)
    return only if only.offset else _without_ties(only)


def _without_ties(first: Meaning) -> Meaning:
    """Tell the first of a list from its ties as the list did: by the key."""
    group = first.groups[0] if len(first.groups) == 1 and len(first.order) == 1 else None
    ranked = first.order[0].key if group and not group.unit else None
    if group is None or not isinstance(ranked, Measure) or ranked.function != "count":
        return first
    key = Field(group.table, group.column) if group.column else next(iter(first.columns), None)
    return replace(first, order=(*first.order, Order(key, descending=False))) if key else first


def _depth(meaning: Meaning) -> int:
    return 1 + max((_depth(among.source) for among in meaning.among), default=0)


def thing(previous: Meaning, lexicon: Lexicon) -> str:
    """Return the table of the rows shown or counted."""
    key = shown_key(previous, lexicon)
    if key is not None:
        return key.table
    counted = [m.table for m in previous.measures if not is_fact(lexicon, m.table)]
    return counted[0] if counted else previous.subject


def antecedent(sketch: Sketch, pointing: str, earlier: Sequence[Meaning], lexicon: Lexicon) -> Meaning:
    """Return the newest answer with the thing named by a pointing word, as in “those orders”; else the newest."""
    words = sketch.lattice.words
    at = next((n for n, word in enumerate(words) if word.text == pointing and word.key in DEMONSTRATIVE), None)
    named = next((str(p.data) for p in sketch.parts("noun") if at is not None and p.start <= at + 1 < p.end), None)
    if at is not None and named is None and (turned := _led_by(sketch, at + 1, earlier[0])):
        return turned
    if named is None or thing(earlier[0], lexicon) == named:
        return earlier[0]
    if earlier[0].measures == (Measure("count", named),) and not earlier[0].fold:
        return _counted(earlier[0], lexicon)
    fits = (meaning for meaning in earlier if thing(meaning, lexicon) == named)
    inside = (among.source for among in earlier[0].among if among.field.table == named)
    return next(chain(inside, fits), earlier[0])


def _counted(shown: Meaning, lexicon: Lexicon) -> Meaning:
    """Return the rows that were counted by group: of the top three only theirs."""
    about = referent(shown, lexicon) if shown.limit and shown.groups else None
    if shown.limit and not isinstance(about, Among):
        return shown
    among = (*shown.among, about) if isinstance(about, Among) else shown.among
    return replace(shown, groups=(), havings=(), order=(), limit=None, within=(), among=among)


def _led_by(sketch: Sketch, at: int, shown: Meaning) -> Meaning | None:
    """Return what was shown with the group said first: “those countries”."""
    fields = {p.data for p in sketch.parts("attribute") if p.start <= at < p.end}
    first = [group for group in shown.groups if group.column and Field(group.table, group.column) in fields]
    return replace(shown, groups=tuple(dict.fromkeys((*first, *shown.groups)))) if first else None


def are_several(about: Among | tuple[Filter, ...], lexicon: Lexicon) -> bool:
    """Whether a list of several was shown, none of them picked."""
    if not isinstance(about, Among) or about.source.limit == 1:
        return False
    if any(not are_several(among, lexicon) for among in about.source.among):
        return False
    names = {about.field, *display(lexicon, about.field.table)}
    return not any(test.operator == "=" and test.field in names for test in about.source.filters)


def of_several(body: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Ask which one “its revenue” means after a list of several."""
    word = pointing_word(body, read)
    about = referent(before, lexicon) if word and word.lower() in OWNERS else None
    if word is None or about is None or not are_several(about, lexicon) or not before.all_measures:
        return None
    return Followed(None, problem=WHICH_ONE.format(noun(lexicon, thing(before, lexicon)), word))


def back_to(what: str, earlier: Sequence[Meaning], read: Sketches) -> Sequence[Meaning]:
    """Return the answers from the newest of the name on: a grouping, a figure, a thing or a time."""
    if FIRST_ANSWER.match(what):
        return earlier[-1:]
    found = best_of(read, what)
    if found is None or found.unread():
        return ()
    units = {group.unit for groups in found.data("group") for group in groups if group.unit}
    named = {(field.table, field.column) for field in found.data("attribute") if isinstance(field, Field)}
    figures = {wanted.measure for wanted in found.wanted}
    limits = {rank.limit for rank in found.data("rank")} - {None}
    for at, meaning in enumerate(earlier[1:], start=1):
        grouped = {group.unit for group in meaning.groups if group.unit and meaning.limit != 1} & units
        columns = {(group.table, group.column) for group in meaning.groups} & named
        if (
            grouped
            or columns
            or figures & set(meaning.all_measures)
            or meaning.limit in limits
            or set(found.meaning.periods) & set(meaning.periods)
        ):
            return earlier[at:]
    return ()


def with_name(meaning: Meaning, lexicon: Lexicon) -> Meaning:
    """Return a figure of one thing picked by its place beside its name; a count keeps its 0."""
    if not meaning.among or not meaning.measures or meaning.groups or meaning.fold or meaning.columns:
        return meaning
    about = meaning.among[-1]
    table = lexicon.table(about.field.table)
    is_key = table.primary_key == (about.field.column,)
    named = display(lexicon, table.name) if is_key else not about.unit and about.field.table == meaning.root
    one = about.source.limit == 1 and not about.source.within
    plain = all(m.column and not (m.per or m.less) and not counts(lexicon, m) for m in meaning.measures)
    group = Group(table.name, None if is_key else about.field.column)
    return replace(meaning, groups=(group,)) if named and one and plain else meaning


def past_person(text: str, earlier: Sequence[Meaning], lexicon: Lexicon) -> Sequence[Meaning]:
    """Go back to the thing before, where “it” follows somebody: “who leads it?”, then “how many installs did it have”."""
    shown = earlier[0]
    if len(earlier) < 2 or not IT.search(text) or shown.all_measures or not shown.columns:
        return earlier
    called = {part for field in shown.columns for part in name_parts(field.column)}
    people = any(is_kind(field.table, "people") for field in shown.columns) or called & PERSONS
    of_thing = not is_kind(thing(earlier[1], lexicon), "people") and thing(earlier[1], lexicon) != thing(shown, lexicon)
    return earlier[1:] if people and of_thing and earlier[1].limit == 1 else earlier
