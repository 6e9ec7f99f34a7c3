"""The figures of a chart: lines of values over places, from the rows of a view as a design shapes them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from ai.answers.formats import Format, is_number
from ai.answers.view import View
from ai.charts.choose import adds
from ai.charts.design import ChartDesign, Grain
from ai.charts.measure import width
from ai.charts.theme import LABEL
from ai.charts.ticks import nice_steps
from ai.charts.times import day_of, grain_of, is_open, missing, named, short
from ai.language.moments import WEEKDAYS
from ai.language.words import plural
from ai.results.table import Row

MOST_BARS, MOST_COLUMNS, MOST_SERIES, MOST_BINS = 15, 36, 6, 24
STANDING_ROOM = 1050  # pixels
STILL = 18  # bars that are shown before some are left out


@dataclass(frozen=True, slots=True)
class AxisPlace:
    """One place along the axis: a period, or a name. `is_open` tells one that is not over or only partly there."""

    label: str
    short: str = ""
    day: date | None = None
    is_open: bool = False
    is_rest: bool = False
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class PlotLine:
    """The values of one series, one for each place; None where there is none."""

    name: str
    values: tuple[float | None, ...]
    by: Format
    is_rest: bool = False

    def said(self, place: int) -> str:
        value = self.values[place]
        return "" if value is None else said(self.by, value)


@dataclass(frozen=True, slots=True)
class Plot:
    """`left_out` counts places not shown; `gaps` are periods without data, `parts` those only partly there."""

    view: View
    design: ChartDesign
    places: tuple[AxisPlace, ...]
    lines: tuple[PlotLine, ...]
    grain: Grain = ""
    gaps: tuple[AxisPlace, ...] = ()
    left_out: int = 0
    parts: frozenset[date] = frozenset()

    @property
    def is_dated(self) -> bool:
        return bool(self.places) and all(place.day is not None for place in self.places if not place.is_rest)

    def filled(self) -> "Plot":
        """Return the plot with a place for each missing period."""
        if not self.gaps:
            return self
        at = {place: number for number, place in enumerate(self.places)}
        places = tuple(sorted([*self.places, *self.gaps], key=lambda place: place.day or date.min))
        lines = tuple(
            replace(line, values=tuple(line.values[at[p]] if p in at else None for p in places)) for line in self.lines
        )
        return replace(self, places=places, lines=lines)

    @property
    def is_standing(self) -> bool:
        """Whether bars stand: as wanted, or over time and for bins, if their names fit below them."""
        x, wanted = self.design.x, self.design.standing
        if wanted is False and x is not None:
            return False
        if x is None or self.is_dated:
            return True
        room = 0.9 * STANDING_ROOM / max(len(self.places), 1)
        fits = all(width(place.label, LABEL) < room for place in self.places)
        return fits and (bool(wanted) or self.design.kind == "histogram" or self.view.is_time(x))

    @property
    def is_one_unit(self) -> bool:
        return len({(line.by.kind, line.by.unit) for line in self.lines}) == 1

    @property
    def values(self) -> list[float]:
        return [value for line in self.lines for value in line.values if value is not None]


def said(by: Format, value: float) -> str:
    """Write a value as in a sentence; whole numbers stay whole."""
    return by.said(int(value) if float(value).is_integer() else value)


def plot_of(view: View, design: ChartDesign, parts: frozenset[date] = frozenset()) -> Plot:
    """Lay out a shaped view's figures."""
    if design.kind == "histogram" and design.x is None:
        return _binned(view, design)
    if design.kind == "scatter":
        return _dots(view, design)
    if design.kind == "number" or design.x is None:
        at = design.y[0]
        value = view.rows[0][at]
        return Plot(view, design, (AxisPlace(""),), (PlotLine(view.headings[at], (float(value),), view.formats[at]),))
    cells = list(dict.fromkeys(row[design.x] for row in view.rows))
    lines = _lines(view, design, cells)
    days = [None if cell is None else day_of(cell) for cell in cells] if view.is_time(design.x) else [None]
    known = [day for day in days if day is not None]
    if known and len(known) == len(cells):
        return _over_time(Plot(view, design, (), tuple(lines), parts=parts), known)
    order = _order(view, design, cells, lines)
    places = tuple(AxisPlace(view.label(_row(view, design.x, cells[at]), (design.x,))) for at in order)
    return _cut_off(Plot(view, design, places, tuple(_ordered(line, order) for line in lines)))


def _row(view: View, at: int, cell: Any) -> Row:
    return next(row for row in view.rows if row[at] == cell)


def _lines(view: View, design: ChartDesign, cells: Sequence[Any]) -> list[PlotLine]:
    x, places = design.x or 0, {cell: place for place, cell in enumerate(cells)}
    if design.series is None:
        columns = {at: [None] * len(cells) for at in design.y}
        for row in view.rows:
            for at in design.y:
                columns[at][places[row[x]]] = _number(row[at])
        return [PlotLine(view.headings[at], tuple(values), view.formats[at]) for at, values in columns.items()]
    at, found = design.y[0], dict[Any, list[float | None]]()
    for row in view.rows:
        found.setdefault(row[design.series], [None] * len(cells))[places[row[x]]] = _number(row[at])
    labels = {cell: view.label(_row(view, design.series, cell), (design.series,)) for cell in found}
    lines = [PlotLine(labels[cell], tuple(values), view.formats[at]) for cell, values in found.items()]
    ranked = sorted(lines, key=lambda line: -sum(value or 0 for value in line.values))
    most = design.top if design.top and view.is_time(x) else MOST_SERIES if design.kind != "small_multiples" else 12
    if len(ranked) <= most or (design.top and not design.rest and view.is_time(x)):
        return ranked[:most]
    if not adds(view, at):
        return ranked[:most]
    kept = ranked[: most if design.top else most - 1]
    others = ranked[len(kept) :]
    return [*kept, PlotLine(f"{len(others)} others", _summed(others), view.formats[at], is_rest=True)]


