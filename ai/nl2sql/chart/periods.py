"""Times: “last month”, “on Sundays”, the day named before a time; what is late: due and not done, or done too late."""

from collections.abc import Iterator
from dataclasses import replace

from ai.language.questions import keys
from ai.language.spans import Span
from ai.nl2sql.chart.figures import field_of
from ai.nl2sql.chart.parts import Part, Wanted, When
from ai.nl2sql.chart.rules import Rule, Run, implied_tables
from ai.nl2sql.chart.tests import filtered
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lasting import unit_asked
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Field, Filter, Measure
from ai.nl2sql.schema import end_day, is_year
from ai.nl2sql.spans import DATED, UNITS, dates, is_called, span_field
from ai.nl2sql.values import STATE_NAMES
from ai.nl2sql.vocabulary import single_words_of
from ai.nl2sql.words import name_parts, singular, stems
from ai.sql.catalog import Column, Table

EDGES = frozenset("start end beginning of the close".split())  # of a time: “end of October”
BEFORE_EDGES = frozenset("the at by until till since from before after to in on for of last this next".split())
EACH = frozenset({"each", "every", "per", "by"})  # before a unit of time, not before a column with its time
ONE_OF_MANY = frozenset({"first", "last", "next", "latest"})  # in a name: “first booked on” is no day of each booking
TIMED = ("date", "datetime", "text")
RATES = frozenset({"rate", "rates", "percentage", "share"})
DAYS_OF_A_WEEK = 7
LATEST = 2.0  # what it costs to read “signed up in May” as the last sign-in


def period(run: Run) -> Iterator[Part]:
    """“last month”."""
    item = run.item(0)
    if item.span:
        yield Part("period", run.start, run.end, run.cost, When(item.span), said=run.lattice.text(run.start, run.end))


def on_weekdays(run: Run) -> Iterator[Part]:
    """“on Sundays”, “on weekends or Fridays”."""
    signs = [item for item in run.items if isinstance(item, Item) and item.kind == "weekday"]
    days = tuple(sorted({int(day) for sign in signs for day in sign.value.split()}))
    if len(days) == DAYS_OF_A_WEEK:  # “on weekends and weekdays”: a comparison, and no condition
        return
    field = field_of(run.item(0)) if run.item(0).kind == "column" else None
    if field and (is_metric(field) or run.lexicon.column(field).kind not in ("date", "datetime")):
        return
    yield Part("period", run.start, run.end, run.cost - 0.3 * bool(field), When(Span(None, None), field, days),
               frozenset({field.table} if field else ()), said=run.lattice.text(run.start, run.end))  # fmt: skip


def period_of(run: Run) -> Iterator[Part]:
    """“launched in 2025”, “invoice date after June”: the words before the day name its column."""
    field, item = field_of(run.item(0)), run.item(1)
    first = run.lattice.words[run.start].key
    rows = run.start > 0 and run.lattice.words[run.start - 1].key == "and" and singular(first) != first
    plural = first in ("days", "dates", "months", "weeks", "years") or rows  # “revenue and orders last month”
    before = run.lattice.words[run.start - 1].key if run.start else "the"
    words = {word.key for word in run.lattice.words[run.start : item.start]}
    of = "of" in words or run.lattice.words[item.start].key == "of"
    edge = words <= EDGES and (of or before in BEFORE_EDGES)
    if (
        is_metric(field)
        or item.span is None
        or plural
        or edge
        or (run.start and run.lattice.words[run.start - 1].key in EACH)
    ):
        return
    column = run.lexicon.column(field)
    latest = LATEST * ("last" in name_parts(field.column) and "last" not in words)
    if column.kind in ("date", "datetime") or is_year(run.lexicon, field):
        field = _day_of_named(run, field)
        when, cost = When(item.span, field), run.cost - 0.3 + latest
        told = run.lattice.text(item.start, item.end)
        yield Part("period", run.start, run.end, cost, when, frozenset({field.table}), said=told)


def _day_of_named(run: Run, day: Field) -> Field:
    """Return the day of the rows named, called by the same word: campaigns do not start as managers did."""
    said = {word.stem for word in run.lattice.words[run.start : run.item(0).end]}
    if day.table in run.lattice.named or len(said) > 1:
        return day
    own = [
        Field(table, column.name)
        for table in run.lattice.named
        for column in dates(run.lexicon.table(table))
        if said & set(stems(name_parts(column.name))) and not ONE_OF_MANY & set(name_parts(column.name))
    ]
    return own[0] if len(own) == 1 else day


DAYS = (
    Rule("date", period),
    Rule("weekday", on_weekdays),
    Rule("column weekday", on_weekdays),
    Rule("column weekday and|or weekday", on_weekdays, -0.1),
    Rule("weekday and|or weekday", on_weekdays, -0.1),
    Rule("column date", period_of),
)


