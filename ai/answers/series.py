"""Sentences for figures over time: a few values each, else start, end, highest and lowest."""

import re
from dataclasses import replace
from datetime import date

from ai.answers.formats import is_number, speaking
from ai.answers.naming import is_plural, listed, sentence
from ai.answers.values import asks_whether, figure_name, tail_of
from ai.answers.view import View
from ai.language import formats as written
from ai.results.table import Row

FEW = 3
FLAT = 0.03  # of the mean: values within it have stayed the same
MANY = 14  # points from which two ends say little
UP = re.compile(r"\b(?:up|rise|rose|risen|increased?|grow|grew|grown|higher|improved?)\b", re.I)
DOWN = re.compile(r"\b(?:down|fall|fell|fallen|decreased?|drop|dropped|lower|shrink|shrank|declined?)\b", re.I)
LENGTHS = {10: "day", 7: "month", 4: "year"}


def series(view: View) -> str:
    """Say how the first figures went over the only key."""
    at, key = view.figures[0], view.keys[0]
    points = sorted(
        (row for row in view.rows if row[key] is not None and is_number(row[at])), key=lambda row: str(row[key])
    )
    if len(points) < 2 or not view.is_whole:
        return f"There are {view.result.row_count:,} rows."
    if view.outputs[at].function == "running":
        return _running(view, points, at)
    closed = [row for row in points if not _is_running(view, row)]
    clauses = replace(view.clauses(), when="")
    scope = tail_of(view, at, clauses)
    tail = f" {scope}" if scope else ""
    if len(points) <= FEW and not (len(closed) == 2 == len(points)):
        name = sentence(figure_name(view, at, before=clauses.before))
        values = listed([f"{view.said(row, at)} {_in(view, row)}" for row in points])
        return f"{name}{tail} {_be(view, at)} {values}{_open(points, closed)}."
    if len(closed) < 2:
        closed = points
    ends = _ends(view, closed, at)
    also = [_second(view, closed, other) for other in view.figures[1:2]]
    said = f"{_verdict(view, closed, at)}{sentence(figure_name(view, at, before=clauses.before))}{tail} {ends}"
    return f"{said}{_extremes(view, closed, at) if not also else ''}{''.join(also)}{_gaps(view, at)}."


def _ends(view: View, rows: list[Row], at: int) -> str:
    first, last = rows[0], rows[-1]
    values = [row[at] for row in rows]
    spread = max(values) - min(values)
    mean = abs(sum(values) / len(values))
    if len(rows) > 2 and mean and spread / mean < FLAT:
        return f"stayed between {_lowest(view, rows, at)} and {_highest(view, rows, at)}"
    if len(rows) > MANY or (view.outputs[at].function == "distinct" and len(rows) > FEW):
        return f"{_be(view, at)} between {_lowest(view, rows, at)} and {_highest(view, rows, at)}"
    if first[at] == last[at]:
        return f"{_be(view, at)} {view.said(first, at)} both {_in(view, first)} and {_in(view, last)}"
    moved = "rose" if last[at] > first[at] else "fell"
    start, end = (f"{view.said(row, at)} {_in(view, row)}" for row in (first, last))
    return f"{moved} from {start} to {end}{_points(view, first, last, at)}"


def _points(view: View, first: Row, last: Row, at: int) -> str:
    """A change of percentages in points, where only two stand side by side."""
    if view.formats[at].kind != "percent" or len(view.rows) != 2:
        return ""
    change = abs(float(last[at]) - float(first[at])) * view.formats[at].scale
    shown = written.significant(change, 3, view.names.locale)
    return f", by {shown} percentage point{'' if shown == '1' else 's'}"


def _highest(view: View, rows: list[Row], at: int) -> str:
    best = max(rows, key=lambda row: row[at])
    return f"{view.said(best, at)} ({_when(view, best)})"


def _lowest(view: View, rows: list[Row], at: int) -> str:
    least = min(rows, key=lambda row: row[at])
    return f"{view.said(least, at)} ({_when(view, least)})"


