"""The words and the table of an explanation: at most five sentences, every figure a cell or computed from cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

from ai.agents.explaining.asked import AskedChange
from ai.agents.port import TableEvent
from ai.analysis.finding import Driver, Finding, PartRow, named
from ai.analysis.study import Days
from ai.answers.formats import Format, format_of, heading_words
from ai.answers.phrase import listed, literal
from ai.language.formats import AMERICAN
from ai.language.formats import day as written_day
from ai.language.periods import period_named
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field
from ai.nl2sql.schema import called, noun
from ai.nl2sql.words import singular
from ai.results.table import ResultColumn, ResultTable

SHOWN, LISTED = 8, 3
CENTS = 2  # digits of a figure that is not whole


@dataclass(frozen=True, slots=True)
class Telling:
    """Says a finding about a change, in the unit of its figure."""

    change: AskedChange
    finding: Finding
    lexicon: Lexicon
    today: date
    is_ratio: bool = False

    def text(self) -> str:
        return " ".join([self._headline(), *self._cause(), *self._notes()])

    def reading(self) -> str:
        """Return what was compared, for the small print."""
        change = self.change
        before, now = self._sides()
        return f"{change.name}, {now} beside {before}"

    def table(self) -> TableEvent | None:
        """Return the parts of the change with their total, the smallest ones together."""
        found, whole = self.finding, self.finding.change
        if found.breakdown is None or not whole:
            return None
        rows = list(found.breakdown.rows)
        if len(rows) > SHOWN + 1:
            rows = [*rows[:SHOWN], _together(rows[SHOWN:])]
        rows.append(PartRow("total", found.before, found.now, whole))
        heads = (self._dimension(found.breakdown.dimension), *self._sides(), "Change", "Share of change")
        kept = [(row.name, cell(row.before), cell(row.now), cell(row.effect), cell(row.effect / whole)) for row in rows]
        table = ResultTable(tuple(map(ResultColumn, heads)), tuple(kept), len(kept))
        written = tuple((row.name, *self._cells(row), _percent(row.effect / whole)) for row in rows)
        return TableEvent(table, heads, written)

    def _cells(self, row: PartRow) -> tuple[str, str, str]:
        before, now, effect = (self._format.cell(cell(figure)) for figure in (row.before, row.now, row.effect))
        return before, now, effect

    # --- sentences -----------------------------------------------------------------------------------------------

    def _headline(self) -> str:
        found, change = self.finding, self.change
        name = f"**{_capital(literal(change.name))} "
        before, now = self._said(found.before), self._said(found.now)
        when, then = self._when(change.now), self._when(change.before)
        if self._is_empty:
            return f"**There is nothing to compare**: the data has no rows of {literal(change.name)} {self._empty()}."
        if before == now:
            return f"{name}did not change**: {now} {when} and {then}."
        is_down = found.change < 0
        against = change.says_down is not None and change.says_down != is_down
        moved = (
            f"did not {'fall but rose' if change.says_down else 'rise but fell'}"
            if against
            else ("fell" if is_down else "rose")
        )
        by = f" by {_percent(abs(found.change / found.before))}" if found.before else ""
        return f"{name}{moved}{by}**, to {now} {when} from {before} {then}."

    def _cause(self) -> Iterator[str]:
        match self.finding.cause:
            case "data gap":
                yield from self._gap()
            case "seasonality":
                yield from self._season()
            case "no change":
                yield "That is within its usual ups and downs, so nothing needs explaining."
            case "outlier day":
                yield from self._outlier()
            case "price or volume":
                yield from self._price()
            case "mix shift":
                yield from self._mix()
            case _:
                yield from self._rename()
                yield from self._segments()

    def _gap(self) -> Iterator[str]:
        gap, found = self.finding.gap, self.finding
        if gap is None:
            return
        if self._is_empty:
            if found.newest:
                yield f"Its newest day is {self._day(found.newest)}; ask for a period with data."
            return
        whose = f"{self._dimension(found.gap_in).lower()} {literal(named(gap.value))}" if found.gap_in else "the table"
        days = f"{len(gap.days)} day{'' if len(gap.days) == 1 else 's'}"
        yield f"**Data are missing**: {whose} has no rows {self._span(gap.days)} ({days}), though every such day before had some."
        yield "Load these days, or check whether it ended, and ask again; the other parts explain less than half of the change."

    @property
    def _is_empty(self) -> bool:
        return self.finding.gap is not None and not self.finding.gap.loss

    def _empty(self) -> str:
        gap, change = self.finding.gap, self.change
        return self._when(change.now if gap and gap.days == change.now.days else change.before)

    def _season(self) -> Iterator[str]:
        season = self.finding.season
        if season is None:
            return
        old, new = map(self._said, season.figures)
        if season.kind == "calendar":
            yield f"The periods differ in days and weekdays: at the daily figures of the first one, {new} were to be expected."
        else:
            kinds = {
                "weekday": "These weekdays differ like this every week",
                "year": "It is the season",
                "day of the month": "This part of the month is always like this",
            }
            yield f"{kinds[season.kind]}: it went from {old} {self._when(season.before)} to {new} {self._when(season.now)}."
        yield "Nothing else needs explaining."

    def _outlier(self) -> Iterator[str]:
        day, (driver, *_) = self.finding.outlier, self.finding.drivers
        if day is None:
            return
        yield f"It is one day, {self._day(day.day)}: {self._said(day.found)}, where {self._said(day.usual)} are usual for that weekday."
        yield f"That day makes {_percent(driver.share)} of the change; the other days were as usual."

    def _price(self) -> Iterator[str]:
        drivers, table = self.finding.drivers, self.finding.breakdown
        if not any(driver.dimension == "price" for driver in drivers):
            yield "It moved everywhere alike: no part stands out."
            return
        prices = next((row for row in table.rows if row.name == "price"), None) if table else None
        for driver in drivers:
            of = "" if driver.value == "all" else f" of {literal(driver.value)}"
            if driver.dimension == "volume":
                yield f"{_percent(driver.share)} of the change comes from the number of {self._counted(many=True)}."
            else:
                yield f"{_percent(driver.share)} of the change comes from the average per {self._counted()}{of}."
        if prices and not self.is_ratio:
            yield f"That average went from {self._said_of(prices.before)} to {self._said_of(prices.now)} over all."

    def _counted(self, *, many: bool = False) -> str:
        column = self.finding.per.rpartition(".")[2]
        words = heading_words(column).lower() if column else noun(self.lexicon, self.change.measure.table)
        return words if many else singular(words)

    def _said_of(self, figure: Fraction | None) -> str:
        return "none" if figure is None else self._format.said(cell(figure))

    def _mix(self) -> Iterator[str]:
        first = self.finding.drivers[0]
        dimension = self._dimension(first.dimension).lower()
        parts = [
            f"{literal(driver.value)} ({_percent(driver.share)} of the change)"
            for driver in self.finding.drivers[:LISTED]
        ]
        yield f"The mix of {dimension} shifted: {listed(parts, LISTED)}."
        yield f"Within each {dimension} it stayed nearly as it was."

    def _rename(self) -> Iterator[str]:
        rename = self.finding.rename
        if rename is None:
            return
        old, new = (literal(named(key)) for key in (rename.old, rename.new))
        sizes = [self._said(size) for size in rename.sizes]
        since = f"{sizes[0]} before, {sizes[1]} after" if not self.is_ratio else ""
        yield f"“{old}” goes by the name “{new}” since {self._day(rename.since)} ({since}), so that is no real change."

    def _segments(self) -> Iterator[str]:
        drivers = self.finding.drivers
        if not drivers:
            if self.finding.rename is None:
                yield "No part of it stands out."
            return
        new = " has no rows before and" if self.finding.cause == "new segment" else ""
        told = [
            f"{self._part(driver)}{new} makes {_percent(driver.share)} of the change" for driver in drivers[:LISTED]
        ]
        yield f"{_capital('; '.join(told))}."
        if len(drivers) > 1 and len({driver.dimension for driver in drivers}) > 1:
            yield "The parts overlap, so their shares count some of it twice."
        if not any(driver.effect for driver in drivers):
            yield "All other parts moved little or alike."

    def _notes(self) -> Iterator[str]:
        if self.change.is_cut:
            yield "The period is not over, so both sides count the same number of days."
        for note in self.change.notes:
            yield f"I took {note}."

    # --- words of parts ------------------------------------------------------------------------------------------

    def _part(self, driver: Driver) -> str:
        names, values = driver.dimension.split(" & "), driver.value.split(" & ")
        if len(names) != len(values):
            return f"{self._dimension(driver.dimension).lower()} {literal(driver.value)}"
        pairs = zip(names, values, strict=True)
        return " with ".join(f"{self._dimension(name).lower()} {literal(value)}" for name, value in pairs)

    def _dimension(self, dimension: str) -> str:
        names = [name.rpartition(".") for name in dimension.split(" & ")]
        said = [_titled(table, column) for table, _, column in names]
        return _capital(" and ".join(said))

    def _sides(self) -> tuple[str, str]:
        sides = (self._when(days) for days in (self.change.before, self.change.now))
        before, now = (
            _capital(said.split(" ", 1)[1] if said.startswith(("in ", "on ", "from ")) else said) for said in sides
        )
        return before, now

    def _when(self, days: Days) -> str:
        return period_named(days.start, days.end, self.today, AMERICAN)

    def _span(self, days: tuple[date, ...]) -> str:
        is_row = days[-1] - days[0] == timedelta(len(days) - 1)
        if is_row and len(days) > 1:
            return f"from {self._day(days[0])} to {self._day(days[-1])}"
        return "on " + listed([self._day(day) for day in days], LISTED)

    def _day(self, day: date) -> str:
        return written_day(day, AMERICAN, year=day.year != self.today.year)

    def _said(self, figure: Fraction) -> str:
        return self._format.said(cell(figure))

    @property
    def _format(self) -> Format:
        measure, semantics = self.change.measure, self.lexicon.semantics
        field = Field(measure.table, measure.column or "")
        metric = self.lexicon.metrics.get(field)
        unit = semantics.units.get(f"{field.table}.{field.column}")
        name = self.change.name if measure.per or not measure.column or metric else called(self.lexicon, field)
        figures = [cell(self.finding.before), cell(self.finding.now)]
        return format_of(name, metric.unit if metric else unit.unit if unit and not measure.per else "", figures)


def cell(figure: Fraction | None) -> int | Decimal | float | None:
    """Return a figure as a cell: whole, in cents, or a ratio."""
    if figure is None or figure.denominator == 1:
        return None if figure is None else int(figure)
    exact = Decimal(figure.numerator) / Decimal(figure.denominator)
    rounded = round(exact, CENTS)
    return rounded if Fraction(rounded) == figure else float(exact)


def _percent(share: Fraction) -> str:
    value = float(share) * 100
    return f"{value:,.0f} %" if abs(value) >= 10 or not value else f"{value:,.1f} %"


def _titled(table: str, column: str) -> str:
    said = heading_words(column).lower()
    return heading_words(table).lower().removesuffix("s") if said in ("name", "title") and table else said


def _together(rows: Sequence[PartRow]) -> PartRow:
    before, now = (sum((side for side in sides if side), Fraction(0)) for sides in (
        [row.before for row in rows], [row.now for row in rows]))  # fmt: skip
    return PartRow(f"{len(rows)} others", before, now, sum((row.effect for row in rows), Fraction(0)))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