def late(run: Run) -> Iterator[Part]:
    """“overdue invoices”: due before today and not yet paid; “expired” says that an end has passed."""
    sign = run.item(-1)
    worded = any(item.end == sign.end for item in run.lattice.at(sign.start, "value"))
    if worded or run.lexicon.defines((run.lattice.words[sign.start].key,)):
        return
    if sign.value in ("behind", "how"):
        yield from _behind(run) if sign.value == "behind" else how_late(run)
        return
    for table in implied_tables(run):
        due = [column for column in dates(table) if set(single_words_of(sign.value)) & set(name_parts(column.name))]
        undone = _undone(table)
        if len(due) == 1 and (undone or sign.value == "expiry"):
            such = (undone,) if undone and sign.value == "due" else ()
            when = When(Span(None, None), Field(table.name, due[0].name), age=(">", 0, "day"))
            yield Part("period", run.start, run.end, run.cost, when, frozenset({table.name}),
                       said=run.lattice.text(run.start, run.end), such=such)  # fmt: skip


def _undone(table: Table) -> Filter | None:
    """Return the condition of rows still to be done: no day of it, else a state before the last."""
    if done := end_day(table, "fulfilled"):
        return Filter(done, "null")
    over = {*single_words_of("fulfilled"), *single_words_of("called_off")}
    for column in table.columns:
        ended = tuple(
            value for value in column.values if over & {*keys(value)[:1]} and keys(value)[1:] in ((), ("off",))
        )
        if STATE_NAMES & {*name_parts(column.name)} and 0 < len(ended) < len(column.values):
            return Filter(Field(table.name, column.name), "not in" if len(ended) > 1 else "!=", ended)
    return None


def _behind(run: Run) -> Iterator[Part]:
    """“late deliveries”: done after the planned time."""
    for planned, real in _planned_and_done(run):
        yield filtered(run, Filter(real, ">", other=planned))


def behind_by(run: Run) -> Iterator[Part]:
    """“more than 5 days late”: between the planned day and the real one."""
    sign, number, late = run.item(-4).value, run.item(-3).number, run.item(-1)
    if late.value != "behind" or number is None:
        return
    for planned, real in _planned_and_done(run):
        if all(run.lexicon.column(day).kind in DATED for day in (planned, real)):
            unit = UNITS[run.item(-2).value]
            span = span_field(planned.table, planned.column, real.column, unit)
            yield filtered(run, Filter(span, sign, (number,)), cost=-0.1)  # type: ignore[arg-type]


def how_late(run: Run) -> Iterator[Part]:
    """“how late are invoices paid on average”: the days after the planned one."""
    for planned, real in _planned_and_done(run):
        if planned.table in run.lattice.named and run.lexicon.column(real).kind in DATED:
            span = span_field(planned.table, planned.column, real.column, unit_asked(run.lattice.words))
            yield Part("measure", run.start, run.end, run.cost, Wanted(Measure("avg", span.table, span.column)),
                       frozenset({span.table}), said=run.lattice.text(run.start, run.end))  # fmt: skip


def late_rate(run: Run) -> Iterator[Part]:
    """“late rate”: the part done after the planned time."""
    following = run.lattice.words[run.end : run.end + 1]
    if run.item(-1).value != "behind" or not {word.key for word in following} & RATES:
        return
    for planned, real in _planned_and_done(run):
        done = Filter(real, "not null")
        share = Measure("count", planned.table, where=(Filter(real, ">", other=planned),))
        wanted = Wanted(replace(share, per=Measure("count", planned.table, where=(done,))), day=real)
        said = run.lattice.text(run.start, run.end + 1)
        yield Part("measure", run.start, run.end + 1, run.cost, wanted, frozenset({planned.table}), said=said)


def _planned_and_done(run: Run) -> Iterator[tuple[Field, Field]]:
    """Yield the only planned day of each table, and the only one on which it was done."""
    due, done = frozenset(single_words_of("due")), frozenset(single_words_of("fulfilled"))
    before = frozenset(word.key for word in run.lattice.words[max(0, run.start - 2) : run.end])
    done = before & done or done  # “delivered late”
    said = next((field_of(i) for i in run.items if isinstance(i, Item) and i.kind == "column"), None)
    if said is None and not run.lattice.named:
        return  # “what is late?”
    for table in implied_tables(run) if said is None else [run.lexicon.table(said.table)]:
        timed = [column for column in table.columns if column.kind in TIMED]
        planned = [column for column in timed if is_called(column, due)]
        real = [column for column in timed if is_called(column, done) and column not in planned]
        real = (
            real
            if said is None
            else [column for column in timed if column.name == said.column and column not in planned]
        )
        if len(planned) == len(real) == 1 and (planned[0].kind == real[0].kind or _are_days(planned[0], real[0])):
            yield Field(table.name, planned[0].name), Field(table.name, real[0].name)


def _are_days(*columns: Column) -> bool:
    """Whether columns are days or moments, in the usual form."""
    return all(column.kind in DATED and not (column.is_compact or column.is_epoch) for column in columns)


LATE = (
    Rule("late", late),
    Rule("late", late_rate, -0.2),
    Rule("column ~late", late, -0.1),
    Rule("compare number unit late", behind_by),
    Rule("column compare number unit late", behind_by, -0.1),
)
