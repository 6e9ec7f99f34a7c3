"""Figures: counts, aggregates of columns, metrics, and one figure over another."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.chart.parts import Part, Wanted, figured
from ai.nl2sql.chart.rules import Rule, Run, part_of
from ai.nl2sql.deeds import rows_counted
from ai.nl2sql.definitions import is_metric, is_term
from ai.nl2sql.lattice import Item
from ai.nl2sql.lexicon import ADJECTIVE, PARTIAL, Lexicon, Sense
from ai.nl2sql.meaning import Field, Filter, Measure
from ai.nl2sql.schema import averaged, display, is_key, is_numeric
from ai.nl2sql.totals import frequency
from ai.nl2sql.values import truths
from ai.nl2sql.vocabulary import JOINING
from ai.nl2sql.words import name_parts, singular
from ai.sql.catalog import Column

NO_SUM = re.compile(
    r"/\s*\(*\s*(?:NULLIF|SUM|COUNT|AVG|TOTAL|CAST|COALESCE)\b|\b(?:AVG|DISTINCT|MIN|MAX|MEDIAN)\b", re.IGNORECASE
)
APART = frozenset({"and", "by"})  # what stands behind them is not what is counted
GIVEN = frozenset({"rating", "score", "grade", "vote", "mark"})  # counted one by one


def total_of(field: Field) -> Measure:
    """Return the figure of a column of numbers said alone."""
    if is_metric(field):
        return Measure("metric", field.table, field.column)
    return Measure("avg" if averaged(field) else "sum", field.table, field.column)


def field_of(item: Item) -> Field:
    if item.sense is None:
        raise TypeError("no column")
    return item.sense.field


def table_named(item: Item) -> str:
    if item.sense is None:
        raise TypeError("no table")
    return item.sense.table


def additive(lexicon: Lexicon, measure: Measure) -> bool:
    """Whether totals of parts add up to the total: sums and counts do, averages and ratios do not."""
    if measure.per:
        return False
    if measure.function == "metric":
        return not NO_SUM.search(lexicon.metrics[Field(measure.table, measure.column or "")].expression)
    return measure.function == "sum" or (measure.function == "count" and measure.column is None)


def made(run: Run, wanted: Wanted, *, cost: float = 0.0) -> Part:
    tables = frozenset({wanted.measure.table, *(f.field.table for f in wanted.filters)})
    return part_of(run, "measure", wanted, cost, tables)


def counted_rows(run: Run) -> Iterator[Part]:
    """“how many apps”."""
    table = next(item for item in run.items if isinstance(item, Item) and item.kind == "table")
    if "by" in {word.key for word in run.lattice.words[run.start : run.end]}:
        return
    yield made(run, Wanted(Measure("count", table_named(table))))


def counted_values(run: Run) -> Iterator[Part]:
    """“how many countries”: of texts the different values, of numbers the sum, of ratings the number."""
    field, lexicon = field_of(run.item(-1)), run.lexicon
    if APART & {word.key for word in run.lattice.words[run.start : run.end]} or _describes(run):
        return
    if is_metric(field):
        yield made(run, Wanted(Measure("metric", field.table, field.column)))
        return
    column = lexicon.column(field)
    distinct = run.optional(1) is not None if len(run.items) > 2 else False
    if happened := _happened(run, column):
        yield from events(replace(run, items=(run.items[-1],)))
    if happened or truths(column):
        return
    if is_numeric(lexicon, field) and not distinct:
        rated = Wanted(Measure("count", field.table), filters=(Filter(field, "not null"),) * column.may_miss)
        given = averaged(field) and singular(run.lattice.words[run.end - 1].key) in GIVEN
        yield made(run, rated if given else Wanted(total_of(field)), cost=0.1)
    elif not is_key(lexicon.table(field.table), column) or distinct:
        yield made(run, Wanted(Measure("count", field.table, field.column)), cost=0.0 if distinct else 0.15)


def counted_of_owner(run: Run) -> Iterator[Part]:
    """“number of different game types”, “how many app categories”, “how many app installs”."""
    owner, words, field = run.item(2), run.lattice.words, field_of(run.item(3))
    compound = singular(own := words[owner.end - 1].key) == own and singular(last := words[run.end - 1].key) != last
    theirs = {item.sense.table for item in run.lattice.at(owner.end, "column") if item.sense} & {table_named(owner)}
    way = run.lexicon.links.path(field.table, table_named(owner)) if not theirs or field.table in theirs else None
    if (compound or run.optional(1)) and way is not None and not any(link.many for link in way):
        yield from counted_values(replace(run, items=(run.items[0], run.items[1], run.items[3])))


def counted_before(run: Run) -> Iterator[Part]:
    """“install count”: a column of numbers is its sum."""
    if is_numeric(run.lexicon, field_of(run.item(0))) or is_metric(field_of(run.item(0))):
        yield from counted_values(replace(run, items=(run.items[1], run.items[0])))


def _describes(run: Run) -> bool:
    """Whether part of a column's name stands before the thing counted: “how many active accounts”."""
    sense = run.item(-1).sense
    return sense is not None and sense.cost >= PARTIAL and bool(run.lattice.at(run.end, "table"))


