"""The words and the table of an explanation: at most five sentences, every figure a cell or computed from cells."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from ai.agents.explaining.asked import AskedChange
from ai.agents.explaining.parts import (
    FLAGS,
    LISTED,
    cell,
    day_said,
    dimension_name,
    part_name,
    percent,
    span_said,
)
from ai.agents.port import TableEvent
from ai.analysis.finding import Driver, Finding, PartRow, named, together
from ai.analysis.study import Days
from ai.answers.formats import Format, format_of, heading_words
from ai.answers.naming import abridged
from ai.answers.phrase import literal
from ai.language.formats import AMERICAN, number
from ai.language.periods import period_named, time_named
from ai.language.tables import rows
from ai.language.words import capital
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field
from ai.nl2sql.schema import called, noun
from ai.nl2sql.words import singular
from ai.results.table import ResultColumn, ResultTable

SHOWN = 8


@dataclass(frozen=True, slots=True)
class Telling:
    """Says a finding about a change, in the unit of its figure."""

    change: AskedChange
    finding: Finding
    lexicon: Lexicon
    today: date
    is_ratio: bool = False
    locale: str = AMERICAN

    def text(self) -> str:
        return " ".join([self._headline(), *self._cause(), *self._notes()])

    def reading(self) -> str:
        """Return the periods compared, for the small print."""
        change = self.change
        before, now = self._sides()
        return f"{change.name}, {now} beside {before}"

    def table(self) -> TableEvent | None:
        """Return the parts of the change with their total, the smallest ones together."""
        found, whole = self.finding, self.finding.change
        if found.breakdown is None or not whole:
            return None
        rows = [replace(row, name=FLAGS.get(row.name, row.name)) for row in found.breakdown.rows]
        if len(rows) > SHOWN + 1:
            rows = [*rows[:SHOWN], together(rows[SHOWN:])]
        rows.append(PartRow("total", found.before, found.now, whole))
        sides = map(capital, self._sides())
        heads = (dimension_name(found.breakdown.dimension), *sides, "Change", "Share of change")
        kept = [(row.name, cell(row.before), cell(row.now), cell(row.effect), cell(row.effect / whole)) for row in rows]
        table = ResultTable(tuple(map(ResultColumn, heads)), tuple(kept), len(kept))
        written = tuple((row.name, *self._cells(row), percent(row.effect / whole, self.locale)) for row in rows)
        return TableEvent(table, heads, written)

    def _cells(self, row: PartRow) -> tuple[str, str, str]:
        sides = Format("number", locale=self.locale) if row.name == "volume" else self._format
        before, now = (sides.cell(cell(figure)) for figure in (row.before, row.now))
        return before, now, self._format.cell(cell(row.effect))

    # --- sentences -----------------------------------------------------------------------------------------------

    def _headline(self) -> str:
        found, change = self.finding, self.change
        name = capital(literal(change.name))
        before, now = self._said(found.before), self._said(found.now)
        when, then = self._when(change.now), self._when(change.before)
        if self._is_empty:
            is_now = found.gap is not None and found.gap.days == change.now.days
            return said("empty", literal(change.name), when if is_now else then)
        if before == now:
            return said("same", name, now, when, then)
        by = f" by {percent(abs(found.change / found.before), self.locale)}" if found.before else ""
        return said("moved", name, self._direction(), by, now, when, before, then)

    def _direction(self) -> str:
        is_down = self.finding.change < 0
        if self.change.says_down is None or self.change.says_down == is_down:
            return "fell" if is_down else "rose"
        return "did not rise but fell" if is_down else "did not fall but rose"

    def _cause(self) -> Iterator[str]:
        match self.finding.cause:
            case "data gap":
                yield from self._gap()
            case "seasonality":
                yield from self._season()
            case "no change":
                yield self._crossed() or said("usual")
                yield from self._gap() if self.finding.gap else ()
            case "outlier day":
                yield from self._outlier()
            case "price or volume":
                yield from self._price()
            case "mix shift":
                yield from self._mix()
            case "members":
                yield from self._members()
            case _:
                yield from self._rename()
                yield from self._segments()

    def _gap(self) -> Iterator[str]:
        gap, found = self.finding.gap, self.finding
        if gap is None or self._is_empty:
            yield from [said("newest", day_said(found.newest, self.today))] if found.newest else []
            return
        whose = f"{dimension_name(found.gap_in).lower()} {literal(named(gap.value))}" if found.gap_in else "the table"
        days = f"{len(gap.days)} day{'' if len(gap.days) == 1 else 's'}"
        yield said("missing", whose, span_said(gap.days, self.today), days)
        if found.cause == "data gap":
            figures = map(self._said, (gap.loss, abs(found.change)))
            yield said("hidden", *figures) if found.is_hidden else said("load")

    def _crossed(self) -> str:
        """Tell two parts that cancel out, "" without such."""
        if self.finding.crossed is None:
            return ""
        dimension, *rows = self.finding.crossed
        names = [part_name(Driver(dimension, row.name, Fraction(0))) for row in rows]
        sides = [self._said(side or Fraction(0)) for row in rows for side in (row.now, row.before)]
        return said("crossed", *names, *sides)

    @property
    def _is_empty(self) -> bool:
        return self.finding.gap is not None and not self.finding.gap.loss

    def _season(self) -> Iterator[str]:
        season = self.finding.season
        if season is None:
            return
        old, new = map(self._said, season.figures)
        if season.kind == "calendar":
            yield said("calendar", new)
        else:
            yield said(season.kind, old, self._when(season.before), new, self._when(season.now))
        yield said("no more")

    def _outlier(self) -> Iterator[str]:
        apart, (driver, *_) = self.finding.outlier, self.finding.drivers
        if apart:
            yield said("one day", day_said(apart.day, self.today), self._said(apart.found), self._said(apart.usual))
            yield said("day share", percent(driver.share, self.locale))

    def _price(self) -> Iterator[str]:
        drivers, table = self.finding.drivers, self.finding.breakdown
        rows = {row.name: row for row in table.rows} if table else {}
        if not any(driver.dimension == "price" for driver in drivers) or self.is_ratio:
            yield said("everywhere")
            return
        for driver in drivers:
            row = rows[driver.dimension]
            sides, size = [cell(side) for side in (row.before, row.now)], self._said(abs(row.effect))
            moved = "brought" if row.effect > 0 else "took"
            if driver.dimension == "volume":
                figures = [number(side or 0, 0, self.locale) for side in sides]
                yield said(f"number {moved}", capital(self._counted(many=True)), *figures, size)
            else:
                of = "" if driver.value == "all" else f", that of {literal(driver.value)} above all"
                yield said(f"average {moved}", self._counted(), *map(self._format.said, sides), size, of)

    def _counted(self, *, many: bool = False) -> str:
        column = self.finding.per.rpartition(".")[2]
        words = heading_words(column).lower() if column else noun(self.lexicon, self.change.measure.table)
        return words if many else singular(words)

    def _mix(self) -> Iterator[str]:
        drivers = self.finding.drivers[:LISTED]
        dimension = dimension_name(drivers[0].dimension).lower()
        parts = [f"{literal(driver.value)} ({percent(driver.share, self.locale)} of the change)" for driver in drivers]
        yield said("mix", dimension, abridged(parts, LISTED))
        yield said("rates", dimension)

    def _members(self) -> Iterator[str]:
        rows = self.finding.breakdown.rows if self.finding.breakdown else ()
        came, went, stayed = (int(abs(row.effect) or row.now or 0) for row in rows)
        yield said("members", f"{came:,}", self._few(came, 1), f"{went:,}", self._few(went, -1), f"{stayed:,}")
        yield said("no parts")
        yield from self._gap() if self.finding.gap else ()

    def _few(self, count: int, effect: int) -> str:
        """Return the names of a few that came or went, each with this effect on the count; "" for many."""
        drivers = self.finding.drivers if count <= LISTED else ()
        names = [literal(driver.value) for driver in drivers if driver.share * self.finding.change == effect]
        return f" ({abridged(names, LISTED)})" if names else ""

    def _rename(self) -> Iterator[str]:
        if rename := self.finding.rename:
            names = [literal(named(key)) for key in (rename.old, rename.new)]
            sizes = [] if self.is_ratio else map(self._said, rename.sizes)
            yield said(
                "renamed ratio" if self.is_ratio else "renamed", *names, day_said(rename.since, self.today), *sizes
            )

    def _segments(self) -> Iterator[str]:
        drivers = self.finding.drivers
        if not drivers:
            return
        new = " has no rows before and" if self.finding.cause == "new segment" else ""
        told = [
            f"{part_name(each)}{new} makes {percent(each.share, self.locale)} of the change"
            for each in drivers[:LISTED]
        ]
        yield f"{capital('; '.join(told))}."
        if len({driver.dimension for driver in drivers}) > 1:
            yield said("overlap")
        yield said("rate" if any(driver.effect for driver in drivers) else "others")
        if season := self.finding.season:
            old, new = map(self._said, season.figures)
            yield said("beside", old, self._when(season.before), new, self._when(season.now))

    def _notes(self) -> Iterator[str]:
        yield from self._by_day()
        if self.change.is_cut:
            yield said("cut")
        yield from (said("note", note) for note in self.change.notes)

    def _by_day(self) -> Iterator[str]:
        """Tell the figures of a day where the periods differ in length and no season says so."""
        found, change = self.finding, self.change
        lengths = [days.length for days in (change.before, change.now)]
        is_sum = change.measure.function in ("sum", "count") and not (change.is_mean or change.measure.per)
        if is_sum and lengths[0] != lengths[1] and found.season is None and not self._is_empty:
            figures = (
                figure / length for figure, length in zip((found.now, found.before), reversed(lengths), strict=True)
            )
            yield said("a day", *map(self._said, figures))

    # --- words of parts ------------------------------------------------------------------------------------------

    def _sides(self) -> tuple[str, str]:
        before, now = self.change.before, self.change.now
        return self._time(before), self._time(now)

    def _time(self, days: Days) -> str:
        return time_named(days.start, days.end, self.today, AMERICAN)

    def _when(self, days: Days) -> str:
        return period_named(days.start, days.end, self.today, AMERICAN)

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
        declared = metric.unit if metric else unit.unit if unit and not measure.per else ""
        return format_of(name, declared, figures, locale=self.locale)


def said(name: str, *parts: str) -> str:
    texts = {row[0]: row[1] for row in rows("ai.agents.explaining", "sentences", "name", "text")}
    return texts[name].format(*parts)
