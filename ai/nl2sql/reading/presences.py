"""Presence and absence of related rows: “apps with no reviews last month”, “teams with both iOS and web apps”."""

from dataclasses import replace
from itertools import product

from ai.nl2sql.chart.parts import Part
from ai.nl2sql.definitions import is_term
from ai.nl2sql.meaning import Field, Filter, Having, Measure, Period, Presence
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import display
from ai.nl2sql.spans import is_first_day
from ai.nl2sql.values import truths
from ai.nl2sql.words import keys, singular

HAVING = frozenset("with has have had own owns offer offers sell sells make makes run runs".split())
LEADING = frozenset("a an any the in at from to for on with by of".split())  # before what a deed was done to
ABSENT = frozenset("never without w/o no not".split())


def related(sketch: Sketch) -> None:
    """Take presences and absences; “no revenue last month” means none in that time."""
    target = sketch.target.table if sketch.target else sketch.meaning.subject
    for part in sketch.parts("presence"):
        presence = part.data
        if not isinstance(presence, Presence):
            continue
        if own := _own_opposite(sketch, presence, target):
            sketch.edit(filters=(*sketch.meaning.filters, own))
            continue
        if _names_parent(sketch, part, target):
            sketch.beside.append(presence.table)
            continue
        if presence.table == target and not presence.where:
            sketch.cost += 2.0 if not presence.present else 0.0
            if presence.present:
                continue
        sketch.edit(presences=(*sketch.meaning.presences, presence))
    sketch.beside += [str(part.data) for part in sketch.parts("noun")[1:] if _beside_again(sketch, part, target)]
    _unused(sketch, target)


def _beside_again(sketch: Sketch, part: Part, target: str) -> bool:
    """Whether the end of a list names what its rows belong to: “apps of the European teams with their team”."""
    words = [word.key for word in sketch.lattice.words[max(0, part.start - 2) : part.start]]
    said = [noun for noun in sketch.parts("noun") if noun.data == part.data]
    path = sketch.lexicon.links.path(target, str(part.data)) if target and len(said) > 1 else None
    lists = not sketch.wanted and not sketch.data("rank") and not sketch.flags("count")
    return words == ["with", "their"] and lists and bool(path) and not any(link.many for link in path or ())


def _unused(sketch: Sketch, target: str) -> None:
    """“vouchers never used”: without the only rows that refer to them."""
    if not sketch.flags("unused") or not target:
        return
    links = sketch.lexicon.links.steps.get(target, ())
    using = sorted({link.target for link in links if link.many and link.target != target})
    if len(using) == 1:
        sketch.flag("unused")
        none = Presence(using[0], present=False)
        sketch.edit(presences=(*sketch.meaning.presences, none))


def _names_parent(sketch: Sketch, part: Part, target: str) -> bool:
    """“subjects with site”: a list shows what its rows belong to."""
    said = part.said.lower().split()
    one = len(said) > 1 and said[0] == "with" and singular(said[-1]) == said[-1] and "no" not in said
    path = sketch.lexicon.links.path(target, part.data.table) if target else None
    lists = not sketch.wanted and not sketch.data("rank") and not sketch.data("group")
    lists = lists and not sketch.flags("count") and not sketch.flags("share")
    parent = bool(path) and not any(link.many for link in path or ())
    return one and lists and parent and not part.data.where and bool(display(sketch.lexicon, part.data.table))


def shown_beside(sketch: Sketch) -> None:
    """Show these names beside the rows."""
    if sketch.beside and sketch.meaning.columns and not sketch.meaning.all_measures:
        names = (field for table in sketch.beside for field in display(sketch.lexicon, table))
        sketch.edit(columns=tuple(dict.fromkeys((*sketch.meaning.columns, *names))), distinct=False)


def _own_opposite(sketch: Sketch, presence: Presence, target: str) -> Filter | None:
    """“billed by plan, no voids”: conditions against the rows themselves."""
    tables = {wanted.measure.table for wanted in sketch.wanted} or {target}
    if (
        presence.present
        or presence.table not in tables
        or len(presence.where) != 1
        or (sketch.target and sketch.target.column)
    ):
        return None
    test = presence.where[0]
    return replace(test, operator="!=") if isinstance(test, Filter) and test.operator == "=" else None


