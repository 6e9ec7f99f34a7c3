"""Counts beside a number: “more than 3 reviews”."""

from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.chart.figures import table_named
from ai.nl2sql.chart.parts import Part, Wanted
from ai.nl2sql.chart.rules import Rule, Run, part_of
from ai.nl2sql.chart.tests import value_of
from ai.nl2sql.deeds import day_of_all, states_of
from ai.nl2sql.definitions import is_term
from ai.nl2sql.lattice import Item
from ai.nl2sql.lexicon import PARTIAL
from ai.nl2sql.meaning import Filter, Having, Measure, Operator
from ai.nl2sql.words import name_parts, singular, stem

JOINED = 0.5  # “apps and their prices” are no two figures


def many(run: Run) -> Iterator[Part]:
    """“more than 3 reviews”, “at least one review”, “2 or more teams”."""
    number = next(item.number for item in run.items if isinstance(item, Item) and item.kind == "number")
    sign = next((i.value for i in run.items if isinstance(i, Item) and i.kind == "compare"), "")
    more = next((i.value or ">=" for i in run.items if isinstance(i, Item) and i.kind == "more"), "")
    table = table_named(run.item(-1))
    if number is None or not (sign or more):
        return
    operator: Operator = sign or more  # type: ignore[assignment]
    having = Having(Measure("count", table), operator, number)
    yield Part(
        "having", run.start, run.end, run.cost, having, frozenset({table}), said=run.lattice.text(run.start, run.end)
    )


def many_such(run: Run) -> Iterator[Part]:
    """“more than 5 active apps”: rows with the value."""
    field, value = value_of(run.item(-2))
    if field.table == table_named(run.item(-1)):
        for part in many(run):
            counted = replace(part.data.measure, where=(Filter(field, "=", (value,)),))
            yield replace(part, data=replace(part.data, measure=counted))


def many_called(run: Run) -> Iterator[Part]:
    """“more than 8 hotfixes”."""
    sense, word = run.item(-1).sense, run.lattice.words[run.end - 1].key
    if sense is None or sense.value is None or is_term(sense.field) or singular(word) == word:
        return
    if str(sense.value).lower().split()[-1:] == [word] or run.lattice.at(run.end, "table"):
        return
    number = next(item.number for item in run.items if isinstance(item, Item) and item.kind == "number")
    sign = next((i.value for i in run.items if isinstance(i, Item) and i.kind == "compare"), "")
    more = next((i.value or ">=" for i in run.items if isinstance(i, Item) and i.kind == "more"), "")
    if number is not None and (sign or more):
        counted = Measure("count", sense.table, where=(Filter(sense.field, "=", (sense.value,)),))
        having = Having(counted, sign or more, number)  # type: ignore[arg-type]
        yield Part("having", run.start, run.end, run.cost, having, frozenset({sense.table}),
                   said=run.lattice.text(run.start, run.end))  # fmt: skip


def exactly_many(run: Run) -> Iterator[Part]:
    """“clients with 2 pets”."""
    number, table = run.item(1).number, table_named(run.item(2))
    if number is not None:
        having = Having(Measure("count", table), "=", number)
        said = run.lattice.text(run.start, run.end)
        yield Part("having", run.start, run.end, run.cost, having, frozenset({table}), said=said)


def figure_compared(run: Run) -> Iterator[Part]:
    """“average rating above 4”, “more than 1000 installs”: settled as rows or groups later."""
    part = next(item for item in run.items if isinstance(item, Part))
    number = next(item.number for item in run.items if isinstance(item, Item) and item.kind == "number")
    sign = next((i.value for i in run.items if isinstance(i, Item) and i.kind == "compare"), "=")
    if not isinstance(part.data, Wanted) or number is None or part.data.mean:
        return
    if part.said.lower().startswith("how ") or (
        part.data.measure.function == "count" and "number" not in part.said.lower()
    ):
        return
    having = Having(part.data.figure, sign, number)  # type: ignore[arg-type]
    yield Part(
        "having", run.start, run.end, run.cost + 0.05, having, part.tables, said=run.lattice.text(run.start, run.end)
    )


def bare_compared(run: Run) -> Iterator[Part]:
    """“above 1000”: of the figure at hand; its table is ""."""
    number = run.item(1).number
    if number is not None:
        having = Having(Measure("count", ""), run.item(0).value, number)  # type: ignore[arg-type]
        yield Part("having", run.start, run.end, run.cost, having, said=run.lattice.text(run.start, run.end))


def rate(run: Run) -> Iterator[Part]:
    """“cancellation rate”: how many of all rows are in that state."""
    words = [word.key for word in run.lattice.words[run.start : run.start + 2]]
    if words[1:] not in (["rate"], ["rates"]):
        return
    named = (item for item in run.lattice.items.get(run.start, ()) if item.sense and item.end == run.start + 2)
    if any(item.cost < PARTIAL for item in named) or run.lexicon.defines(tuple(words)):
        return
    for table, tests, cost in states_of(words[0], run.lexicon):
        if stem(name_parts(table)[-1]) == stem(words[0]):
            continue  # all returns are returned
        share = Measure("count", table, where=tests, per=Measure("count", table))
        wanted = Wanted(share, day=day_of_all(words[0], table, run.lexicon))
        said = run.lattice.text(run.start, run.start + 2)
        yield Part("measure", run.start, run.start + 2, cost, wanted, frozenset({table}), said=said)


def counted_beside(run: Run) -> Iterator[Part]:
    """“reviews and average rating”: rows beside another figure are counted."""
    words, last = run.lattice.words, run.lattice.words[run.end - 1].key
    beside = {words[at].key for at in (run.start - 1, run.end) if 0 <= at < len(words)}
    if "and" in beside and singular(last) != last:
        table = table_named(run.item(0))
        yield part_of(run, "measure", Wanted(Measure("count", table)), JOINED, frozenset({table}))


RATES = (Rule("literal|anything|value|column|table", rate), Rule("table", counted_beside))
COMPARED = (
    Rule("compare number table", many),
    Rule("compare number value table", many_such, -0.3),
    Rule("number more value table", many_such, -0.3),
    Rule("compare number value", many_called),
    Rule("number more value", many_called),
    Rule("have number ~table", exactly_many, 0.2),
    Rule("number more table", many),
    Rule("measure compare number", figure_compared),
    Rule("compare number measure", figure_compared, 0.1),
    Rule("compare number", bare_compared, 0.2),
)
