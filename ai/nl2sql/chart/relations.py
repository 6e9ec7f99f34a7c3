"""Conditions beyond a value: days, empty columns, presence of related rows, compared figures."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.chart.figures import field_of, table_named
from ai.nl2sql.chart.parts import Part
from ai.nl2sql.chart.rules import Rule, Run, implied_tables
from ai.nl2sql.chart.tests import filtered, value_of
from ai.nl2sql.deeds import doer_of, is_deed, rows_made
from ai.nl2sql.definitions import counts_rows, is_metric, is_term
from ai.nl2sql.guesses import is_spelt_alike
from ai.nl2sql.lattice import Item
from ai.nl2sql.lexicon import PARTIAL, Lexicon
from ai.nl2sql.meaning import Field, Filter, Presence
from ai.nl2sql.schema import averaged, is_numeric
from ai.nl2sql.values import truths
from ai.nl2sql.wording import is_state
from ai.nl2sql.words import is_participle, name_parts, singular, stem, stems
from ai.sql.catalog import Column

NUMBERING = frozenset({"no", "nr", "number", "id", "code"})


STATED = 0.6
HALF = 1.0  # what it costs to take a part of a column's name for the whole
NAMED = 0.1  # what the whole name of a column costs, without its unit
NO_RECORD = -0.3  # “recorded” says more than “no temperature” alone
DAY_WORDS = frozenset({"time", "times", "date", "dates", "day"})
NO = frozenset({"no", "none", "n/a", "nein"})
LACKING = frozenset("no without any w/o lacking lack ohne missing zero have recorded".split())  # a thing, no deed
FILLING = frozenset("been ever yet actually once really even got".split())  # before a deed
OBJECTS = frozenset("anything anybody anyone any nothing once yet ever at all so far a an the".split())  # behind one
NOTHING = frozenset({"nothing", "nobody", "none"})
NOBODY = frozenset({"nobody", "one"})


def _tells_whom(run: Run, key: Column, said: str) -> bool:
    """Whether a key may be empty and says to whom or by whom it was done: “escalated tickets”, by `escalated_to_id`."""
    parts, ends = name_parts(key.name), [word.key for word in run.lattice.words[run.end - 1 : run.end + 1]]
    whom = parts[1:2] in (("to",), ("by",)) and stem(parts[0]) == stem(said) and is_participle(said)
    return whom and key.nullable and parts[-1] in ("id", *parts[:2]) and not {"to", "by"} & {*ends}


def participle(run: Run) -> Iterator[Part]:
    """“retired apps”: the rows with the day of the verb, where some rows have none."""
    column = run.item(1)
    field = field_of(column)
    said = run.lattice.words[column.start].key
    kept = run.lexicon.column(field) if not is_metric(field) else None
    if kept and kept.kind == "text" and said.endswith("ed") and _says_all(kept, field.table, said):
        yield filtered(run, Filter(field, "null" if run.items[0] else "not null"), cost=-0.2)
        return
    if kept and _tells_whom(run, kept, said):
        yield filtered(run, Filter(field, "null" if run.items[0] else "not null"), cost=-0.1)
        return
    if kept is None or kept.kind not in ("date", "datetime") or not is_participle(said):
        return
    if f"{said}ed" in name_parts(field.column) or "last" in name_parts(field.column):
        return  # “open” rows are those not closed, not those that were opened
    before = run.lattice.words[run.start - 1].key if run.start else ""
    alone = column.end == column.start + 1 or before not in ("their", "its", "with")  # “their left date” is shown
    named = any(word.key in DAY_WORDS for word in run.lattice.words[run.end : run.end + 1])  # “scheduled time” is shown
    if kept.nullable and alone and not named and not _ranked_next(run):
        defined = any(is_term(sense.field) for sense in run.lexicon.values.get((said,), ()))
        stated = any(
            sense.table == field.table and (said not in name_parts(field.column) or is_state(sense))
            for sense in run.lexicon.values.get((said,), ())
        )  # a state called “ended” goes before the planned end, “paid” before the day of a payment
        cost = STATED if stated else 0.4 * defined
        yield filtered(run, Filter(field, "null" if run.items[0] else "not null"), cost=cost)


def _ranked_next(run: Run) -> bool:
    """Whether a rank follows: “paid the most”."""
    after = run.end + (run.end < len(run.lattice.words) and run.lattice.words[run.end].key == "the")
    return bool(run.lattice.at(after, "most"))


def _says_all(column: Column, table: str, said: str) -> bool:
    """“chipped” says all of `chip_no`, “invoiced” nothing of invoices."""
    parts = [part for part in name_parts(column.name) if part not in NUMBERING]
    return (
        column.nullable
        and stem(said) not in stems(name_parts(table))
        and stems(parts) == (stem(said),)
        and said not in parts
    )


def _defined_otherwise(run: Run, said: str) -> float:
    """The cost of a column named like a defined kind of row: “deactivated”."""
    return 0.4 * any(is_term(sense.field) for sense in run.lexicon.values.get((said,), ()))


def empty(run: Run) -> Iterator[Part]:
    """“without an email”, “that have no price”."""
    field, note = field_of(run.item(1)), run.item(1).note
    if is_metric(field) or (note and not is_spelt_alike(note)):
        return  # “never updated” says nothing of activity
    column = run.lexicon.column(field)
    said = [value for value in column.values if value.lower() in NO]
    if untrue := [value for value, truth in truths(column) if not truth] or said:
        yield filtered(run, Filter(field, "=", (untrue[0],)), cost=0.1)
    elif (numeric := is_numeric(run.lexicon, field)) and not _is_own_score(run, field):
        return
    elif column.nullable:
        last = run.lattice.words[run.end - 1].key
        yield filtered(run, Filter(field, "null"), cost=0.1 + _defined_otherwise(run, last))
    elif numeric:
        yield filtered(run, Filter(field, "=", (0,)), cost=0.1)


def _is_own_score(run: Run, field: Field) -> bool:
    """Whether a number that does not add up is one of the things named: their score, not those in their reviews."""
    return averaged(field) and field.table in run.lattice.named


def unrecorded(run: Run) -> Iterator[Part]:
    """“no temperature recorded”, “without a diet on file”."""
    column = next(item for item in run.items if isinstance(item, Item) and item.kind == "column")
    field = field_of(column)
    if not is_metric(field) and run.lexicon.column(field).nullable and (not column.note or is_spelt_alike(column.note)):
        yield filtered(run, Filter(field, "null"), cost=NO_RECORD - min(column.cost, HALF))


def had(run: Run) -> Iterator[Part]:
    """“with a battery”, “with a coupon”: the rows with one, where some have none."""
    item, field = run.item(1), field_of(run.item(1))
    words = [word.key for word in run.lattice.words[run.item(0).end - 1 : item.start]]
    one = bool({"a", "an", "any"} & {*words})
    if is_metric(field) or not one or item.cost > NAMED:
        return
    column = run.lexicon.column(field)
    if item.end > item.start + 1 and column.kind != "text":
        return  # “with a unit price” shows it
    if column.nullable and (is_numeric(run.lexicon, field) or column.kind == "text"):
        yield filtered(run, Filter(field, "not null"), cost=-0.15)


def absent(run: Run) -> Iterator[Part]:
    """“without reviews”, “have no team”."""
    table = table_named(run.item(-1))
    if {"and", "or"} & {word.key for word in run.lattice.words[run.start : run.end]}:
        return  # “ticket no and contractor”
    yield Part("presence", run.start, run.end, run.cost, Presence(table, present=False), frozenset({table}))


def absent_such(run: Run) -> Iterator[Part]:
    """“no hotfixes”: no related row with the value."""
    field, value = value_of(run.item(1))
    there = Presence(field.table, present=False, where=(Filter(field, "=", (value,)),))
    yield Part("presence", run.start, run.end, run.cost + 0.2, there, frozenset({field.table}))


def absent_figure(run: Run) -> Iterator[Part]:
    """“no revenue”: no related row with any of it."""
    item = run.item(1)
    field = summed(run.lexicon, field_of(item))
    metric = run.lexicon.metrics.get(field)
    if metric and counts_rows(metric) and not metric.condition:
        absent = Presence(field.table, present=False)
        yield Part("presence", run.start, run.end, run.cost, absent, frozenset({field.table}))
    if not is_metric(field) and is_numeric(run.lexicon, field) and not _is_own_score(run, field):
        there = Presence(field.table, present=False, where=(Filter(field, ">", (0,)),))
        half = item.sense is not None and item.sense.cost >= PARTIAL  # “not paid” of `paid_amount`
        yield Part("presence", run.start, run.end, run.cost + HALF * half, there, frozenset({field.table}))


def summed(lexicon: Lexicon, field: Field) -> Field:
    """The column of a plain sum."""
    metric = lexicon.metrics.get(field)
    found = (
        re.fullmatch(r"SUM\((\w+)\)", metric.expression.replace(" ", ""), re.IGNORECASE)
        if metric and not metric.condition
        else None
    )
    column = lexicon.table(field.table).column(found[1]) if found else None
    return Field(field.table, column.name) if column else field


def present(run: Run) -> Iterator[Part]:
    """“with reviews”, “that have releases”."""
    table = table_named(run.item(1))
    words = [word.key for word in run.lattice.words[run.start : run.end]]
    if {"their", "its"} & set(words) or (words[:2] == ["with", "the"] and singular(words[-1]) == words[-1]):
        return  # shown beside the rows: “with the driver”
    yield Part("presence", run.start, run.end, run.cost + 0.1, Presence(table, present=True), frozenset({table}),
               said=run.lattice.text(run.start, run.end))  # fmt: skip


def undone(run: Run) -> Iterator[Part]:
    """“films that were never shown”, “donors who never gave anything”: without a row of the deed."""
    words, at = [word.key for word in run.lattice.words], run.end
    if words[run.end - 1] in LACKING:
        return
    while at < len(words) and words[at] in FILLING:
        at += 1
    if at < len(words) and is_deed(words[at]):
        yield from _without_deed(run, at, run.start, at + 1)
        yield from _done_by_nobody(run, at)


def nothing_done(run: Run) -> Iterator[Part]:
    """“projects spending nothing”: the deed stands before."""
    words = run.lattice.words
    if run.start and words[run.start].key in NOTHING and is_deed(words[run.start - 1].key):
        yield from _without_deed(run, run.start - 1, run.start - 1, run.end)


def _without_deed(run: Run, at: int, start: int, end: int) -> Iterator[Part]:
    words, lexicon = [word.key for word in run.lattice.words], run.lexicon
    while end < len(words) and words[end] in OBJECTS:
        end += 1
    things = [item for item in run.lattice.at(end, "table") if item.cost < PARTIAL]
    done_to = {table_named(item): item.end for item in things}
    tables = [lexicon.tables[name] for name in sorted(lexicon.tables) if _is_below(run, name)]
    made = list(rows_made(words[at], tables, lexicon)) or [(name, (), 0.0) for name in done_to]
    for table, where, cost in made:
        over = [stop for name, stop in done_to.items() if _has_many(lexicon, name, table)]
        if done_to and not over:
            continue
        there = Presence(table, present=False, where=where or _in_state(run, words[at], table))
        last = max(over, default=end)
        said = run.lattice.text(start, last)
        yield Part("presence", start, last, run.cost + cost, there, frozenset({table}), said=said)


def _in_state(run: Run, said: str, table: str) -> tuple[Filter, ...]:
    """Return the condition of a state called so: “not passed a check”."""
    states = (sense for sense in run.lexicon.values.get((said,), ()) if sense.table == table and is_state(sense))
    return tuple(Filter(s.field, "=", (s.value,)) for s in states if s.value is not None)[:1]


def _done_by_nobody(run: Run, at: int) -> Iterator[Part]:
    """“leads nobody owns”: without the one who does it."""
    nobody = NOBODY & {word.key for word in run.lattice.words[run.start : run.end]}
    for table in implied_tables(run) if nobody else ():
        if doer := doer_of(run.lattice.words[at].key, table):
            part = filtered(run, Filter(Field(table.name, doer), "null"), cost=0.1)
            yield replace(part, end=at + 1)


def _is_below(run: Run, table: str) -> bool:
    """Whether one of the things named may have many rows of a table."""
    return any(name != table and _has_many(run.lexicon, name, table) for name in run.lattice.named)


def _has_many(lexicon: Lexicon, one: str, table: str) -> bool:
    path = lexicon.links.path(one, table)
    return path is not None and all(link.many for link in path)


RELATED = (
    Rule("not? column", participle),
    Rule("none column", empty),
    Rule("none column recorded", unrecorded),
    Rule("none recorded column", unrecorded),
    Rule("column not recorded", unrecorded),
    Rule("have column", had),
    Rule("none table", absent),
    Rule("not table", absent, 0.2),
    Rule("none value", absent_such),
    Rule("none column", absent_figure),
    Rule("have table", present),
    Rule("none", undone),
    Rule("none", nothing_done),
)
