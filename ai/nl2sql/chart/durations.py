"""How long something takes: a column of durations, or the time between two days."""

from collections.abc import Iterator

from ai.nl2sql.chart.figures import field_of, table_named
from ai.nl2sql.chart.parts import Part, Wanted, When
from ai.nl2sql.chart.rules import Rule, Run
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Field, Filter, Measure
from ai.nl2sql.schema import columns_named, days, is_numeric
from ai.nl2sql.spans import beginning, dates, is_span, span_field

UNITS = ("hours", "minutes")
LASTING = ("duration", "length")


def _unit(run: Run) -> str:
    said = {word.key for word in run.lattice.words[run.start : run.end]}
    return next((unit for unit in UNITS if unit in said), "days")


def _asked(run: Run, field: Field, cost: float = 0.0, such: tuple[Filter, ...] = ()) -> Part:
    sign = next(
        (i.value for i in run.items if isinstance(i, Item) and i.kind == "aggregate" and i.value != "sum"), "avg"
    )
    function = sign if sign in ("avg", "min", "max") else "avg"
    measure = Measure(function, field.table, field.column)  # type: ignore[arg-type]
    return Part("measure", run.start, run.end, run.cost + cost, Wanted(measure, filters=such), frozenset({field.table}),
                said=run.lattice.text(run.start, run.end))  # fmt: skip


def until(run: Run) -> Iterator[Part]:
    """“how many days until an invoice gets paid”: from the first day of its row."""
    field = next(field_of(item) for item in run.items if isinstance(item, Item) and item.kind == "column")
    if is_metric(field) or is_span(field) or run.lexicon.column(field).kind not in ("date", "datetime"):
        return
    owner = next((table_named(i) for i in run.items if isinstance(i, Item) and i.kind == "table"), field.table)
    start = _beginning(run, field.table)
    if owner == field.table and start and start != field.column:
        yield _asked(run, span_field(field.table, start, field.column, _unit(run)), -0.2)


def lasting(run: Run) -> Iterator[Part]:
    """“how long do visits take”: a column of durations, else the time to the only other day."""
    if not {"long", "time"} & {word.key for word in run.lattice.words[run.start : run.end]}:
        return
    table = next(table_named(i) for i in run.items if isinstance(i, Item) and i.kind in ("table", "term"))
    columns = [c for word in LASTING for c in columns_named(run.lexicon, run.lexicon.table(table), word)]
    numbers = [f for column in columns if is_numeric(run.lexicon, f := Field(table, column.name))]
    start = _beginning(run, table)
    others = [column.name for column in dates(run.lexicon.table(table)) if column.name != start]
    kinds = [i for i in run.items if isinstance(i, Item) and i.kind == "term" and i.sense and i.sense.value is not None]
    such = tuple(Filter(kind.sense.field, "=", (True,)) for kind in kinds if kind.sense)
    if numbers:
        yield _asked(run, numbers[0], such=such)
    elif start and len(others) == 1:
        yield _asked(run, span_field(table, start, others[0], _unit(run)), such=such)


def _beginning(run: Run, table: str) -> str:
    declared = days(run.lexicon, table) if table in run.lexicon.semantics.dates else []
    own = declared[0].column if declared and declared[0].table == table else ""
    return beginning(run.lexicon.table(table), own)


def in_both(run: Run) -> Iterator[Part]:
    """“in both 2025 and 2026”, “in 2025 but not in 2026”."""
    one, other = (item.span for item in run.items if isinstance(item, Item) and item.kind == "date")
    apart = any(isinstance(item, Item) and item.kind == "not" for item in run.items)
    if one and other and (not apart or "but" in {word.key for word in run.lattice.words[run.start : run.end]}):
        when = When(one, also=other, not_also=apart)
        yield Part("period", run.start, run.end, run.cost, when, said=run.lattice.text(run.start, run.end))


DURATIONS = (
    Rule("long table column", until),
    Rule("long column table?", until),
    Rule("long aggregate table column", until),
    Rule("long aggregate column", until),
    Rule("aggregate long table column", until),
    Rule("aggregate long column", until),
    Rule("long table|term verb?", lasting, 0.3),
    Rule("long aggregate table|term verb?", lasting, 0.2),
    Rule("aggregate long table|term verb?", lasting, 0.2),
)
TWO_TIMES = (
    Rule("both date and date", in_both, -0.3),
    Rule("date not date", in_both, -0.3),
)
