"""Kinds of rows: nouns with a condition of their own, and rows called by two names."""

from collections.abc import Iterator
from dataclasses import replace

from ai.language.questions import keys
from ai.language.shortened import is_short, shortening
from ai.nl2sql.chart.figures import table_named
from ai.nl2sql.chart.parts import Part, Rank, Wanted
from ai.nl2sql.chart.periods import LATE
from ai.nl2sql.chart.relations import absent_such
from ai.nl2sql.chart.rules import Rule, Run, implied_tables, part_of
from ai.nl2sql.chart.tests import filtered, value_of
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Field, Filter, Group, Having, Measure
from ai.nl2sql.schema import display, end_day
from ai.nl2sql.spans import beginning
from ai.nl2sql.values import STATE_NAMES
from ai.nl2sql.vocabulary import is_kind, single_words_of
from ai.nl2sql.words import name_parts, plural, singular
from ai.sql.catalog import Table

PREFERRED = -0.05  # over the same words as a mere condition
COMPOUND = 0.1
GOING_ON = frozenset({"active", "live", "running", "ongoing"})


def _such(item: Item) -> Filter:
    field, value = value_of(item)
    return Filter(field, "=", (value,))


def kind(run: Run) -> Iterator[Part]:
    """“paying accounts”."""
    such = _such(run.item(0))
    table = such.field.table
    yield Part("noun", run.start, run.end, run.cost + PREFERRED, table, frozenset({table}), such=(such,))


def pending(run: Run) -> Iterator[Part]:
    """“open complaints”, “active couriers”, where only a day tells that they are over: those without it."""
    table = run.lexicon.table(table_named(next(i for i in run.items if isinstance(i, Item) and i.kind == "table")))
    sign = next(item for item in run.items if isinstance(item, Item) and item.kind == "pending")
    said = run.lattice.text(sign.start, sign.end)
    worded = any(item.sense and item.sense.table == table.name for item in run.lattice.at(sign.start, "value"))
    end = end_day(table, sign.value or "finished")
    if end and not worded:
        such = _state_going_on(table, said) or Filter(end, "null")
        yield Part("noun", run.start, run.end, run.cost, table.name, frozenset({table.name}), said=said, such=(such,))


def _state_going_on(table: Table, said: str) -> Filter | None:
    """“open accounts”, where a state is called so; “active campaigns”, where theirs is called “live”."""
    words = {*keys(said)}
    states = [column for column in table.columns if STATE_NAMES & {*name_parts(column.name)}]
    known = [(column, value, {*keys(str(value))}) for column in states for value in column.values or ()]
    called = [(column, value) for column, value, own in known if own and own <= words]
    likely = [(column, value) for column, value, own in known if GOING_ON & words and GOING_ON & own]
    found = called or likely
    return Filter(Field(table.name, found[0][0].name), "=", (found[0][1],)) if len(found) == 1 else None


def unassigned(run: Run) -> Iterator[Part]:
    """“unassigned tickets”: those without a doer."""
    table = run.lexicon.table(table_named(next(i for i in run.items if isinstance(i, Item) and i.kind == "table")))
    if such := _without_doer(table):
        yield Part("noun", run.start, run.end, run.cost, table.name, frozenset({table.name}),
                   said=run.lattice.text(run.start, run.end), such=(such,))  # fmt: skip


def unassigned_such(run: Run) -> Iterator[Part]:
    """“open claims nobody handles”."""
    for name in sorted(run.lattice.named):
        if such := _without_doer(run.lexicon.table(name)):
            yield filtered(run, such, cost=0.1)


def _without_doer(table: Table) -> Filter | None:
    doers = single_words_of("doers")
    keys = {column for key in table.foreign_keys for column in key.columns}

    def names_doer(column: str) -> bool:
        parts = name_parts(column)
        short = column in keys and any(
            is_short(part) and shortening(part, doer) is not None for part in parts for doer in doers
        )
        return short or bool({*doers} & {*parts})

    empty = [column.name for column in table.columns if column.nullable and names_doer(column.name)]
    empty = empty or [
        name
        for key in table.foreign_keys
        for name in key.columns
        if is_kind(key.target_table, "people") and (column := table.column(name)) and column.nullable
    ]
    return Filter(Field(table.name, empty[0]), "null") if len(empty) == 1 else None


def longest_pending(run: Run) -> Iterator[Part]:
    """“longest open ticket”: the one that began first."""
    if run.lattice.words[run.start].key != "longest":
        return
    for table in implied_tables(run):
        end = end_day(table, run.item(1).value or "finished")
        begun = beginning(table)
        if end and begun and begun != end.column:
            rank = Rank(Field(table.name, begun), descending=False, limit=1)
            yield Part("rank", run.start, run.end, run.cost, rank, frozenset({table.name}),
                       said=run.lattice.text(run.start, run.end), such=(Filter(end, "null"),))  # fmt: skip