def _number(cell: Any) -> Any:
    return float(cell) if is_number(cell) else None


def _summed(lines: Sequence[PlotLine]) -> tuple[float | None, ...]:
    columns = zip(*(line.values for line in lines), strict=True)
    return tuple(sum(known) if (known := [v for v in column if v is not None]) else None for column in columns)


def _ordered(line: PlotLine, order: Sequence[int]) -> PlotLine:
    return replace(line, values=tuple(line.values[at] for at in order))


def _over_time(plot: Plot, days: Sequence[date]) -> Plot:
    """Put periods in order, and say where some are missing."""
    view, locale = plot.view, plot.view.names.locale
    grain = grain_of(view, plot.design.x or 0, days)
    order = sorted(range(len(days)), key=lambda at: days[at])
    today = view.names.today

    def place(day: date) -> AxisPlace:
        part = day in plot.parts
        return AxisPlace(
            named(day, grain, locale),
            short(day, grain, locale),
            day,
            is_open=part or is_open(day, grain, today),
            is_part=part and not is_open(day, grain, today),
        )

    lines = tuple(_ordered(line, order) for line in plot.lines)
    places = tuple(place(days[at]) for at in order)
    gaps = tuple(place(day) for day in missing(days, grain)) if len(set(days)) == len(days) else ()
    return replace(plot, places=places, lines=lines, grain=grain, gaps=gaps)


def _order(view: View, design: ChartDesign, cells: Sequence[Any], lines: Sequence[PlotLine]) -> list[int]:
    """Keep the order of the query or of numbers and weekdays, else put the largest first."""
    x, every = design.x or 0, list(range(len(cells)))
    sizes = [sum(line.values[at] or 0 for line in lines) for at in every]
    if design.kind == "histogram" or (view.is_time(x) and not _ranks(view, design)):
        return sorted(every, key=lambda at: (cells[at] is None, cells[at])) if _sortable(cells) else every
    if not _ranks(view, design) and all(str(cell).lower() in WEEKDAYS for cell in cells):
        return sorted(every, key=lambda at: WEEKDAYS.index(str(cells[at]).lower()))
    rising = _ranks(view, design) and not view.names.facts.order[0].descending
    return sorted(every, key=lambda at: sizes[at] if rising else -sizes[at])


def _sortable(cells: Sequence[Any]) -> bool:
    return all(is_number(cell) for cell in cells if cell is not None)


def _ranks(view: View, design: ChartDesign) -> bool:
    order = view.names.facts.order
    return bool(order) and order[0].place in design.y


def _cut_off(plot: Plot) -> Plot:
    """Keep as many names as a picture holds; the rest may stand as one."""
    design, most = plot.design, MOST_BARS if len(plot.lines) == 1 else MOST_COLUMNS // len(plot.lines)
    most = len(plot.places) if len(plot.lines) == 1 and len(plot.places) <= STILL else most
    if design.kind in ("line", "small_multiples", "histogram"):
        most = 400
    asked = design.top or most
    count = min(asked, most)
    if len(plot.places) <= count:
        return plot
    kept, hidden = plot.places[:count], len(plot.places) - count
    lines, at = [line.values for line in plot.lines], design.y[0]
    if (design.rest or design.kind == "pie" or design.shares) and adds(plot.view, at):
        values = [(*v[:count], sum(x or 0 for x in v[count:])) for v in lines]
        rest = AxisPlace(f"{hidden} {plural('other') if hidden > 1 else 'other'}", is_rest=True)
        return _with(plot, (*kept, rest), values)
    return replace(_with(plot, kept, [v[:count] for v in lines]), left_out=hidden)


def _with(plot: Plot, places: tuple[AxisPlace, ...], values: Sequence[tuple[float | None, ...]]) -> Plot:
    lines = tuple(replace(line, values=new) for line, new in zip(plot.lines, values, strict=True))
    return replace(plot, places=places, lines=lines)


def _dots(view: View, design: ChartDesign) -> Plot:
    x, y = design.x or 0, design.y[0]
    known = [row for row in view.rows if is_number(row[x]) and is_number(row[y])]
    places = tuple(AxisPlace(view.label(row, (design.series,)) if design.series is not None else "") for row in known)
    lines = tuple(
        PlotLine(view.headings[at], tuple(float(row[at]) for row in known), view.formats[at]) for at in (x, y)
    )
    return Plot(view, design, places, lines)


def _binned(view: View, design: ChartDesign) -> Plot:
    at = design.y[0]
    values, by = [float(row[at]) for row in view.rows if is_number(row[at])], view.formats[at]
    edges = nice_steps(min(values), max(values), MOST_BINS, by)
    width = edges[1] - edges[0]
    counts = [0] * (len(edges) - 1)
    for value in values:
        counts[min(int((value - edges[0]) / width), len(counts) - 1)] += 1
    places = tuple(AxisPlace(said(by, edge)) for edge in edges[:-1])
    counted = Format("number", locale=view.names.locale)
    name = plural("row") if not view.names.facts.rows else view.names.rows
    return Plot(view, design, places, (PlotLine(name, tuple(map(float, counts)), counted),))
