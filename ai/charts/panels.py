"""Small charts beside each other, one for each line, on the same places."""

from math import ceil

from ai.charts.lines import FOOT, LineFrame, value_steps
from ai.charts.measure import cut, width
from ai.charts.plot import Plot
from ai.charts.theme import INK, LABEL, MARGIN, Sheet, Spec, Words, colours, pixel_texts
from ai.charts.ticks import axis_labels

SMALL, GAP, BETWEEN = 21.0, 30, 14


def _fault(count: int, columns: int) -> float:
    """Weigh empty cells and the shape of the grid."""
    rows = ceil(count / columns)
    return rows * columns - count + abs(rows * 1.6 - columns) / 2


def panel_spec(plot: Plot, words: Words) -> Spec:
    """Draw lines of different units below each other, others in a grid on one scale."""
    plot = plot.filled()
    count, same = len(plot.lines), plot.is_one_unit
    columns = 1 if count <= 2 and not same else min(range(2, 6), key=lambda number: _fault(count, number))
    rows = ceil(count / columns)
    size = LABEL - 3 if columns == 1 else SMALL
    steps = [value_steps(plot, plot.lines if same else (line,), most=3 if rows < 3 else 8) for line in plot.lines]
    steps = [[each[0], each[-1]] if rows > 2 else each for each in steps]
    written = [axis_labels(each, line.by) for each, line in zip(steps, plot.lines, strict=True)]
    extent = max(width(text, size) for texts in written for text in texts) + 12
    sheet = Sheet.of(words, left=MARGIN, right=MARGIN, bottom=MARGIN)
    head, foot = size * 1.9, size * (2.5 if plot.is_dated else 1.2) + FOOT
    across = (sheet.width - (columns - 1) * GAP) / columns - extent
    down = (sheet.height - (rows - 1) * BETWEEN) / rows - head - foot
    layers, names = list[Spec](), list[Spec]()
    shades = colours([line.is_rest for line in plot.lines]) if not same else ["#0b5ea8"] * count
    for at, (line, each, texts) in enumerate(zip(plot.lines, steps, written, strict=True)):
        x = (at % columns) * (across + extent + GAP) + extent
        y = (at // columns) * (down + head + foot + BETWEEN) + head
        frame = LineFrame(plot, each, across, down, (x, y), size, [shades[at]])
        layers += [*frame.axes(texts), *frame.lines((line,))]
        name = cut(line.name, across + extent, size + 4, bold=True)
        names.append({"px": x - extent, "py": y - head + size * 0.5, "t": name, "c": INK})
    return sheet.spec([*layers, pixel_texts(names, fontWeight="bold", fontSize=size + 4)])
