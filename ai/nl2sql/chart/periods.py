"""Times: “last month”, “on Sundays”, and the day named before a time."""

from collections.abc import Iterator

from ai.language.spans import Span
from ai.nl2sql.chart.figures import field_of
from ai.nl2sql.chart.parts import Part, When
from ai.nl2sql.chart.rules import Rule, Run
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Field
from ai.nl2sql.schema import is_year
from ai.nl2sql.spans import dates
from ai.nl2sql.words import name_parts, singular, stems

EDGES = frozenset("start end beginning of the close".split())  # of a time: “end of October”
BEFORE_EDGES = frozenset("the at by until till since from before after to in on for of last this next".split())
EACH = frozenset({"each", "every", "per", "by"})  # before a unit of time, not before a column with its time
ONE_OF_MANY = frozenset({"first", "last", "next", "latest"})  # in a name: “first booked on” is no day of each booking
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
