"""The choices for each part of a meaning: names to choose from, each with its change."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple, TypeVar

from ai.language.date_phrases import date_phrase
from ai.language.formats import AMERICAN
from ai.language.periods import period_named, time_named
from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.comparison import UNITS
from ai.nl2sql.definitions import metric_field
from ai.nl2sql.echo import conditions, figure
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Group, Meaning, Measure, Order, Period, Scalar
from ai.nl2sql.schema import days, display, figure_days, is_numeric, noun, title, without_unit
from ai.nl2sql.values import truths
from ai.nl2sql.words import split
from ai.sql.catalog import Column, Table

T = TypeVar("T")
Change = Callable[[Meaning], Meaning]
TIMES = (
    *("this month", "last month", "this quarter", "last quarter", "this year", "last year"),
    *("last 7 days", "last 30 days", "last 12 months"),
)
TOPS = (3, 5, 10, 20)
MOST_VALUES = 40  # of one column; with more it is no choice
MOST_TESTS = 90
ALL_TIMES, AS_ASKED, IN_TIME = "all of it", "as asked", "in order of time"


class Option(NamedTuple):
    name: str
    change: Change


@dataclass(frozen=True, slots=True)
class MeaningPart:
    """One part of a meaning. `kept` holds now; `clear` takes it off first, where several options may hold.

    `day` names the column of a time.
    """

    name: str
    options: tuple[Option, ...]
    kept: tuple[str, ...]
    clear: Change | None = None
    day: str = ""

    @property
    def many(self) -> bool:
        return self.clear is not None


def figures(meaning: Meaning, lexicon: Lexicon) -> MeaningPart | None:
    """Return the figures of the same rows, where one is asked for."""
    if len(meaning.all_measures) != 1 or meaning.havings or meaning.all_measures[0].where:
        return None
    (old,) = meaning.all_measures
    if old.per or old.less:
        return None
    times = figure_days(lexicon, old)
    found = {_figure_name(new, lexicon): new for new in _figures_of(old.table, lexicon)}
    same = {name: new for name, new in found.items() if figure_days(lexicon, new) == times}
    options = _with_kept({_figure_name(old, lexicon): old}, same)
    return MeaningPart("figure", tuple(Option(name, _measuring(old, new)) for name, new in options), options[0][:1])


def _figures_of(name: str, lexicon: Lexicon) -> Iterator[Measure]:
    for metric in lexicon.metrics.values():
        if metric.table == name:
            yield Measure("metric", name, metric_field(metric).column)
    is_thing = bool(display(lexicon, name))
    if is_thing:
        yield Measure("count", name)
    for column in lexicon.table(name).columns:
        field = Field(name, column.name)
        if is_numeric(lexicon, field):
            yield from dict.fromkeys((total_of(field), *([Measure("avg", name, column.name)] if is_thing else [])))


def _figure_name(measure: Measure, lexicon: Lexicon) -> str:
    return without_unit(figure(measure, lexicon))


def _measuring(old: Measure, new: Measure) -> Change:
    return lambda meaning: meaning.exchanged(old, new)


def times(meaning: Meaning, lexicon: Lexicon, today: date) -> MeaningPart | None:
    """Return the usual periods, where the rows have one day to go by."""
    fields = {period.field: None for period in meaning.periods} or dict.fromkeys(_days_of(meaning, lexicon))
    compared = any(isinstance(test, Period) for measure in meaning.all_measures for test in measure.where)
    if len(fields) != 1 or len(meaning.periods) > 1 or compared or meaning.last:
        return None
    (field,) = fields
    found = {name: Period(field, *span) for name, span in _spans(today)}
    now = meaning.periods[0] if meaning.periods else None
    known = next((name for name, period in found.items() if period == now), None)
    named = period_named(now.start, now.end, today, AMERICAN).removeprefix("in ") if now else ALL_TIMES
    options = {known or named: now, **found}
    if now is None or not lexicon.column(field).nullable:  # else rows without the day, which it never was about
        options[ALL_TIMES] = None
    chosen = tuple(Option(name, _timed(period)) for name, period in options.items())
    return MeaningPart("time", chosen, (known or named,), day=title(field))


def _days_of(meaning: Meaning, lexicon: Lexicon) -> list[Field]:
    if len(meaning.all_measures) == 1:
        return figure_days(lexicon, meaning.all_measures[0])
    return [] if meaning.all_measures else days(lexicon, meaning.subject)


def _spans(today: date) -> Iterator[tuple[str, tuple[date | None, date | None]]]:
    for phrase in TIMES:
        if found := date_phrase(split(phrase), today):
            start, end = found.span.start, found.span.end
            named = time_named(start, end, today, AMERICAN)
            inner = named.partition("(")[2].rstrip(")") or named
            yield f"{phrase} ({inner})", (start, end)


def _timed(period: Period | None) -> Change:
    return lambda meaning: replace(meaning, periods=(period,) if period else ())


def groups(meaning: Meaning, lexicon: Lexicon) -> MeaningPart | None:
    """Return the possible groups of a figure."""
    if not meaning.all_measures or meaning.havings:
        return None
    root, found = meaning.root, dict[str, Group]()
    for day in _days_of(meaning, lexicon)[:1]:
        found |= {unit: Group(day.table, day.column, unit) for unit in UNITS}
    for table in _tables_of(root, lexicon):
        if table.name != root and display(lexicon, table.name):
            found.setdefault(noun(lexicon, table.name, many=False), Group(table.name))
        for column in _sorted_by(table, lexicon):
            found.setdefault(_column_name(table, column, root, lexicon), Group(table.name, column.name))
    kept = {_group_name(group, found): group for group in meaning.groups}
    options = _with_kept(kept, found)
    return MeaningPart("per", tuple(Option(name, _grouped(new)) for name, new in options), tuple(kept), _ungrouped)


def _group_name(group: Group, found: dict[str, Group]) -> str:
    name = title(Field(group.table, group.column)) if group.column else group.table
    return next((name for name, known in found.items() if known == group), f"{group.unit or ''} {name}".strip())


def _ungrouped(meaning: Meaning) -> Meaning:
    measures = meaning.measures or meaning.all_measures[:1]
    return replace(meaning, subject=meaning.root, measures=measures, groups=(), columns=(), distinct=False,
                   order=(), limit=None, offset=0, every=False, share=False)  # fmt: skip


def _grouped(group: Group) -> Change:
    def change(meaning: Meaning) -> Meaning:
        groups = (*meaning.groups, group)
        in_time = any(each.unit for each in groups)
        return replace(meaning, groups=groups, order=() if in_time else (Order(meaning.all_measures[0], True),))

    return change


def tests(meaning: Meaning, lexicon: Lexicon) -> MeaningPart | None:
    """Return the conditions in force, and those on columns of few values."""
    root = meaning.root
    kept = {_test_name(test, root, lexicon): test for each in meaning.filters for test in _alone(each)}
    found = {_test_name(test, root, lexicon): test for test in _tests_of(root, lexicon)}
    options = _with_kept(kept, found)[: MOST_TESTS + len(kept)]
    chosen = tuple(Option(name, _tested(test)) for name, test in options)
    return MeaningPart("only", chosen, tuple(kept), lambda before: replace(before, filters=())) if chosen else None


def _alone(test: Filter) -> Iterator[Filter]:
    """Yield a condition, one of several values for each of them."""
    if test.operator == "in":
        yield from (replace(test, operator="=", values=(value,)) for value in test.values)
    else:
        yield test


def _tests_of(root: str, lexicon: Lexicon) -> Iterator[Filter]:
    for field in lexicon.terms:
        if field.table == root:
            yield Filter(field, "=", (True,))
    for table in _tables_of(root, lexicon):
        for column in _sorted_by(table, lexicon):
            yield from (Filter(Field(table.name, column.name), "=", (value,)) for value in _values_of(column))


def _values_of(column: Column) -> Iterable[Scalar]:
    return [value for value, _ in truths(column)] or column.values


def _test_name(test: Filter, root: str, lexicon: Lexicon) -> str:
    return conditions(Meaning(root, filters=(test,)), lexicon).removeprefix("where ")


def _tested(test: Filter) -> Change:
    """Add a condition; a second value of the same column holds as well as the first."""

    def change(meaning: Meaning) -> Meaning:
        same = next((f for f in meaning.filters if f.field == test.field and f.operator in ("=", "in")), None)
        if same is None or test.operator != "=" or same == test:
            return replace(meaning, filters=tuple(dict.fromkeys((*meaning.filters, test))))
        return replace(meaning, filters=tuple(f.joined(test) if f == same else f for f in meaning.filters))

    return change


def orders(meaning: Meaning, lexicon: Lexicon) -> MeaningPart | None:
    """Return the ways to sort and cut the rows."""
    ways = _ranks(meaning) if meaning.groups else _sortings(meaning, lexicon)
    if not ways:
        return None
    now = (meaning.order, meaning.limit)
    kept = next((name for name, way in ways.items() if way == now), AS_ASKED)
    options = _with_kept({kept: now}, ways)
    return MeaningPart("show", tuple(Option(name, _ordered(*way)) for name, way in options), (kept,))


def _ranks(meaning: Meaning) -> dict[str, tuple[tuple[Order, ...], int | None]]:
    if len(meaning.all_measures) != 1:
        return {}
    down, up = (Order(meaning.all_measures[0], descending) for descending in (True, False))
    in_time: dict[str, tuple[tuple[Order, ...], int | None]] = {IN_TIME: ((), None)}
    found = in_time if any(group.unit for group in meaning.groups) else {}
    found |= {"all, highest first": ((down,), None), "all, lowest first": ((up,), None)}
    found |= {f"the {count} highest": ((down,), count) for count in TOPS}
    return found | {"the 5 lowest": ((up,), 5)}


def _sortings(meaning: Meaning, lexicon: Lexicon) -> dict[str, tuple[tuple[Order, ...], int | None]]:
    found: dict[str, tuple[tuple[Order, ...], int | None]] = {}
    for field in meaning.columns[:6] if not meaning.all_measures and not meaning.distinct else ():
        column, name = lexicon.column(field), title(field)
        words = ("newest first", "oldest first") if column.kind in ("date", "datetime") else ("Z to A", "A to Z")
        words = words if column.kind not in ("integer", "number") else ("highest first", "lowest first")
        for said, descending in zip(words, (True, False), strict=True):
            found[f"by {name}, {said}"] = ((Order(field, descending),), meaning.limit)
    return found


def _ordered(order: tuple[Order, ...], limit: int | None) -> Change:
    return lambda meaning: replace(meaning, order=order, limit=limit)


def _tables_of(root: str, lexicon: Lexicon) -> Iterator[Table]:
    """Yield the table and those of which each row has one, the nearest first."""
    paths = ((lexicon.links.path(root, table.name), table) for table in lexicon.catalog.tables)
    near = [(len(path), table) for path, table in paths if path is not None and not any(link.many for link in path)]
    yield from (table for _, table in sorted(near, key=lambda pair: pair[0]))


def _sorted_by(table: Table, lexicon: Lexicon) -> Iterator[Column]:
    """Yield the columns of few values, none of them personal."""
    named = display(lexicon, table.name)
    for column in table.columns:
        few = 1 < len(column.values) <= MOST_VALUES and column.kind == "text"
        if (few or truths(column)) and not column.personal and Field(table.name, column.name) not in named:
            yield column


def _column_name(table: Table, column: Column, root: str, lexicon: Lexicon) -> str:
    name = title(Field(table.name, column.name))
    return name if table.name == root else f"{noun(lexicon, table.name, many=False)} {name}"


def _with_kept(kept: dict[str, T], found: dict[str, T]) -> list[tuple[str, T]]:
    """Return what holds now, then everything else."""
    return list({**kept, **{name: value for name, value in found.items() if value not in kept.values()}}.items())
