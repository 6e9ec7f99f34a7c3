"""The queries of an explanation, each a SELECT of sums by day, by value and day, or by values in three periods."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from dateutil.relativedelta import relativedelta

from ai.agents.explaining.asked import AskedChange
from ai.analysis.finding import Finding
from ai.analysis.study import Cell, Daily, Days, Key, Parts, Segments, averaged
from ai.nl2sql.changes.columns import MOST_VALUES, has_price, is_loaded, quantities
from ai.nl2sql.changes.figure import FigureParts, sums_sql
from ai.nl2sql.comparison import Sides, side_by_side
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Group, Meaning, Measure, Period
from ai.results.table import Row

Ask = Callable[[str], tuple[Row, ...]]  # (): too many rows
HISTORY = relativedelta(years=2)
DIGITS = 6
WEEKS = timedelta(weeks=8)  # of segments before both periods


@dataclass
class DatabaseStudy:
    """A study that asks a database; `queries` are its own."""

    change: AskedChange
    parts: FigureParts
    today: date
    ask: Ask
    dimensions: tuple[str, ...]
    queries: list[str] = field(default_factory=list)

    @property
    def before(self) -> Days:
        return self.change.before

    @property
    def now(self) -> Days:
        return self.change.now

    @property
    def previous(self) -> Days:
        return previous(self.before, self.before)

    @property
    def since(self) -> date:
        return min(self.previous.start, self.before.start - WEEKS)

    @property
    def is_ratio(self) -> bool:
        return self.parts.base is not None

    @property
    def is_mean(self) -> bool:
        return self.change.is_mean

    @property
    def loaded(self) -> tuple[str, ...]:
        return tuple(name for name in self.dimensions if is_loaded(self.parts.lexicon, _field(name)))

    @property
    def is_summary(self) -> bool:
        key = self.parts.lexicon.table(self.table).primary_key
        return self.change.day.column in key

    @property
    def has_price(self) -> bool:
        return not self.is_ratio and has_price(self.parts.lexicon, self.parts.top)

    @property
    def quantities(self) -> tuple[str, ...]:
        if not self.has_price:
            return ()
        own = self.parts.top.column
        found = quantities(self.parts.lexicon, self.table)
        return tuple(f"{each.table}.{each.column}" for each in found if each.column != own)

    @property
    def table(self) -> str:
        return self.parts.top.table

    def daily(self) -> Daily:
        days = Days((self.before.start - HISTORY), max(self.today, self.now.end))
        rows = self._rows((self._by_day,), self._measures(), days, self.change.base)
        return {_day(row[0]): parts for row, parts in rows if row[0] is not None}

    def segments(self, dimension: str, *, unfiltered: bool = False) -> Segments:
        group, base = _group(dimension), self.change.base
        base = without_filter(base, dimension) if unfiltered else base
        days = Days(self.since, max(self.today, self.now.end))
        found: dict[Key, dict[date, Parts]] = {}
        for row, parts in self._rows((group, self._by_day), self._measures(), days, base):
            if row[1] is not None:
                found.setdefault(_key(row[0]), {})[_day(row[1])] = parts
        return found if len(found) <= MOST_VALUES else {}

    def cells(self, dimensions: Collection[str]) -> tuple[Cell, ...]:
        periods = (self.previous, self.before, self.now)
        measures = [_within(measure, self.change.day, days) for days in periods for measure in self._measures()]
        width, groups = len(self._measures()), tuple(map(_group, dimensions))
        span = Days(self.previous.start, self.now.end)
        found = []
        for row, parts in self._rows(groups, measures, span, self.change.base):
            sides = (parts[place * width : (place + 1) * width] for place in range(len(periods)))
            each = (averaged(side, days, is_mean=self.is_mean) for side, days in zip(sides, periods, strict=True))
            found.append(Cell(tuple(map(_key, row[: len(groups)])), *each))
        return tuple(found)

    @property
    def _by_day(self) -> Group:
        return Group(self.change.day.table, self.change.day.column, "day")

    def _measures(self) -> list[Measure]:
        rows, top = Measure("count", self.table), self.parts.top
        more = [Measure("sum", field.table, field.column) for field in map(_field, self.quantities)]
        return [top, self.parts.base or rows, rows, *more]

    def _rows(
        self, groups: tuple[Group, ...], measures: list[Measure], days: Days, base: Meaning
    ) -> Iterable[tuple[Row, Parts]]:
        """Run one query; a figure wanted twice is asked once."""
        once = tuple(dict.fromkeys(measures))
        period = Period(self.change.day, days.start, days.end)
        meaning = replace(base, measures=once, groups=groups, periods=(*base.periods, period))
        sql = sums_sql(meaning, self.parts.lexicon, self.today)
        self.queries.append(sql)
        places = [len(groups) + once.index(measure) for measure in measures]
        return ((row, tuple(_exact(row[place]) for place in places)) for row in self.ask(sql))


def previous(days: Days, like: Days) -> Days:
    """Return the period before: whole months before months, else weekday on weekday."""
    if months := like.months:
        step = relativedelta(months=months)
        return Days(days.start - step, days.end - step)
    return days.shifted(-7 * -(-like.length // 7))


def shown(change: AskedChange, finding: Finding, lexicon: Lexicon) -> Meaning:
    """Return the meaning of the figures shown: both periods compared, by the dimensions of the cause."""
    dimension = finding.breakdown.dimension if finding.breakdown else finding.rename_in
    base = change.base
    if dimension == "day":
        span = Period(change.day, min(change.before.start, change.now.start), change.now.end)
        base = replace(base, periods=(*base.periods, span))
        return replace(base, measures=(change.measure,), groups=(Group(change.day.table, change.day.column, "day"),))
    groups = tuple(_group(name) for name in dimension.split(" & ") if "." in name)
    now, before = (Period(change.day, days.start, days.end) for days in (change.now, change.before))
    measures = side_by_side(change.measure, Sides(now, before), lexicon)
    if finding.rename_in:
        base = without_filter(base, finding.rename_in)
    return replace(base, measures=measures, groups=groups)


def without_filter(base: Meaning, dimension: str) -> Meaning:
    return replace(base, filters=tuple(test for test in base.filters if test.field != _field(dimension)))


def _field(name: str) -> Field:
    table, _, column = name.rpartition(".")
    return Field(table, column)


def _group(dimension: str) -> Group:
    field = _field(dimension)
    return Group(field.table, field.column)


def _within(measure: Measure, day: Field, days: Days) -> Measure:
    return replace(measure, where=(*measure.where, Period(day, days.start, days.end)))


def _exact(cell: object) -> Fraction:
    """Return a sum as a fraction; one of binary floats loses what is beyond its digits."""
    if isinstance(cell, float):
        return Fraction(str(round(cell, DIGITS)))
    return Fraction(cell) if isinstance(cell, int | Decimal) else Fraction(0)


def _day(cell: object) -> date:
    if isinstance(cell, datetime):
        return cell.date()
    return cell if isinstance(cell, date) else date.fromisoformat(str(cell)[:10])


def _key(cell: object) -> Key:
    return None if cell is None else str(cell)