def per_kind(run: Run) -> Iterator[Part]:
    """“per paying account”."""
    such = _such(run.item(1))
    table = such.field.table
    yield Part("group", run.start, run.end, run.cost, (Group(table),), frozenset({table}),
               said=run.lattice.text(run.start, run.end), such=(such,))  # fmt: skip


def per_value(run: Run) -> Iterator[Part]:
    """“revenue by game”: by the things of the kind called “Games”."""
    if _names_things(run, run.item(1)):
        yield from per_kind(run)


def things_of_value(run: Run) -> Iterator[Part]:
    """“best rated game”: a thing of the kind called “Games”, whose ratings lie in other rows."""
    ranks = (item for start in range(run.start) for item in run.lattice.at(start, "adjective"))
    if any(item.value.startswith("rating") for item in ranks) and _are_things(run, run.item(0)):
        yield from (replace(part, said=run.lattice.text(run.start, run.end)) for part in kind(run))


def _names_things(run: Run, item: Item) -> bool:
    """Whether a value is called by the plural of what was said, and tells of things with a name."""
    such = _such(item)
    said, value = run.lattice.text(item.start, item.end).lower(), str(such.values[0]).lower()
    return bool(display(run.lexicon, such.field.table)) and plural(said) == value != said


def _are_things(run: Run, item: Item) -> bool:
    """Whether a value is the plural of a word: “games”."""
    value = str(_such(item).values[0]).lower()
    said = run.lattice.text(item.start, item.end).lower()
    return _names_things(run, item) or (said == value and plural(singular(value)) == value != singular(value))


def many_of_kind(run: Run) -> Iterator[Part]:
    """“more than 3 open tickets”."""
    such = _such(run.item(-1))
    number = next(item.number for item in run.items if isinstance(item, Item) and item.kind == "number")
    sign = next((i.value for i in run.items if isinstance(i, Item) and i.kind == "compare"), "")
    more = next((i.value or ">=" for i in run.items if isinstance(i, Item) and i.kind == "more"), "=")
    if number is not None:
        count = Measure("count", such.field.table, where=(such,))
        having = Having(count, sign or more, number)  # type: ignore[arg-type]
        yield Part("having", run.start, run.end, run.cost, having, frozenset({such.field.table}),
                   said=run.lattice.text(run.start, run.end))  # fmt: skip


def many_pending(run: Run) -> Iterator[Part]:
    """“more than 3 open tickets”, by a day."""
    for rows in pending(run):
        number = next(item.number for item in run.items if isinstance(item, Item) and item.kind == "number")
        sign = next((i.value for i in run.items if isinstance(i, Item) and i.kind == "compare"), "")
        more = next((i.value or ">=" for i in run.items if isinstance(i, Item) and i.kind == "more"), "")
        if number is not None and (sign or more):
            count = Measure("count", rows.data, where=rows.such)
            having = Having(count, sign or more, number)  # type: ignore[arg-type]
            said = run.lattice.text(run.start, run.end)
            yield replace(rows, kind="having", data=having, such=(), said=said)


def _described(run: Run, first: Item, last: Item) -> tuple[str, tuple[Filter, ...]]:
    """Return the table of the last name and the condition to have one of the first; "" where they may have many."""
    word, table = run.lattice.words[first.end - 1].key, table_named(last)
    path = run.lexicon.links.path(table, table_named(first)) or ()
    if not path or singular(word) != word or any(link.many for link in path):
        return "", ()
    keys_of = [Field(link.source, here) for link in path for here, _ in link.pairs]
    return table, tuple(Filter(key, "not null") for key in keys_of if run.lexicon.column(key).may_miss)


def called_by_two_counted(run: Run) -> Iterator[Part]:
    """“number of meter readings”."""
    table, tests = _described(run, run.item(1), run.item(2))
    if table:
        yield part_of(run, "measure", Wanted(Measure("count", table), filters=tests), COMPOUND, frozenset({table}))


def called_by_two(run: Run) -> Iterator[Part]:
    """“meter readings”, “voucher orders”: those with one."""
    table, tests = _described(run, run.item(0), run.item(1))
    if table:
        yield replace(part_of(run, "noun", table, COMPOUND, frozenset({table})), such=tests)


COUNTED = (Rule("count table ~table", called_by_two_counted),)
ROWS = (Rule("table ~table", called_by_two),)

KINDS = (
    *LATE,
    Rule("term", kind),
    Rule("value", things_of_value, -0.3),
    Rule("pending table", pending),
    Rule("table pending", pending, -0.15),
    Rule("compare number pending table", many_pending, -0.2),
    Rule("number more pending table", many_pending, -0.2),
    Rule("unassigned table", unassigned),
    Rule("table unassigned", unassigned),
    Rule("unassigned", unassigned_such),
    Rule("adjective ~pending", longest_pending),
    Rule("group term", per_kind),
    Rule("group value", per_value),
    Rule("none|not term", absent_such, -0.4),
    Rule("compare number term", many_of_kind),
    Rule("number more term", many_of_kind),
    Rule("have number ~term", many_of_kind, 0.2),
)
