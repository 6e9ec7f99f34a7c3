"""Changes of a chart that need no query: another kind, periods, names, scale."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ai.answers.view import View
from ai.charts.choose import REPEATED, Shape, adds, chosen, shape_of, units
from ai.charts.design import ChartDesign, ChartEdits, Grain, Kind
from ai.charts.times import LENGTHS, day_of, grain_of
from ai.language.moments import WEEKDAYS
from ai.results.steps import OneOf

PIE_PARTS = 5
SINGLE = ("none", "number", "scatter", "histogram")  # kinds without a place for several rows
BARS = ("bar", "grouped_bar", "stacked_bar")
NO_SHARES = "These figures are no parts of one whole, so they stay as they are."
AXES_STAY = "Only bars and dots can change their axes over, so this chart stays as it is."


def fits(view: View, design: ChartDesign, edits: ChartEdits) -> bool:
    """Whether edits can be made from the rows alone."""
    names = (*edits.without, *edits.only)
    is_known = not names or _spellings(view).keys() >= set(names)
    return is_known and (not edits.grain or _can_cut(view, design, edits.grain))


def changed(view: View, design: ChartDesign, edits: ChartEdits) -> ChartDesign:
    """Return the design with edits made, `reason` where one is not possible."""
    base = design if design.kind != "none" else chosen(view)
    if edits.all_again:
        base = replace(base, without=(), only=(), top=0, rest=False, log=False)
    if base.kind == "none" and not (edits.kind and shape_of(view).figures):
        return base
    found = _apart(shape_of(view), _of_kind(view, replace(base, reason=""), edits))
    if edits.shares:
        found = _of_parts(shape_of(view), found)
    found = _turned(view, found, edits)
    if found.kind == "none":
        return found
    return replace(
        found,
        grain=edits.grain or found.grain,
        log=found.log if edits.log is None else edits.log,
        shares=_shares(found, edits),
        top=found.top if edits.top is None else edits.top,
        rest=edits.rest if edits.top is not None else found.rest,
        without=tuple(dict.fromkeys([*found.without, *_as_shown(view, edits.without)])),
        only=_as_shown(view, edits.only) or found.only,
    )


def named_rows(view: View, edits: ChartEdits) -> OneOf | None:
    """Return what keeps or leaves out the rows of names, None where these are no texts of one column."""
    names = edits.without or edits.only
    if not names or (edits.without and edits.only):
        return None
    found = [_cell(view, name) for name in names]
    columns, cells = {at for at, _ in found}, tuple(cell for _, cell in found if isinstance(cell, str))
    if len(columns) != 1 or len(cells) != len(names) or view.is_time(found[0][0]):
        return None
    return OneOf(found[0][0], cells, without=bool(edits.without))


def _cell(view: View, name: str) -> tuple[int, object]:
    """Return the cell that a name stands for, and its column; -1 for none."""
    places = ((row, at) for row in view.rows for at in view.keys)
    named = (
        (at, row[at]) for row, at in places if name in (view.label(row, (at,)).casefold(), str(row[at]).casefold())
    )
    return next(named, (-1, None))


def _of_parts(shape: Shape, design: ChartDesign) -> ChartDesign:
    """Return a design that shows shares: stacks of parts, else a pie of one whole."""
    if design.kind in ("stacked_bar", "pie"):
        return design
    stack = _as_stack(shape, design)
    if stack.kind == "stacked_bar":
        return stack
    pie = _as_pie(shape, design)
    return pie if pie.kind == "pie" else replace(design, reason=NO_SHARES)


def _turned(view: View, design: ChartDesign, edits: ChartEdits) -> ChartDesign:
    """Return the design with its axes changed over, or its bars standing or lying as wanted."""
    if not edits.turned and edits.standing is None:
        return design
    if design.kind == "scatter" and design.x is not None and edits.turned:
        return replace(design, x=design.y[0], y=(design.x,))
    if design.kind not in BARS or design.x is None:
        return replace(design, reason=AXES_STAY if edits.turned else design.reason)
    stands = view.is_time(design.x) if design.standing is None else design.standing
    return replace(design, standing=not stands if edits.turned else edits.standing)


def _shares(design: ChartDesign, edits: ChartEdits) -> bool:
    return design.kind == "stacked_bar" and (design.shares if edits.shares is None else edits.shares)


def _as_shown(view: View, names: Sequence[str]) -> tuple[str, ...]:
    """Spell names as the chart does."""
    shown = _spellings(view) if names else {}
    return tuple(shown.get(name, name) for name in names)


def _spellings(view: View) -> dict[str, str]:
    """Return the labels of all names by the words that may stand for them, in small letters."""
    shown: dict[str, str] = {}
    for row in view.rows:
        for at in view.keys:
            label = view.label(row, (at,))
            shown.setdefault(label.casefold(), label)
            shown.setdefault(str(row[at]).casefold(), label)
    return shown


def _can_cut(view: View, design: ChartDesign, grain: Grain) -> bool:
    """Whether the rows hold the periods, or shorter ones to add up."""
    if design.x is None or not view.is_time(design.x):
        return False
    days = [day for row in view.rows if (day := day_of(row[design.x])) is not None]
    own = grain_of(view, design.x, days)
    if own == grain:
        return True
    longer = bool(days) and LENGTHS[own] < LENGTHS[grain] and own != "week"
    return longer and all(adds(view, at) for at in design.y)


def _of_kind(view: View, design: ChartDesign, edits: ChartEdits) -> ChartDesign:
    wanted = edits.kind
    if edits.stacked is not None and wanted in (None, "bar"):
        wanted = "stacked_bar" if edits.stacked else "grouped_bar"
    if wanted is None or wanted == design.kind:
        return design
    shape = shape_of(view)
    maker = MAKERS.get(wanted)
    return design if maker is None else maker(shape, _with_columns(design, shape))


def _apart(shape: Shape, design: ChartDesign) -> ChartDesign:
    """Refuse a chart that would add up what does not add up, as several rows have one place in it."""
    keys = [at for at in (design.x, design.series) if at is not None]
    if design.kind in SINGLE or not keys or shape.distinct(*keys) == shape.rows:
        return design
    added = all(adds(shape.view, at) for at in design.y)
    return design if added else design.none(REPEATED.format(shape.view.title(keys[0])))


def _with_columns(design: ChartDesign, shape: Shape) -> ChartDesign:
    """Return the design with places for all parts, also where no chart fitted by itself."""
    if design.kind not in SINGLE:
        return design
    keys = (*shape.times, *shape.groups)
    x, series = (keys[0] if keys else None), (keys[1] if len(keys) == 2 else None)
    return replace(design, x=x, y=shape.figures[:1] if series is not None else shape.figures, series=series)


def _as_line(shape: Shape, design: ChartDesign) -> ChartDesign:
    if design.x is None or shape.rows < 2:
        return design.none("A line needs several values in an order, such as one for each month.")
    x, series = design.x, design.series
    if series in shape.times:
        x, series = series, x
    if x not in shape.times and not _in_order(shape.view, x):
        return replace(_as_bar(shape, design), reason="A line needs an order, such as time; here are bars.")
    return replace(design, kind="line", x=x, series=series, shares=False)


def _in_order(view: View, at: int) -> bool:
    cells = [row[at] for row in view.rows]
    return all(isinstance(cell, int | float) for cell in cells) or all(str(cell).lower() in WEEKDAYS for cell in cells)


def _as_bar(shape: Shape, design: ChartDesign) -> ChartDesign:
    if design.x is None:
        return design.none("A chart needs names or periods beside the figures.")
    several = design.series is not None or len(design.y) > 1
    if several and units(shape.view, design.y) != 1:
        return replace(design, kind="bar", y=design.y[:1])
    return replace(design, kind="grouped_bar" if several else "bar")


def _as_stack(shape: Shape, design: ChartDesign) -> ChartDesign:
    if design.series is None and len(design.y) < 2:
        made = _as_bar(shape, design)
        return replace(made, reason="There is one series, so nothing can be stacked.") if made.kind != "none" else made
    if not all(adds(shape.view, at) for at in design.y) or units(shape.view, design.y) != 1:
        return replace(
            _as_bar(shape, design), reason="These figures do not add up, so the bars stand beside each other."
        )
    if any(isinstance(v := row[at], int | float) and v < 0 for row in shape.view.rows for at in design.y):
        return replace(
            _as_bar(shape, design), reason="Values below zero cannot be stacked, so the bars stand beside each other."
        )
    return replace(design, kind="stacked_bar")


def _as_pie(shape: Shape, design: ChartDesign) -> ChartDesign:
    made = _as_bar(shape, design)
    if made.kind == "none":
        return made
    at = made.y[0]
    whole = adds(shape.view, at) or shape.view.outputs[at].of_total
    values = [row[at] for row in shape.view.rows]
    is_whole = whole and made.kind == "bar" and all(v is not None and v >= 0 for v in values) and sum(values) > 0
    if not is_whole or made.x in shape.times:
        return replace(made, reason="A pie shows the parts of one whole, and these are none; here are bars.")
    if len(values) > PIE_PARTS and not design.top:
        return replace(made, reason=f"A pie is clear with at most {PIE_PARTS} parts, so here are bars.")
    return replace(made, kind="pie")


def _as_histogram(shape: Shape, design: ChartDesign) -> ChartDesign:
    if not shape.figures or shape.rows < 2:
        return design.none("A histogram needs many values.")
    if not shape.times and len(shape.groups) <= 1 and shape.rows >= 8:
        return replace(design, kind="histogram", x=None, series=None, y=shape.figures[:1])
    return replace(
        _as_bar(shape, design), reason="A histogram counts single values, and these are totals; here are bars."
    )


def _as_scatter(shape: Shape, design: ChartDesign) -> ChartDesign:
    if len(shape.figures) < 2:
        return replace(design, reason="Dots need two figures for each row, and there is one.")
    keys = (*shape.groups, *shape.times)
    return replace(
        design, kind="scatter", x=shape.figures[0], y=shape.figures[1:2], series=keys[0] if keys else None, grain=""
    )


def _as_panels(shape: Shape, design: ChartDesign) -> ChartDesign:
    made = _as_line(shape, design)
    if made.kind == "none" or (made.series is None and len(made.y) < 2):
        return replace(made, reason=made.reason or "There is one series, so there is one chart.")
    return replace(made, kind="small_multiples")


MAKERS: Mapping[Kind, Callable[[Shape, ChartDesign], ChartDesign]] = {
    "line": _as_line,
    "bar": _as_bar,
    "grouped_bar": _as_bar,
    "stacked_bar": _as_stack,
    "pie": _as_pie,
    "histogram": _as_histogram,
    "scatter": _as_scatter,
    "small_multiples": _as_panels,
}
