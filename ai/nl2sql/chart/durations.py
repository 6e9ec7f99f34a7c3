"""How long something takes: a column of durations, or the time between two days."""

from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.chart.figures import field_of, table_named
from ai.nl2sql.chart.parts import Part, Wanted, When
from ai.nl2sql.chart.rules import Rule, Run
from ai.nl2sql.chart.tests import filtered
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lasting import TAKING, deed_day, lasting_field, unit_asked
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Field, Filter, Measure
from ai.nl2sql.schema import columns_named, days, is_numeric
from ai.nl2sql.spans import UNITS, beginning, dates, is_span, parts_of, span_field

LASTING = ("duration", "length")
COMPARED = frozenset({"longer", "shorter"})
PASSIVE = frozenset("get gets got is are was were being".split())


def _unit(run: Run) -> str:
    said = [UNITS.get(word.key, "") for word in run.lattice.words[run.start : run.end]]
    return next(filter(None, said), "") or unit_asked(run.lattice.words)


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
    whole = lasting_field(run.lexicon, field.table)
    lasts = whole is not None and parts_of(whole)[2] == field.column
    start = parts_of(whole)[1] if whole and lasts else _beginning(run, field.table)
    if owner == field.table and start and start != field.column:
        yield _asked(run, span_field(field.table, start, field.column, _unit(run)), -0.2)


def lasting(run: Run) -> Iterator[Part]:
    """“how long do visits take”: a column of durations, else the time to the only other day."""
    said = {word.key for word in run.lattice.words[run.start : run.end + 1]}
    if not {"long", "time", *TAKING} & said or "before" in said:
        return  # “how many days …” counts days; “how long before the show” is no length of it
    table = next(table_named(i) for i in run.items if isinstance(i, Item) and i.kind in ("table", "term"))
    columns = [c for word in LASTING for c in columns_named(run.lexicon, run.lexicon.table(table), word)]
    numbers = [f for column in columns if is_numeric(run.lexicon, f := Field(table, column.name))]
    start = _beginning(run, table)
    others = [column.name for column in dates(run.lexicon.table(table)) if column.name != start]
    kinds = [i for i in run.items if isinstance(i, Item) and i.kind == "term" and i.sense and i.sense.value is not None]
    such = tuple(Filter(kind.sense.field, "=", (True,)) for kind in kinds if kind.sense)
    whole = lasting_field(run.lexicon, table, _unit(run))
    if numbers:
        yield _asked(run, numbers[0], such=such)
    elif whole:
        yield _asked(run, whole, such=such)
    elif start and len(others) == 1:
        yield _asked(run, span_field(table, start, others[0], _unit(run)), such=such)


def lasting_each(run: Run) -> Iterator[Part]:
    """“how long did each exhibition run”: by the group behind it."""
    if field := lasting_field(run.lexicon, table_named(run.item(2)), _unit(run)):
        end = run.item(1).start
        measure = Measure("avg", field.table, field.column)
        yield Part("measure", run.start, end, run.cost, Wanted(measure), frozenset({field.table}),
                   said=run.lattice.text(run.start, end))  # fmt: skip


def took(run: Run) -> Iterator[Part]:
    """“took longer than 5 days to close”, “lasted over 2 hours”: how long the rows lasted."""
    words, number = run.lattice.words, run.item(1).number
    unit = UNITS.get(words[run.end].key) if run.end < len(words) else None
    if unit is None or number is None:
        return
    to = [word.key for word in words[run.end + 1 : run.end + 3]]
    verb = to[1] if to[:1] == ["to"] and len(to) == 2 else ""
    start = run.start - (run.start > 0 and words[run.start - 1].key in TAKING)
    end = run.end + (3 if verb else 1)
    if not verb and start == run.start and words[run.start].key not in COMPARED:
        return
    for table in sorted(run.lattice.named):
        if field := _until(run, table, verb, unit) if verb else lasting_field(run.lexicon, table, unit):
            part = filtered(run, Filter(field, run.item(0).value, (number,)), cost=-0.1)  # type: ignore[arg-type]
            yield replace(part, start=start, end=end, said=run.lattice.text(start, end))


def until_deed(run: Run) -> Iterator[Part]:
    """“how long until invoices get paid”, “how long do we take to close tickets”: to the day of a verb."""
    words = run.lattice.words
    at = run.end + (run.end < len(words) and words[run.end].key in PASSIVE)
    if at == len(words):
        return
    tables = [table_named(run.item(-1))] if run.items[-1] is not None else sorted(run.lattice.named)
    for table in tables:
        if field := _until(run, table, words[at].key, _unit(run)):
            yield replace(_asked(run, field, -0.1), end=at + 1, said=run.lattice.text(run.start, at + 1))


def _until(run: Run, table: str, verb: str, unit: str) -> Field | None:
    """Return the time until the day of a verb: “to close”."""
    end = deed_day(run.lexicon.table(table), verb)
    whole = lasting_field(run.lexicon, table, unit)
    if whole and parts_of(whole)[2] == end:
        return whole
    start = _beginning(run, table)
    return span_field(table, start, end, unit) if end and start and start != end else None


def since_last(run: Run) -> Iterator[Part]:
    """“how long since our last release”: from the latest day of the rows until today."""
    table = table_named(run.item(-1))
    first = _beginning(run, table)
    if first:
        shortest = Measure("min", table, span_field(table, first, unit=_unit(run)).column)
        yield Part("measure", run.start, run.end, run.cost, Wanted(shortest), frozenset({table}),
                   said=run.lattice.text(run.start, run.end))  # fmt: skip


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
    Rule("long table?", until_deed),
    Rule("long group table", lasting_each, 0.1),
    Rule("since_last table", since_last),
)
TOOK = (Rule("compare number", took),)
TWO_TIMES = (
    Rule("both date and date", in_both, -0.3),
    Rule("date not date", in_both, -0.3),
)