def counted_such(run: Run) -> Iterator[Part]:
    """“how many hotfixes”, “how many games”: the rows with the value."""
    sense = run.item(-1).sense
    if sense is None or sense.value is None or _adjective(sense) or _of_counted_next(run, sense.table):
        return
    if run.lattice.words[run.start].key == "counts" or run.lattice.words[run.end - 1].key == "sales":
        return  # “treatment vs placebo counts in Lund”; sales are no department
    condition = Filter(sense.field, "=", (sense.value,))
    times = frequency(run.lexicon, sense.table)
    rows = rows_counted(sense.table, run.lexicon)
    counted = [Measure("count", table) for table in things_of_kind(run, sense.field) or [rows]]
    for measure in [Measure("sum", times.table, times.column)] if times else counted:
        yield made(run, Wanted(measure, filters=(condition,)), cost=0.2)


def things_of_kind(run: Run, kind: Field) -> list[str]:
    """Return the tables of things of a kind: “antibiotics” are products, not the category called so."""
    lexicon, word = run.lexicon, run.lattice.words[run.end - 1].key
    if kind not in display(lexicon, kind.table) or singular(word) == word:
        return []
    below = [link.target for link in lexicon.links.steps.get(kind.table, ()) if link.many]
    return [table for table in below if display(lexicon, table)] or below


def _of_counted_next(run: Run, table: str) -> bool:
    """Whether a value tells the kind of the rows named behind it: “how many confirmed bookings”."""
    following = (*run.lattice.at(run.end, "table"), *run.lattice.at(run.end, "column"))
    return any(item.sense and item.sense.table == table and item.cost < PARTIAL for item in following
               if item.kind == "table" or is_metric(field_of(item)))  # fmt: skip


def said_many(run: Run) -> Iterator[Part]:
    """“surgeries per clinic”, “api calls by segment”: rows of a kind, or the sum of their frequencies."""
    sense, word = run.item(0).sense, run.lattice.words[run.end - 1]
    if (
        sense is None
        or not isinstance(sense.value, str | bool)
        or singular(word.key) == word.key
        or is_term(sense.field)
    ):
        return
    if sense.value is not True and str(sense.value).lower().split()[-1:] == [word.key]:
        return
    times = frequency(run.lexicon, sense.table)
    counted = Measure("sum", times.table, times.column) if times else Measure("count", sense.table)
    yield made(run, Wanted(counted, filters=(Filter(sense.field, "=", (sense.value,)),)), cost=0.25 if times else 0.55)


def _happened(run: Run, column: Column) -> bool:
    """Whether a word names an event, not a day: nobody counts the days of “number of paid”."""
    item = run.item(-1)
    said = {singular(word.key) for word in run.lattice.words[item.start : item.end]}
    if column.kind == "text" and len(said) == 1 and not said & set(name_parts(column.name)):
        return next(iter(said)).endswith("ed")  # “chipped” are the rows, not the chips
    return column.kind in ("date", "datetime") and not said & {"date", "day"}


def events(run: Run) -> Iterator[Part]:
    """“hires per year”: the rows, by the day of the event."""
    item, field = run.item(0), field_of(run.item(0))
    said = " ".join(word.key for word in run.lattice.words[item.start : item.end])
    joined = singular(said) in JOINING
    if is_metric(field) or (" " in said and not joined) or not said.endswith("s") or singular(said) == said:
        return
    column = run.lexicon.column(field)
    if _happened(run, column) and (joined or not set(name_parts(field.column)) & {said, singular(said)}):
        tests = (Filter(field, "not null"),) if column.may_miss else ()
        yield made(run, Wanted(Measure("count", field.table), filters=tests, day=field), cost=-0.1 if joined else 0.2)


