"""The rows asked about: filters, periods on their column of days, related rows, and conditions on groups."""

from dataclasses import replace

from ai.language.spans import Span
from ai.nl2sql.chart.parts import Part, When
from ai.nl2sql.definitions import is_term
from ai.nl2sql.lexicon import PARTIAL
from ai.nl2sql.meaning import Field, Filter, Fold, Having, Measure, Period, Presence
from ai.nl2sql.reading.alternatives import said_with_or
from ai.nl2sql.reading.happenings import day_of_deed, day_of_value, without_opposite
from ai.nl2sql.reading.sketch import Sketch, is_fact, many_between
from ai.nl2sql.reading.times import aged, narrowed
from ai.nl2sql.schema import averaged, days, figure_days, is_year, main_amount, noun, title
from ai.nl2sql.spans import BORN, days_of, first_of, verb_of
from ai.nl2sql.words import name_parts, stem

LIKELY_EVENT = 1.2
MORE_OR_LESS = (">", ">=", "<", "<=")


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
        for test in tests:
            taken = _with(sketch, taken, test)
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
    sketch.cost += 0.15
    return [joined if f is same else f for f in taken]


def event_rows(sketch: Sketch) -> None:
    """“apps with more than 1000 installs” compares totals, not single days."""
    target = sketch.target.table if sketch.target else sketch.meaning.subject
    for test in sketch.meaning.filters:
        grouping = bool(sketch.shown) or (sketch.target is not None and sketch.target.column is not None)
        event = is_fact(sketch.lexicon, test.field.table) and (test.field.table != target or grouping)
        if event and sketch.lexicon.column(test.field).kind in ("integer", "number") and not averaged(test.field):
            sketch.cost += LIKELY_EVENT


def measured_tables(sketch: Sketch) -> list[str]:
    """The tables of the days, likeliest first."""
    meaning = sketch.meaning
    figures = [measure.table for measure in meaning.all_measures] + [w.measure.table for w in sketch.wanted]
    absent = [presence.table for presence in meaning.presences]
    said = [part.data for part in sketch.parts("noun") if isinstance(part.data, str)]
    links = sketch.lexicon.links
    likely = sorted(
        said, key=lambda t: -sum(1 for o in said if (path := links.path(t, o)) and not any(x.many for x in path))
    )
    filters = [f.field.table for f in meaning.filters]
    before = [m.table for m in sketch.context.all_measures] + [sketch.context.subject] if sketch.context else []
    return list(dict.fromkeys((*figures, *absent, *likely, meaning.subject, *filters, *before)))


def dated(sketch: Sketch) -> None:
    """Put each span on its column of days; two spans beside "vs" are compared elsewhere."""
    for part in sketch.parts("period"):
        when = part.data
        if not isinstance(when, When):
            continue
        field = when.field or _birth(sketch, when) or day_field(sketch, part)
        if field is None:
            continue
        if when.weekdays:
            sketch.edit(filters=(*sketch.meaning.filters, Filter(field, "weekday", when.weekdays)))
        else:
            on_field(sketch, field, aged(sketch, when))
    narrowed(sketch)
    without_opposite(sketch)


def _birth(sketch: Sketch, when: When) -> Field | None:
    """The first day of an age, where the things asked about have births."""
    tables = [table for table in measured_tables(sketch) if table][:1] if when.age else []
    born = [
        Field(t, c.name) for t in tables for c in days_of(sketch.lexicon.table(t)) if BORN & set(name_parts(c.name))
    ]
    return born[0] if born else None


def _day_by_definition(sketch: Sketch) -> Field | None:
    """The day that goes with a figure: its event's, or its metric's own."""
    own = [wanted.day for wanted in sketch.wanted if wanted.day]
    for measure in figures_of(sketch):
        metric = sketch.lexicon.metrics.get(Field(measure.table, measure.column or ""))
        own += figure_days(sketch.lexicon, measure)[:1] if metric and metric.date else []
    return own[0] if own else None


