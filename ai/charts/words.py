"""The words of a chart: a title with the finding, a subtitle with measure and period, a text for those who hear it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import correlation

from ai.answers.naming import is_plural, sentence
from ai.answers.phrase import phrased
from ai.answers.reading import reading, reading_in_language
from ai.answers.view import View
from ai.charts.measure import width
from ai.charts.plot import Plot, said
from ai.charts.theme import MARGIN, SUBTITLE, TITLE, WIDTH, ChartWords
from ai.charts.times import day_of
from ai.language.texts import ENGLISH

BEHIND = re.compile(r" (?:Based on|There are more|The SQL does|Cells shown as|The cells of) ")
CLAUSES = ("; ", ", ahead of ", ", then ", ", but ")
NOT_FINDINGS = re.compile(r"^There (?:are|is)\b|\bthe SQL does more\b|^No rows|^Nothing", re.IGNORECASE)
ORDER, TOP = re.compile(r", (?:highest|lowest|largest|smallest) first$"), re.compile(r", (?:top|bottom) \d+$")
MOST_NAMED, FEW_DOTS, CLEAR = 3, 8, 0.5
SMALL = 0.01  # of a figure: a change not worth a direction


def words_of(plot: Plot) -> ChartWords:
    names = plot.view.names
    if names.language != ENGLISH:
        title, notes = sentence(reading_in_language(names)), " · ".join(map(names.texts, _notes(plot)))
        return ChartWords(title, notes, _alt(plot, title, notes))
    title = OWN_FINDINGS.get(plot.design.kind, _of_places)(plot)
    if not title:
        told = _of_names if plot.design.without or plot.design.only else _told
        title = told(plot)
    title, subtitle = title or sentence(measure(plot)), subtitle_of(plot)
    subtitle = "" if title == subtitle else subtitle
    return ChartWords(title, subtitle, _alt(plot, title, subtitle))


def finding(plot: Plot) -> str:
    """Return the first clauses of the answer's sentence, as many as fit in two lines."""
    said = BEHIND.split(phrased(_whole_periods(plot)))[0]
    while width(said, TITLE, bold=True) > 1.9 * (WIDTH - 2 * MARGIN):
        cut = max(said.rfind(mark) for mark in CLAUSES)
        if cut < 0:
            return ""
        said = said[:cut]
    is_told = plot.design.kind == "number" or not NOT_FINDINGS.search(said)
    return said.rstrip(". ") if is_told else ""


def _whole_periods(plot: Plot) -> View:
    """Return the view without periods that are only partly there."""
    parts = {place.day for place in plot.places if place.is_part}
    if not parts or plot.design.x is None:
        return plot.view
    rows = tuple(row for row in plot.view.rows if day_of(row[plot.design.x]) not in parts)
    return replace(plot.view, result=replace(plot.view.result, rows=rows, row_count=len(rows)))


def _of_names(plot: Plot) -> str:
    line = plot.lines[0]
    known = [(value, at) for at, value in enumerate(line.values) if value is not None and not plot.places[at].is_rest]
    if len(plot.lines) > 1 or len(known) < 2 or plot.is_dated:
        return ""
    _, at = max(known)
    return f"{sentence(plot.places[at].label)} leads with {line.said(at)}"


def _told(plot: Plot) -> str:
    return _of_alike_ends(plot) or finding(plot) or _of_ends(plot)


def _of_alike_ends(plot: Plot) -> str:
    """Say how little there is between the ends of a single line, "" where they differ or are the same."""
    whole = _whole(plot)
    line = plot.lines[0]
    if not whole or line.said(whole[0]) == line.said(whole[-1]):
        return ""
    stayed = _stayed([line.values[at] or 0 for at in whole], line.said(whole[-1]), _in(plot, whole[0]))
    return f"{line.name} {stayed}" if stayed else ""


def _stayed(values: Sequence[float], last: str, since: str) -> str:
    """Return "stayed at about 3,578" where the ends are alike, or what holds of the ends alone; else ""."""
    if not _is_small(values[0], values[-1]):
        return ""
    is_still = _is_small(min(values), max(values))
    return f"stayed at about {last}" if is_still else f"ended at about the figure of {since}, {last}"


