"""The rows a design leaves of a view: names kept or left out, days cut to periods, equal names added up."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from ai.answers.formats import format_of, is_number
from ai.answers.view import View
from ai.charts.design import ChartDesign, Grain
from ai.charts.times import day_of, following, grain_of, start
from ai.results.table import Row


def shaped(view: View, design: ChartDesign) -> View:
    """Return the view with the rows a design leaves, cut to its periods, equal names added up."""
    rows = [row for row in view.rows if _is_kept(view, row, design)]
    outputs, formats = list(view.outputs), list(view.formats)
    if design.grain and design.x is not None and design.kind != "scatter":
        at = design.x
        rows = [_cut(row, at, design.grain) for row in rows]
        outputs[at] = replace(outputs[at], grain=design.grain)
        formats[at] = format_of(outputs[at].name, "", [row[at] for row in rows], locale=view.names.locale)
    if design.x is not None and design.kind not in ("scatter", "histogram"):
        keys = tuple(at for at in (design.x, design.series) if at is not None)
        rows = _added(view, rows, keys)
    result = replace(view.result, rows=tuple(rows), row_count=max(len(rows), view.result.row_count - len(view.rows)))
    return replace(view, result=result, outputs=tuple(outputs), formats=tuple(formats))


def _is_kept(view: View, row: Row, design: ChartDesign) -> bool:
    if not design.without and not design.only:
        return True
    cells = {text for at in view.keys for text in (str(row[at]).casefold(), view.label(row, (at,)).casefold())}
    without, only = ({name.casefold() for name in names} for names in (design.without, design.only))
    return not cells & without and (not only or bool(cells & only))


def _cut(row: Row, at: int, grain: Grain) -> Row:
    day = day_of(str(row[at])[:10]) if row[at] is not None else None
    if day is None:
        return row
    first = start(day, grain)
    cell = {"month": f"{first:%Y-%m}", "quarter": f"{first.year}-Q{(first.month + 2) // 3}", "year": f"{first:%Y}"}
    return (*row[:at], cell.get(grain, str(first)), *row[at + 1 :])


def _added(view: View, rows: Sequence[Row], keys: Sequence[int]) -> list[Row]:
    """Add up rows with the same keys, where figures can be added."""
    found: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        key = tuple(row[at] for at in keys)
        if key not in found:
            found[key] = list(row)
            continue
        for at in view.figures:
            if is_number(row[at]):
                found[key][at] = row[at] + found[key][at] if is_number(found[key][at]) else row[at]
    return [tuple(row) for row in found.values()]


def parts_of(view: View, design: ChartDesign) -> frozenset[date]:
    """Return the periods of a design's grain that the rows only partly hold, at their ends."""
    if not design.grain or design.x is None:
        return frozenset()
    days = [day for row in view.rows if row[design.x] is not None and (day := day_of(row[design.x])) is not None]
    own = grain_of(view, design.x, days) if days else "day"
    if not days or own == design.grain:
        return frozenset()
    first, last = start(min(days), design.grain), start(max(days), design.grain)
    found = {first} if min(days) > first else set[date]()
    return frozenset(found | ({last} if following(max(days), own) < following(last, design.grain) else set()))