def day_field(sketch: Sketch, part: Part) -> Field | None:
    """The column of days of a span; several likely ones are a doubt."""
    if day := day_of_deed(sketch, part) or _day_by_definition(sketch) or day_of_value(sketch, part):
        return day
    for table in (*_absent_before(sketch, part), *measured_tables(sketch)):
        if not table:
            continue
        columns = days(sketch.lexicon, table) or _days_of_whole(sketch, table)
        always = [field for field in columns if not sketch.lexicon.column(field).nullable]
        if len(columns) == 1:
            return columns[0]
        if columns:
            dated = {word.key for word in sketch.lattice.words} & {"date", "dates"}
            own = _named_like_table(columns) or (always if len(always) == 1 or dated else first_of(columns))
            if len(own) == 1:
                sketch.assume(f"“{part.said}” was read as {title(own[0])}")
                return own[0]
            names = " or ".join(title(field) for field in columns)
            sketch.doubt(f"“{part.said}” can be {names}: which one do you mean?")
            sketch.rival_days = tuple(columns)
            return columns[0]
        years = [
            Field(table, c.name)
            for c in sketch.lexicon.table(table).columns
            if is_year(sketch.lexicon, Field(table, c.name))
        ]
        if len(years) == 1:
            return years[0]
    nouns = measured_tables(sketch)
    things = noun(sketch.lexicon, nouns[0]) if nouns and nouns[0] else "this data"
    sketch.doubt(f"“{part.said}” needs a date, and {things} {'has' if things == 'this data' else 'have'} no date here.")
    return None


def _days_of_whole(sketch: Sketch, table: str) -> list[Field]:
    """Return the days of what the measured rows are parts of: an order has the day of its items."""
    if table not in {measure.table for measure in figures_of(sketch)}:
        return []
    asked = {sketch.target.table if sketch.target else "", *(group.table for group in sketch.meaning.groups)}
    wholes = {link.target for link in sketch.lexicon.links.steps.get(table, ()) if not link.many} - asked
    found = [fields for whole in sorted(wholes) if (fields := list(days(sketch.lexicon, whole)))]
    return found[0] if len(found) == 1 else []


def _named_like_table(days_of_table: list[Field]) -> list[Field]:
    """Return the only day of what the rows are: of bookings `booked_on`."""
    own = {stem(part) for part in name_parts(days_of_table[0].table)}
    found = [field for field in days_of_table if own & {stem(part) for part in verb_of(field.column)}]
    return found if len(found) == 1 else []


def _absent_before(sketch: Sketch, period: Part) -> list[str]:
    """The table of a time right behind an absence: “accounts without tickets in October”."""
    said = [p for p in sketch.parts("presence") if not p.data.present and 0 <= period.start - p.end <= 1]
    return [part.data.table for part in said]


def figures_of(sketch: Sketch) -> list[Measure]:
    """The figures asked for, ranked or compared by."""
    ranks = [rank.key for rank in sketch.data("rank") if isinstance(rank.key, Measure)]
    return [*(wanted.measure for wanted in sketch.wanted), *sketch.meaning.all_measures, *ranks]


def on_field(sketch: Sketch, field: Field, span: Span) -> None:
    """Add the condition that a day, or a year, lies in a span."""
    if sketch.lexicon.column(field).kind in ("date", "datetime"):
        units = {group.unit for found in sketch.data("group") for group in found if group.unit}
        whole = span.whole(span.last[1]) if span.last and span.last[1] in units else span
        sketch.edit(periods=(*sketch.meaning.periods, Period(field, whole.start, whole.end)))
        return
    ends = [day for day in (span.start, span.end) if day]
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