def _is_small(one: float, other: float) -> bool:
    return abs(other - one) <= SMALL * abs(one)


def _whole(plot: Plot) -> list[int]:
    """Return the places of a single line with a figure of a period that is over."""
    if len(plot.lines) > 1 or not plot.is_dated:
        return []
    whole = [at for at, place in enumerate(plot.places) if not place.is_open and plot.lines[0].values[at] is not None]
    return whole if len(whole) > 1 else []


def _of_ends(plot: Plot) -> str:
    """Say how a single line moved between its first and last whole period."""
    whole = _whole(plot)
    if not whole:
        return ""
    first, last = whole[0], whole[-1]
    line = plot.lines[0]
    if line.said(first) == line.said(last):
        return f"{line.name} stayed at {line.said(last)}"
    moved = "rose" if (line.values[last] or 0) > (line.values[first] or 0) else "fell"
    return (
        f"{line.name} {moved} from {line.said(first)} in {_in(plot, first)} to {line.said(last)} in {_in(plot, last)}"
    )


def _closed(plot: Plot) -> int:
    return next((at for at in range(len(plot.places) - 1, -1, -1) if not plot.places[at].is_open), -1)


def _of_places(plot: Plot) -> str:
    """Name the line ahead at the end of several over time; "" for any other chart."""
    at = _closed(plot)
    if len(plot.lines) < 2 or not plot.is_dated or not plot.is_one_unit or at < 0 or plot.design.series is None:
        return ""
    known = [line for line in plot.lines if line.values[at] is not None and not line.is_rest]
    if not known:
        return ""
    first = max(known, key=lambda line: line.values[at] or 0)
    return f"{sentence(first.name)} leads in {_in(plot, at)} with {first.said(at)}"


def _of_stack(plot: Plot) -> str:
    """Say how a total moved over time, or whose share is the largest at the end."""
    at, first = _closed(plot), next((at for at, place in enumerate(plot.places) if not place.is_open), 0)
    if not plot.is_dated or at <= first:
        return ""
    if plot.design.shares:
        sizes = [(line.values[at] or 0, line.name) for line in plot.lines if not line.is_rest]
        total = sum(line.values[at] or 0 for line in plot.lines)
        size, name = max(sizes)
        return f"{sentence(name)} has the largest share in {_in(plot, at)}: {100 * size / total:.0f}%" if total else ""
    totals = [sum(line.values[end] or 0 for line in plot.lines) for end in range(first, at + 1)]
    before, after = totals[0], totals[-1]
    by, name = plot.lines[0].by, plot.view.headings[plot.design.y[0]]
    if before != after and (stayed := _stayed(totals, said(by, after), _in(plot, first))):
        return f"{name} {stayed} in total"
    moved = "rose" if after > before else "fell"
    ends = f"from {said(by, before)} in {_in(plot, first)} to {said(by, after)} in {_in(plot, at)}"
    return f"{name} {moved} {ends} in total" if before != after else ""


def _of_bins(plot: Plot) -> str:
    if plot.design.x is not None or len(plot.places) < 2:
        return ""
    values = [value or 0 for value in plot.lines[0].values]
    at = values.index(max(values))
    ends = [place.label for place in plot.places]
    total, name = sum(values), plot.view.headings[plot.design.y[0]].lower()
    edge = f"{ends[at]} to {ends[at + 1]}" if at + 1 < len(ends) else f"{ends[at]} and more"
    return f"Most often, {name} is {edge}: {int(max(values)):,} of {int(total):,}"


def _of_dots(plot: Plot) -> str:
    xs, ys = ([value or 0 for value in line.values] for line in plot.lines)
    names = [line.name if line.name[:2].isupper() else line.name.lower() for line in plot.lines]
    if len(xs) < FEW_DOTS or len(set(xs)) < 2 or len(set(ys)) < 2:
        return ""
    strength = correlation(xs, ys)
    if abs(strength) < CLEAR:
        return f"No clear link between {names[0]} and {names[1]}"
    go = "go" if is_plural(names[0]) else "goes"
    return f"Higher {names[0]} {go} with {'higher' if strength > 0 else 'lower'} {names[1]}"