def opposites(sketch: Sketch) -> None:
    """Say “not active” as inactive; where one has many rows, “not” may mean none of them and is left to be asked."""
    lexicon, root = sketch.lexicon, sketch.meaning.root

    def said(test: Filter) -> Filter:
        if test.operator != "!=" or is_term(test.field) or many_between(lexicon, root, test.field.table):
            return test
        other = [value for value, _ in truths(lexicon.column(test.field)) if value != test.values[0]]
        return replace(test, operator="=", values=tuple(other)) if len(other) == 1 else test

    settled = tuple(map(said, sketch.meaning.filters))
    if settled != sketch.meaning.filters:
        sketch.edit(filters=settled)
    for part in sketch.parts("filter"):
        negated = [test for test in part.data if test.operator == "!=" and test in sketch.meaning.filters]
        if (
            negated
            and _is_said_of(sketch, part, table := negated[0].field.table)
            and many_between(lexicon, root, table)
        ):
            _some_such(sketch, table)


def _is_said_of(sketch: Sketch, part: Part, table: str) -> bool:
    """Whether a condition stands beside the rows it is about: “unpaid invoices”, “invoices that are not paid”."""
    return "not" in keys(part.said) and any(
        str(thing.data) == table and (thing.start == part.end or 0 <= part.start - thing.end <= 2)
        for thing in sketch.parts("noun")
    )


def _some_such(sketch: Sketch, table: str) -> None:
    """“customers with unpaid invoices”: with some such invoice, whatever the others are."""
    meaning = sketch.meaning
    tests: tuple[Filter | Period, ...] = (*meaning.filters, *meaning.periods)
    such = Presence(table, present=True, where=tuple(test for test in tests if test.field.table == table))
    sketch.edit(
        filters=tuple(test for test in meaning.filters if test.field.table != table),
        periods=tuple(test for test in meaning.periods if test.field.table != table),
        presences=(*(each for each in meaning.presences if each != Presence(table, present=True)), such),
    )


def never_done(sketch: Sketch) -> None:
    """“dishes never ordered”, “dishes without any allergen”: none of the rows that each may have many of."""
    named = {str(part.data) for part in sketch.parts("noun")}
    for part in sketch.parts("filter"):
        test = part.data[0] if len(part.data) == 1 else None
        absent = isinstance(test, Filter) and test.operator == "null" and part.said.split()[0].lower() in ABSENT
        if not absent or test not in sketch.meaning.filters or is_term(test.field) or test.field.table in named:
            continue
        if many_between(sketch.lexicon, sketch.meaning.root, test.field.table):
            where = () if _has_each(sketch, test.field) else (Filter(test.field, "not null"),)
            none = Presence(test.field.table, present=False, where=where)
            filters = tuple(each for each in sketch.meaning.filters if each != test)
            sketch.edit(filters=filters, presences=(*sketch.meaning.presences, none))


def _has_each(sketch: Sketch, field: Field) -> bool:
    """Whether each row has this: a part of its key, or the day with which it begins."""
    table = sketch.lexicon.table(field.table)
    return field.column in table.primary_key or is_first_day(table, field.column)


def within_absence(sketch: Sketch) -> None:
    """Move conditions on an absent table into its absence: “apps with no reviews last month”."""
    _of_two_times(sketch)
    _of_the_absent(sketch)
    meaning = sketch.meaning
    shown = {f.table for f in meaning.columns} | {m.table for m in meaning.all_measures} | {meaning.subject}
    presences = []
    filters, periods = list(meaning.filters), list(meaning.periods)
    for presence in meaning.presences:
        if _is_dated(presence):
            presences.append(presence)
            continue
        if presence.table in shown:
            if none := _own_absence(sketch, presence):
                sketch.edit(filters=(*sketch.meaning.filters, none))
            elif presence.where and not _absent_values(sketch, presence):
                sketch.doubt("I cannot tell what is absent here.")
            elif not presence.where:
                presences.append(presence)
            filters, periods = list(sketch.meaning.filters), list(sketch.meaning.periods)
            continue
        own = [f for f in filters if f.field.table == presence.table and not presence.present]
        apart = [f for f in own if f.operator == "=" and any(f.field == test.field for test in presence.where)]
        presences += [Presence(presence.table, present=True, where=(f,)) for f in apart]
        filters = [f for f in filters if f not in apart]
        own = [f for f in own if f not in apart]
        time = [p for p in meaning.periods if p.field.table == presence.table and (p in periods or presence.present)]
        filters = [f for f in filters if f not in own]
        periods = [p for p in periods if p not in time]
        presences.append(replace(presence, where=(*presence.where, *own, *time)))
    sketch.edit(filters=tuple(filters), periods=tuple(periods), presences=tuple(presences))


