"""Kinds of rows in the semantics file: nouns with a condition of their own."""

from collections.abc import Iterator
from dataclasses import replace

from ai.language.shortened import is_short, shortening
from ai.language.spans import Span
from ai.nl2sql.chart.figures import table_named
from ai.nl2sql.chart.parts import Part, Rank, When
from ai.nl2sql.chart.relations import absent_such
from ai.nl2sql.chart.rules import Rule, Run, implied_tables
from ai.nl2sql.chart.tests import filtered, value_of
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Field, Filter, Group, Having, Measure
from ai.nl2sql.schema import end_day
from ai.nl2sql.spans import DATED, beginning, dates
from ai.nl2sql.vocabulary import single_words_of
from ai.nl2sql.words import name_parts
from ai.sql.catalog import Column, Table

TIMED = ("date", "datetime", "text")
PREFERRED = -0.05  # over the same words as a mere condition


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
        such = Filter(end, "null")
        yield Part("noun", run.start, run.end, run.cost, table.name, frozenset({table.name}), said=said, such=(such,))


def late(run: Run) -> Iterator[Part]:
    """“overdue invoices”: due before today and not yet paid; “expired” says that an end has passed."""
    sign = run.item(0)
    worded = any(item.end == sign.end for item in run.lattice.at(sign.start, "value"))
    if worded or run.lexicon.defines((run.lattice.words[sign.start].key,)):
        return
    if sign.value == "behind":
        yield from _behind(run)
        return
    for table in implied_tables(run):
        due = [column for column in dates(table) if set(single_words_of(sign.value)) & set(name_parts(column.name))]
        done = end_day(table, "fulfilled")
        if len(due) == 1 and (done or sign.value == "expiry"):
            such = (Filter(done, "null"),) if done and sign.value == "due" else ()
            when = When(Span(None, None), Field(table.name, due[0].name), age=(">", 0, "day"))
            yield Part("period", run.start, run.end, run.cost, when, frozenset({table.name}),
                       said=run.lattice.text(run.start, run.end), such=such)  # fmt: skip


def _behind(run: Run) -> Iterator[Part]:
    """“late deliveries”: done after the planned time."""
    due, done = set(single_words_of("due")), set(single_words_of("fulfilled"))
    done = {word.key for word in run.lattice.words[run.start : run.end]} & done or done  # “delivered late”
    for table in implied_tables(run):
        timed = [column for column in table.columns if column.kind in TIMED]
        planned = [column for column in timed if set(name_parts(column.name)) & due]
        real = [column for column in timed if set(name_parts(column.name)) & done and column not in planned]
        if len(planned) == len(real) == 1 and (planned[0].kind == real[0].kind or _are_days(planned[0], real[0])):
            test = Filter(Field(table.name, real[0].name), ">", other=Field(table.name, planned[0].name))
            yield filtered(run, test)


def _are_days(*columns: Column) -> bool:
    """Whether columns are days or moments, in the usual form."""
    return all(column.kind in DATED and not (column.is_compact or column.is_epoch) for column in columns)


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


KINDS = (
    Rule("term", kind),
    Rule("pending table", pending),
    Rule("table pending", pending),
    Rule("compare number pending table", many_pending, -0.2),
    Rule("number more pending table", many_pending, -0.2),
    Rule("late", late),
    Rule("unassigned table", unassigned),
    Rule("table unassigned", unassigned),
    Rule("unassigned", unassigned_such),
    Rule("adjective ~pending", longest_pending),
    Rule("group term", per_kind),
    Rule("none|not term", absent_such, -0.4),
    Rule("compare number term", many_of_kind),
    Rule("number more term", many_of_kind),
    Rule("have number ~term", many_of_kind, 0.2),
)