def _in(plot: Plot, at: int) -> str:
    place = plot.places[at]
    return f"the week of {place.label}" if plot.grain == "week" else place.label


OWN_FINDINGS = {"stacked_bar": _of_stack, "histogram": _of_bins, "scatter": _of_dots}


def subtitle_of(plot: Plot) -> str:
    notes = _notes(plot)
    read = sentence(_reading(plot))
    while notes and width(f"{read} · {' · '.join(notes)}", SUBTITLE) > 1.9 * (WIDTH - 2 * MARGIN):
        if len(read) > 60:
            read = sentence(measure(plot))
            continue
        notes.pop(0)
    return " · ".join(dict.fromkeys([read, *notes]))


def _notes(plot: Plot) -> list[str]:
    return [note for note in (*_edits(plot), _unit(plot), _gaps(plot), _so_far(plot), _left_out(plot)) if note]


def _reading(plot: Plot) -> str:
    if plot.design.grain or plot.design.kind == "scatter" or not plot.view.names.facts.outputs:
        return measure(plot)
    if plot.design.kind == "histogram" and plot.design.x is None:
        return f"number of {plot.lines[0].name} by {plot.view.headings[plot.design.y[0]].lower()}"
    said = reading(plot.view.names)
    said = ORDER.sub("", said)
    return TOP.sub("", said) if (plot.design.top and not plot.design.rest) or plot.design.only else said


def measure(plot: Plot) -> str:
    """Return "Revenue by month and platform"."""
    view, design = plot.view, plot.design
    heads = [view.headings[at] for at in design.y]
    figures = " and ".join(
        [heads[0], *(head[:1].lower() + head[1:] if not head[:2].isupper() else head for head in heads[1:3])]
    )
    if design.kind == "scatter" and design.x is not None:
        return f"{figures} against {view.headings[design.x].lower()}"
    keys = [design.grain or view.title(design.x)] if design.x is not None else []
    keys += [view.title(design.series)] if design.series is not None else []
    return f"{figures} by {' and '.join(keys)}" if keys else figures


def _edits(plot: Plot) -> list[str]:
    design = plot.design
    found = [f"without {', '.join(design.without)}"] if design.without else []
    found += [f"only {', '.join(design.only)}"] if design.only else []
    return [*found, *(["logarithmic scale"] if design.log else []), *(["shares"] if design.shares else [])]


def _unit(plot: Plot) -> str:
    by = plot.lines[0].by if plot.lines else None
    return "" if by is None or by.kind != "unit" else f"in {by.unit}"


def _gaps(plot: Plot) -> str:
    named = [place.label for place in plot.gaps]
    if not named:
        return ""
    return f"no data for {', '.join(named)}" if len(named) <= MOST_NAMED else f"{len(named)} periods without data"


def _so_far(plot: Plot) -> str:
    parts = [place.label for place in plot.places if place.is_part]
    found = [f"{' and '.join(parts)} only in part"] if parts else []
    found += [f"{place.label} is not over" for place in plot.places if place.is_open and not place.is_part]
    return " · ".join(found)


def _left_out(plot: Plot) -> str:
    shown = len(plot.places)
    return f"{shown} of {shown + plot.left_out}" if plot.left_out else ""


KINDS = {
    "line": "Line chart", "bar": "Bar chart", "grouped_bar": "Grouped bar chart", "stacked_bar": "Stacked bar chart",
    "pie": "Pie chart", "histogram": "Histogram", "scatter": "Scatter plot", "small_multiples": "Small line charts",
    "number": "One figure",
}  # fmt: skip
ALT_VALUES, ALT_LENGTH = 12, 900


def _alt(plot: Plot, title: str, subtitle: str) -> str:
    text = f"{plot.view.names.texts(KINDS[plot.design.kind])}: {title}. {subtitle}."
    if len(plot.places) * len(plot.lines) <= ALT_VALUES and plot.design.kind not in ("number", "scatter"):
        name = len(plot.lines) > 1
        told = [
            f"{place.label}{f', {line.name}' if name else ''}: {line.said(at) or 'no value'}"
            for at, place in enumerate(plot.places)
            for line in plot.lines
        ]
        text += f" {'; '.join(told)}."
    return " ".join(text.split())[:ALT_LENGTH]