def _extremes(view: View, rows: list[Row], at: int) -> str:
    """The highest and lowest that are not the ends themselves."""
    values = [row[at] for row in rows]
    if (
        len(rows) < 4
        or len(rows) > MANY
        or view.outputs[at].function == "distinct"
        or (max(values) - min(values)) < FLAT * abs(sum(values) / len(values))
    ):
        return ""
    if values.count(max(values)) == 1 and values[-1] == max(values):
        return (
            f", the highest; the lowest was {_lowest(view, rows, at)}" if min(values) != values[0] else ", the highest"
        )
    said = []
    if max(values) not in (values[0], values[-1]):
        said.append(f"the highest was {_highest(view, rows, at)}")
    if min(values) not in (values[0], values[-1]):
        said.append(f"the lowest was {_lowest(view, rows, at)}")
    return f"; {listed(said)}" if said else ""


def _second(view: View, rows: list[Row], at: int) -> str:
    if not all(is_number(row[at]) for row in rows):
        return ""
    return f"; {figure_name(view, at)} {_ends(view, rows, at)}"


def _verdict(view: View, rows: list[Row], at: int) -> str:
    """Yes or no, where two values answer a question about a direction."""
    question = view.names.question
    up, down = bool(UP.search(question)), bool(DOWN.search(question))
    if len(view.rows) != 2 or up == down or not asks_whether(question):
        return ""
    change = rows[-1][at] - rows[0][at]
    return "Yes: " if (change > 0 if up else change < 0) else "No: "


def _running(view: View, rows: list[Row], at: int) -> str:
    last = rows[-1]
    name = view.names.measured(view.outputs[at])
    tail = view.clauses().tail
    return f"{sentence(name)} {tail} reached {view.said(last, at)} by {_when(view, last)}.".replace("  ", " ")


def _open(points: list[Row], closed: list[Row]) -> str:
    return " so far" if len(closed) < len(points) else ""


def _gaps(view: View, at: int) -> str:
    missing = [row for row in view.rows if row[at] is None]
    if not missing:
        return ""
    if len(missing) > FEW:
        return f"; {len(missing)} have no value"
    return f"; {listed([_when(view, row) for row in missing])} {'has' if len(missing) == 1 else 'have'} no value"


def _be(view: View, at: int) -> str:
    return "were" if is_plural(figure_name(view, at)) else "was"


def _in(view: View, row: Row) -> str:
    key = view.keys[0]
    is_day = view.formats[key].kind == "date" and not _is_cut(view)
    return f"{'on' if is_day else 'in'} {_when(view, row)}"


def _when(view: View, row: Row) -> str:
    """Name a point in time; the first day of a month stands for it where the query cuts to months."""
    key = view.keys[0]
    grain = view.outputs[key].grain
    day = _day(row[key])
    tag, year = speaking(view.names.locale), day is None or day.year != view.names.today.year
    if day is not None and grain == "month":
        return written.month(day, tag, year=year)
    if day is not None and grain == "quarter":
        return f"Q{(day.month + 2) // 3}" + (f" {day.year}" if year else "")
    if day is not None and grain == "year":
        return str(day.year)
    if day is not None and (grain == "week" or view.title(key) == "week"):
        return f"the week of {view.said(row, key)}"
    return view.said(row, key)


def _is_cut(view: View) -> bool:
    return (
        view.outputs[view.keys[0]].grain in ("month", "quarter", "year", "week") or view.title(view.keys[0]) == "week"
    )


def _day(cell: object) -> date | None:
    try:
        return date.fromisoformat(str(cell)[:10])
    except ValueError:
        return None


def _is_running(view: View, row: Row) -> bool:
    """Whether the period of a row is not over."""
    text, today = str(row[view.keys[0]]), view.names.today
    grain = view.outputs[view.keys[0]].grain or LENGTHS.get(len(text), "")
    day = _day(text)
    if "Q" in text:
        return text.replace("-", "") == f"{today.year}Q{(today.month + 2) // 3}"
    if day is not None and grain in ("month", "year", "quarter"):
        same = day.year == today.year
        return same and (
            grain == "year"
            or day.month == today.month
            or (grain == "quarter" and (day.month + 2) // 3 == (today.month + 2) // 3)
        )
    return text == {"day": f"{today}", "month": f"{today:%Y-%m}", "year": f"{today:%Y}"}.get(grain)