def _adjective(sense: Sense) -> bool:
    """Whether a term lacks its noun: “how many active” counts nothing."""
    return is_term(sense.field) and sense.cost == ADJECTIVE


def aggregated(run: Run) -> Iterator[Part]:
    """“average price”, “the maximum of height”; an average of totals is settled with their rows."""
    sign, field = run.item(0), field_of(run.item(-1))
    if len(run.items) > 2 and run.optional(1) is not None and table_named(run.item(1)) != field.table:
        return
    if is_metric(field):
        measure = Measure("metric", field.table, field.column)
        if sign.value == "sum":
            yield made(run, Wanted(measure))
        elif additive(run.lexicon, measure):
            yield made(run, Wanted(measure, sign.value), cost=0.1)  # type: ignore[arg-type]
        elif sign.value == "avg":
            yield made(run, Wanted(measure))
        return
    if not is_numeric(run.lexicon, field):
        if sign.value in ("min", "max") and run.lexicon.column(field).kind in ("date", "datetime"):
            yield made(run, Wanted(Measure(sign.value, field.table, field.column)))  # type: ignore[arg-type]
        return
    yield made(run, figured(sign.value, field))


def aggregated_number(run: Run) -> Iterator[Part]:
    """“average number of visitors”, where a column holds the number."""
    if is_numeric(run.lexicon, field_of(run.item(-1))):
        yield from aggregated(replace(run, items=(run.items[0], run.items[-1])))


def aggregated_after(run: Run) -> Iterator[Part]:
    """“price on average”, “how many users did we have on average”."""
    if run.items[0] is None or run.item(-1).value == "avg":
        yield from aggregated(replace(run, items=(run.items[-1], run.items[-2])))


def aggregated_count(run: Run) -> Iterator[Part]:
    """“average number of apps” per something."""
    sign = run.item(0)
    if sign.value == "sum":
        yield made(run, Wanted(Measure("count", table_named(run.item(-1)))))
    elif sign.value in ("avg", "median", "min", "max"):
        yield made(run, Wanted(Measure("count", table_named(run.item(-1))), sign.value))  # type: ignore[arg-type]


def several_aggregates(run: Run) -> Iterator[Part]:
    """“average, minimum and maximum price”: one figure each."""
    *signs, last = [item for item in run.items if isinstance(item, Item)]
    field = field_of(last)
    if not is_numeric(run.lexicon, field) or is_metric(field):
        return
    spoken = [sign.value for sign in signs if sign.kind == "aggregate" and sign.value != "median"]
    found = [Measure(function, field.table, field.column) for function in spoken]  # type: ignore[arg-type]
    if len(found) > 1:
        yield made(run, Wanted(found[0], more=tuple(found[1:])), cost=-0.3)


def metric(run: Run) -> Iterator[Part]:
    """A figure of the semantics file, by its name."""
    field = field_of(run.item(-1))
    if is_metric(field):
        yield made(run, Wanted(Measure("metric", field.table, field.column)))


def plain_number(run: Run) -> Iterator[Part]:
    """A column of numbers as a figure, for rules that need one: “most revenue”."""
    field = field_of(run.item(0))
    if is_numeric(run.lexicon, field) and not is_metric(field):
        yield made(run, Wanted(total_of(field)), cost=0.05)


FIGURES = (
    Rule("count distinct? table", counted_rows),
    Rule("table ~count", counted_rows, 0.2),
    Rule("count distinct? column", counted_values),
    Rule("distinct count column", counted_values, 0.1),
    Rule("count distinct? table ~column", counted_of_owner, -0.2),
    Rule("column ~count", counted_before, -0.15),
    Rule("count value", counted_such),
    Rule("value", said_many),
    Rule("aggregate and? aggregate and? aggregate column", several_aggregates),
    Rule("aggregate and? aggregate column", several_aggregates),
    Rule("aggregate and? aggregate count column", several_aggregates),
    Rule("aggregate table? column", aggregated),
    Rule("aggregate count column", aggregated_number),
    Rule("count? column aggregate", aggregated_after, 0.3),
    Rule("aggregate count table", aggregated_count),
    Rule("much column", counted_values),
    Rule("column", metric),
    Rule("column", events),
)
NUMBERS = (Rule("column", plain_number),)
