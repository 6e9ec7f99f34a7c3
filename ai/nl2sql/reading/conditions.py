"""The rows asked about: filters, and periods on their column of days."""

from dataclasses import replace

from ai.language.spans import STEPS, Span
from ai.nl2sql.chart.parts import Part, When
from ai.nl2sql.definitions import is_term
from ai.nl2sql.meaning import Field, Filter, Period, Presence
from ai.nl2sql.reading.alternatives import said_with_or
from ai.nl2sql.reading.comparing.series import several_times
from ai.nl2sql.reading.rows.happenings import without_opposite
from ai.nl2sql.reading.rows.which_day import birth, compared_day, day_field, day_of_many, figures_of
from ai.nl2sql.reading.sketch import Sketch, is_fact
from ai.nl2sql.reading.times import aged
from ai.nl2sql.schema import averaged, figure_days, title
from ai.nl2sql.spans import verb_of
from ai.nl2sql.values import truths
from ai.nl2sql.words import keys, stem

LIKELY_EVENT = 1.2
TESTS_NOTHING = 2.0  # “yes or no” of a yes or no


def filtered(sketch: Sketch) -> None:
    """Take the filters; several values of one column are alternatives."""
    taken: list[Filter] = []
    alternatives = said_with_or(sketch)
    either = [*sketch.meaning.either, *filter(None, alternatives.values())]
    for part in sketch.parts("filter"):
        tests: tuple[Filter, ...] = part.data
        if part.note:
            sketch.assume(part.note)
        if part.start in alternatives:
            continue
        if part.either:
            either.append(tests)
            continue
        for test in dict.fromkeys(tests):
            taken = taken if test in taken else _with(sketch, taken, test)
    if sketch.flags("when"):
        sketch.cost += sum(1.0 for test in taken if test.operator == "not null")
    brought = [test for wanted in sketch.wanted for test in wanted.filters]
    brought += [test for part in sketch.cover.parts for test in part.such]
    taken += [test for test in dict.fromkeys(brought) if test not in taken]
    sketch.edit(filters=(*sketch.meaning.filters, *taken), either=tuple(either))


def _with(sketch: Sketch, taken: list[Filter], test: Filter) -> list[Filter]:
    same = next(
        (f for f in taken if f.field == test.field and f.operator in ("=", "in") and test.operator in ("=", "in")), None
    )
    if same is None or test.than:
        return [*taken, test]
    joined = replace(same, operator="in", values=tuple(dict.fromkeys((*same.values, *test.values))))
    nothing = not is_term(test.field) and len(truths(sketch.lexicon.column(test.field))) == len(joined.values)
    sketch.cost += TESTS_NOTHING if nothing and not sketch.flags("versus") else 0.15
    return [joined if f is same else f for f in taken]


def event_rows(sketch: Sketch) -> None:
    """“apps with more than 1000 installs” compares totals, not single days."""
    target = sketch.target.table if sketch.target else sketch.meaning.subject
    for test in sketch.meaning.filters:
        grouping = bool(sketch.shown) or (sketch.target is not None and sketch.target.column is not None)
        event = is_fact(sketch.lexicon, test.field.table) and (test.field.table != target or grouping)
        if event and sketch.lexicon.column(test.field).kind in ("integer", "number") and not averaged(test.field):
            sketch.cost += LIKELY_EVENT


def dated(sketch: Sketch) -> None:
    """Put each span on its column of days; two spans beside "vs" are compared elsewhere."""
    for part in sketch.parts("period"):
        when = part.data
        if not isinstance(when, When):
            continue
        if when.also:
            _at_two_times(sketch, part, when, when.also)
            continue
        field = (
            _of_defined_deed(sketch, when.field)
            or when.field
            or compared_day(sketch, part)
            or birth(sketch, when)
            or day_field(sketch, part)
        )
        if field is None:
            continue
        if when.weekdays:
            sketch.edit(filters=(*sketch.meaning.filters, Filter(field, "weekday", when.weekdays)))
        else:
            on_field(sketch, field, aged(sketch, when))
    several_times(sketch)
    without_opposite(sketch)