def group_conditions(sketch: Sketch) -> None:
    """Conditions on figures: of each thing asked about, or of each group."""
    _means_compared(sketch)
    for part in sketch.parts("having"):
        having = part.data
        if not isinstance(having, Having):
            continue
        if not having.measure.table:
            if not _counts_next(sketch, part) and _on_only_number(sketch, having):
                continue
            if child := counted_beside(sketch):
                _conditioned(sketch, replace(having, measure=Measure("count", child)))
                continue
            if len(sketch.wanted) != 1 or not sketch.meaning.groups:
                sketch.doubt(f"I cannot tell what “{part.said}” is compared with.", 4.0)
                continue
            having = replace(having, measure=sketch.wanted[0].measure)
        _conditioned(sketch, having)


def _means_compared(sketch: Sketch) -> None:
    """“apps with a rating under 3”: the mean of each, where they have many and none is named."""
    target = sketch.target
    named = {str(part.data) for part in sketch.parts("noun")} | {p.table for p in sketch.data("presence")}
    for test in sketch.meaning.filters if target and not target.column else ():
        table = test.field.table
        compared = test.operator in MORE_OR_LESS and len(test.values) == 1 and not (test.other or test.than)
        if not target or not compared or table in named or is_term(test.field) or not averaged(test.field):
            continue
        if many_between(sketch.lexicon, target.table, table) and isinstance(test.values[0], int | float):
            sketch.edit(filters=tuple(other for other in sketch.meaning.filters if other != test))
            mean = Measure("avg", table, test.field.column)
            _conditioned(sketch, Having(mean, test.operator, test.values[0]))
            sketch.assume(f"the average {title(test.field)} of each is compared")


def counted_beside(sketch: Sketch) -> str:
    """The other things named, where each one asked about may have many: “visited at least twice”."""
    if sketch.target is None or sketch.target.column or sketch.wanted:
        return ""
    table = sketch.target.table
    others = {str(part.data) for part in sketch.parts("noun")} - {table}
    many = sorted(other for other in others if many_between(sketch.lexicon, table, other))
    return many[0] if len(many) == 1 else ""


def _counts_next(sketch: Sketch, part: Part) -> bool:
    """Whether the number counts the thing right behind it: “more than 3 no-shows”."""
    return any(
        item.kind in ("table", "term") and item.cost < PARTIAL for item in sketch.lattice.items.get(part.end, ())
    )


def _on_only_number(sketch: Sketch, having: Having) -> bool:
    """“invoices above 20”: by the column of their size."""
    if sketch.target is None or sketch.target.column or sketch.wanted:
        return False
    field = main_amount(sketch.lexicon, sketch.target.table)
    if field is None:
        return False
    sketch.assume(f"{title(field)} is compared")
    sketch.edit(filters=(*sketch.meaning.filters, Filter(field, having.operator, (having.value,))))
    return True


def _conditioned(sketch: Sketch, having: Having) -> None:
    meaning, table = sketch.meaning, having.measure.table
    target = sketch.target
    if target is None and not meaning.groups:
        sketch.doubt("I cannot tell whose figure is compared.")
        return
    if not meaning.groups and target and target.table == table and target.column is None:
        sketch.doubt("I cannot tell whose figure is compared.", 2.0)
        return
    counts_rows = having.measure.function == "count" and having.measure.column is None
    if counts_rows and _some(having) and target and target.table != table and not meaning.groups:
        there = Presence(table, having.operator in (">", ">="), having.measure.where)
        sketch.edit(presences=(*meaning.presences, there))
        return
    sketch.edit(havings=(*meaning.havings, having))
    if not meaning.groups and target:
        sketch.edit(groups=(target,))
    counted = [w for w in sketch.wanted if w.measure.function == "count" and target and w.measure.table == target.table]
    if counted:
        sketch.wanted.clear()
        sketch.edit(fold=Fold("count", sketch.meaning.groups), groups=(), measures=(having.measure,))


def _some(having: Having) -> bool:
    return (having.operator, having.value) in ((">", 0), (">=", 1), ("<", 1), ("=", 0))