def _is_dated(presence: Presence) -> bool:
    return any(isinstance(test, Period) for test in presence.where)


def _of_two_times(sketch: Sketch) -> None:
    """“ordered in 2025 but not in 2026”: other conditions on the orders hold at both times."""
    presences = sketch.meaning.presences
    tables = {presence.table for presence in presences if _is_dated(presence)}
    own = tuple(test for test in sketch.meaning.filters if test.field.table in tables)
    if own:
        held = tuple(replace(each, where=(*each.where, *own)) if _is_dated(each) else each for each in presences)
        rest = tuple(test for test in sketch.meaning.filters if test not in own)
        sketch.edit(filters=rest, presences=held)


def _of_the_absent(sketch: Sketch) -> None:
    """“members who never visited Lisbon”: the words right behind name the place of the visits."""
    target = sketch.target.table if sketch.target else sketch.meaning.subject
    for part, told in product(sketch.parts("presence"), sketch.parts("filter")):
        between = {word.key for word in sketch.lattice.words[part.end : told.start]}
        near = 0 <= told.start - part.end <= 2 and between <= LEADING and len(told.data) == 1
        absence, test = part.data, told.data[0]
        if absence.present or not near or test not in sketch.meaning.filters or absence not in sketch.meaning.presences:
            continue
        path = sketch.lexicon.links.path(absence.table, test.field.table)
        if not path or any(link.many for link in path) or target in {link.target for link in path}:
            continue
        such = replace(absence, where=(*absence.where, test))
        rest = tuple(each for each in sketch.meaning.presences if each != absence)
        filters = tuple(each for each in sketch.meaning.filters if each != test)
        sketch.edit(presences=(*rest, such), filters=filters)


def only_such(sketch: Sketch) -> None:
    """“teams with only free apps”: with such a one, and with no other."""
    for flag in sketch.flags("only"):
        part = next((part for part in sketch.parts("filter") if part.start == flag.end), None)
        test = part.data[0] if part and len(part.data) == 1 else None
        before = sketch.lattice.words[flag.start - 1].key if flag.start else ""
        things = [str(noun.data) for noun in sketch.parts("noun") if noun.start == flag.end]
        if before in HAVING and any(many_between(sketch.lexicon, sketch.meaning.root, thing) for thing in things):
            sketch.doubt("I cannot tell what “only” leaves out here.")
        if not isinstance(test, Filter) or before not in HAVING or test not in sketch.meaning.filters:
            continue
        if not many_between(sketch.lexicon, sketch.meaning.root, test.field.table):
            continue
        if test.operator != "=" or is_term(test.field):
            sketch.doubt("I cannot tell what “only” leaves out here.")
            continue
        other = Presence(test.field.table, present=False, where=(replace(test, operator="!="),))
        filters = tuple(each for each in sketch.meaning.filters if each != test)
        such = Presence(test.field.table, present=True, where=(test,))
        sketch.edit(filters=filters, presences=(*sketch.meaning.presences, such, other))


def _own_absence(sketch: Sketch, presence: Presence) -> Filter | None:
    """“apps without a price”: a figure of the rows themselves."""
    rows = sketch.target is not None and (sketch.target.table, sketch.target.column) == (presence.table, None)
    test = presence.where[0] if rows and len(presence.where) == 1 and not presence.present else None
    if not isinstance(test, Filter) or (test.operator, test.values) != (">", (0,)):
        return None
    unknown = sketch.lexicon.column(test.field).nullable
    return Filter(test.field, "null") if unknown else Filter(test.field, "=", (0,))


def _absent_values(sketch: Sketch, presence: Presence) -> bool:
    """“countries without revenue last month”: values of a column without any such row."""
    meaning, target = sketch.meaning, sketch.target
    if target is None or target.column is None or presence.present:
        return False
    time = tuple(p for p in meaning.periods if p.field.table == presence.table)
    own = tuple(f for f in meaning.filters if f.field.table != target.table or presence.table == target.table)
    none = Having(Measure("count", presence.table, where=(*presence.where, *own, *time)), "=", 0)
    periods = tuple(p for p in meaning.periods if p not in time)
    filters = tuple(f for f in meaning.filters if f not in own)
    sketch.edit(
        groups=(target,), havings=(*meaning.havings, none), periods=periods, filters=filters, columns=(), distinct=False
    )
    return True