def _of_defined_deed(sketch: Sketch, said: Field | None) -> Field | None:
    """Return the day of a figure that is called by the deed said: of “trials started”, and not another `started_at`."""
    deed = {stem(word) for word in verb_of(said.column)} if said else set()
    for figure in figures_of(sketch) if deed else ():
        metric = sketch.lexicon.metric_of(figure)
        called = {stem(word) for name in (metric.name, *metric.synonyms) for word in keys(name)} if metric else set()
        if metric and metric.date and deed & called:
            return figure_days(sketch.lexicon, figure)[0]
    return None


def _at_two_times(sketch: Sketch, part: Part, when: When, also: Span) -> None:
    """“customers who ordered in 2025 but not in 2026”: with rows of the one time, and with or without of the other."""
    target = sketch.target.table if sketch.target and not sketch.target.column else ""
    root = next((wanted.measure.table for wanted in sketch.wanted if wanted.measure.function == "count"), target)
    field = day_of_many(sketch, part, root) if root else None
    if field is None:
        sketch.doubt("I cannot tell how these times belong together.")
        return
    one, other = (Period(field, span.start, span.end) for span in (when.span, also))
    sides = (Presence(field.table, present=True, where=(one,)), Presence(field.table, not when.not_also, (other,)))
    sketch.edit(presences=(*sketch.meaning.presences, *sides))


def on_field(sketch: Sketch, field: Field, span: Span) -> None:
    """Add the condition that a day, or a year, lies in a span."""
    if sketch.lexicon.column(field).kind in ("date", "datetime"):
        units = {group.unit for found in sketch.data("group") for group in found if group.unit}
        whole = span.whole(span.last[1]) if span.last and span.last[1] in units else span
        sketch.edit(periods=(*sketch.meaning.periods, Period(field, whole.start, whole.end)))
        return
    ends = [day for day in (span.start, span.end) if day]
    if sketch.lexicon.column(field).has_months:
        _in_months(sketch, field, span)
        return
    if any((day.month, day.day) != (1, 1) for day in ends):
        sketch.doubt(f"{title(field)} holds whole years only.")
        return
    said: type[int] | type[str] = str if sketch.lexicon.column(field).kind == "text" else int
    tests: list[Filter] = []
    if span.start and span.end and span.end.year - span.start.year == 1:
        tests = [Filter(field, "=", (said(span.start.year),))]
    else:
        tests += [Filter(field, ">=", (said(span.start.year),))] if span.start else []
        tests += [Filter(field, "<", (said(span.end.year),))] if span.end else []
    kept = [
        f for f in sketch.meaning.filters if not (f.field == field and f.operator == "=" and tests[0].operator == "=")
    ]
    same = [
        f for f in sketch.meaning.filters if f.field == field and f.operator in ("=", "in") and tests[0].operator == "="
    ]
    if same:
        tests = [same[0].joined(tests[0])]
        kept = [f for f in sketch.meaning.filters if f not in same]
    sketch.edit(filters=(*kept, *tests))


def _in_months(sketch: Sketch, field: Field, span: Span) -> None:
    """Compare months kept as texts with those of a span."""
    if any(day.day != 1 for day in (span.start, span.end) if day):
        sketch.doubt(f"{title(field)} holds whole months only.")
        return
    tests = [Filter(field, ">=", (f"{span.start:%Y-%m}",))] if span.start else []
    tests += [Filter(field, "<", (f"{span.end:%Y-%m}",))] if span.end else []
    if span.start and span.end and span.start + STEPS["month"] == span.end:
        tests = [replace(tests[0], operator="=")]
    sketch.edit(filters=(*sketch.meaning.filters, *tests))
