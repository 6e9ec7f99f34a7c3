"""Kinds of rows in the semantics file: nouns with a condition of their own."""

from collections.abc import Iterator

from ai.language.spans import Span
from ai.nl2sql.chart.figures import table_named
from ai.nl2sql.chart.parts import Part, When
from ai.nl2sql.chart.relations import absent_such
from ai.nl2sql.chart.rules import Rule, Run, implied_tables
from ai.nl2sql.chart.tests import value_of
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Field, Filter, Group, Having, Measure
from ai.nl2sql.schema import end_day
from ai.nl2sql.spans import dates
from ai.nl2sql.vocabulary import single_words_of
from ai.nl2sql.words import name_parts

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
    """“open complaints”, where only a day tells that they are closed: those without it."""
    table = run.lexicon.table(table_named(next(i for i in run.items if isinstance(i, Item) and i.kind == "table")))
    sign = next(item for item in run.items if isinstance(item, Item) and item.kind == "pending")
    said = run.lattice.text(sign.start, sign.end)
    worded = any(item.sense and item.sense.table == table.name for item in run.lattice.at(sign.start, "value"))
    end = end_day(table, "finished")
    if end and not worded:
        such = Filter(end, "null")
        yield Part("noun", run.start, run.end, run.cost, table.name, frozenset({table.name}), said=said, such=(such,))


def late(run: Run) -> Iterator[Part]:
    """“overdue invoices”: due before today and not yet paid; “expired” says that an end has passed."""
    sign = run.item(0)
    if run.lexicon.defines((run.lattice.words[sign.start].key,)):
        return
    for table in implied_tables(run):
        due = [column for column in dates(table) if set(single_words_of(sign.value)) & set(name_parts(column.name))]
        done = end_day(table, "fulfilled")
        if len(due) == 1 and (done or sign.value == "expiry"):
            such = (Filter(done, "null"),) if done and sign.value == "due" else ()
            when = When(Span(None, None), Field(table.name, due[0].name), age=(">", 0, "day"))
            yield Part("period", run.start, run.end, run.cost, when, frozenset({table.name}),
                       said=run.lattice.text(run.start, run.end), such=such)  # fmt: skip


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


KINDS = (
    Rule("term", kind),
    Rule("pending table", pending),
    Rule("table pending", pending),
    Rule("late", late),
    Rule("group term", per_kind),
    Rule("none|not term", absent_such, -0.4),
    Rule("compare number term", many_of_kind),
    Rule("number more term", many_of_kind),
    Rule("have number ~term", many_of_kind, 0.2),
)
