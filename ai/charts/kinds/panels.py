"""Small charts beside each other, one for each line, on the same places."""

from math import ceil

from ai.charts.kinds.lines import FOOT, LineFrame, value_steps
from ai.charts.measure import cut, width
from ai.charts.plot import Plot, PlotLine
from ai.charts.theme import COLOURS, INK, LABEL, MARGIN, QUIET, ChartSheet, ChartWords, Spec, colours, pixel_texts
from ai.charts.ticks import axis_labels

SMALL, GAP, BETWEEN = 25.0, 36, 24


def _fault(count: int, columns: int) -> float:
    """Weigh empty cells and the shape of the grid."""
    rows = ceil(count / columns)
    return rows * columns - count + abs(rows * 1.6 - columns) / 2


def panel_spec(plot: Plot, words: ChartWords) -> Spec:
    """Draw lines of different units below each other, others in a grid on one scale."""
    plot = plot.filled()
    count, same = len(plot.lines), plot.is_one_unit
    columns = 1 if count <= 2 and not same else min(range(2, 5), key=lambda number: _fault(count, number))
    rows = ceil(count / columns)
    size = LABEL - 2 if columns == 1 else SMALL
    steps = [value_steps(plot, plot.lines if same else (line,), most=3 if rows < 3 else 8) for line in plot.lines]
    steps = [[each[0], each[-1]] if rows > 2 else each for each in steps]
    written = [axis_labels(each, line.by) for each, line in zip(steps, plot.lines, strict=True)]
    extent = max(width(text, size) for texts in written for text in texts) + 12
    once = same and columns > 1  # one scale for all is named in the first column alone
    sheet = ChartSheet.of(words, left=MARGIN, right=MARGIN, bottom=MARGIN / 2)
    head, foot = size * 1.9, size * (2.4 if plot.is_dated else 1.2) + FOOT
    across = (sheet.width - (columns - 1) * GAP - extent * (1 if once else columns)) / columns
    down = (sheet.height - (rows - 1) * BETWEEN - foot * (1 if columns > 1 else rows)) / rows - head
    layers, names = list[Spec](), list[Spec]()
    shades = colours([line.is_rest for line in plot.lines]) if not same else [COLOURS[0]] * count
    for at, (line, each, texts) in enumerate(zip(plot.lines, steps, written, strict=True)):
        column, row = at % columns, at // columns
        indent = extent if column == 0 or not once else 0
        x = column * (across + GAP) + extent * (1 if once else column + 1)
        y = row * (down + head + BETWEEN + (foot if columns == 1 else 0)) + head
        is_last = columns == 1 or at + columns >= count
        frame = LineFrame(plot, each, across, down, (x, y), size, [shades[at]], names_places=is_last)
        layers += [*frame.axes(texts if indent else ()), *frame.lines((line,))]
        names += _heading(plot, line, (x - indent, y - head + size * 0.5), across + indent, size)
    return sheet.spec([*layers, pixel_texts(names, fontWeight="bold", fontSize=size)])


def _heading(plot: Plot, line: PlotLine, at: tuple[float, float], room: float, size: float) -> list[Spec]:
    """Name a panel, with the last value of its line where there is room."""
    last = next((place for place in range(len(plot.places) - 1, -1, -1) if line.values[place] is not None), None)
    value = "" if last is None else line.said(last)
    x, y = at
    left = room - width(f" {value}", size, bold=True)
    if not value or width(line.name, size, bold=True) > left:
        return [{"px": x, "py": y, "t": cut(line.name, room, size, bold=True), "c": INK}]
    behind = x + width(f"{line.name} ", size, bold=True) + 4
    return [{"px": x, "py": y, "t": line.name, "c": INK}, {"px": behind, "py": y, "t": value, "c": QUIET}]
