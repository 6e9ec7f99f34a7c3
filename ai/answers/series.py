"""Sentences for figures over time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from ai.answers.figure import Figure, asks_whether, words
from ai.answers.formats import is_number
from ai.answers.naming import listed, sentence
from ai.answers.values import scope_of
from ai.answers.view import View
from ai.language import formats as written
from ai.language.formats import speaking
from ai.language.words import plural
from ai.results.table import Row
from ai.sql.facts import moved

FEW = 3
FLAT = 0.03  # of the mean: values within it have stayed the same
MANY = 14  # points from which two ends say little
GROUPS = 3  # series side by side that are told
UP = re.compile(r"\b(?:up|rise|rose|risen|increased?|grow|grew|grown|higher|improved?|more|longer|slower)\b", re.I)
DOWN = re.compile(
    r"\b(?:down|fall|fell|fallen|decreased?|drop|dropped|lower|shrink|shrank|declined?|less|fewer|faster|shorter"
    r"|cheaper)\b",
    re.IGNORECASE,
)
LENGTHS = {10: "day", 7: "month", 4: "year"}
WEEK = timedelta(days=7)
MONTHS = {"month": 1, "quarter": 3, "year": 12}
CUT = (*MONTHS, "week")


@dataclass(frozen=True, slots=True)
class Series:
    """Points by their time at `key`, the earliest first."""

    figure: Figure
    key: int
    rows: tuple[Row, ...]

    @property
    def view(self) -> View:
        return self.figure.view

    @property
    def values(self) -> list[float]:
        return [row[self.figure.at] for row in self.rows]

    @property
    def is_flat(self) -> bool:
        mean = abs(sum(self.values) / len(self.values))
        return bool(mean) and (max(self.values) - min(self.values)) / mean < FLAT

    def end(self, *, high: bool) -> str:
        row = (max if high else min)(self.rows, key=lambda row: row[self.figure.at])
        return f"{self.figure.said(row)} ({self.when(row)})"

    def at(self, row: Row) -> str:
        """Return "$210 in July"."""
        is_day = self.view.formats[self.key].kind == "date" and self.grain not in CUT
        return f"{self.figure.said(row)} {'on' if is_day else 'in'} {self.when(row)}"

    @property
    def grain(self) -> str:
        return self.view.outputs[self.key].grain or ("week" if self.view.title(self.key) == "week" else "")

    def when(self, row: Row) -> str:
        """Name a point in time, by its month where the query cuts to months."""
        day, today = _day(row[self.key]), self.view.names.today
        years = {str(each[self.key])[:4] for each in self.rows}
        year = len(years) > 1 or day is None or day.year != today.year
        names, by = self.view.names, self.view.formats[self.key]
        tag = names.locale if by.native else speaking(names.locale)
        if day is None or self.grain not in CUT:
            return by.said(row[self.key], today=None if len(years) > 1 else today)
        if self.grain == "week":
            return names.texts.fill("the week of {0}", by.said(row[self.key], today=None if len(years) > 1 else today))
        if self.grain == "month":
            return written.month(day, tag, year=year)
        quarter = f"Q{(day.month + 2) // 3}" if self.grain == "quarter" else ""
        return words(quarter, str(day.year) if year or not quarter else "")

    def is_part(self, row: Row) -> bool:
        """Whether a week, month, quarter or year is cut by the asked period, or is yet to come."""
        text, months = str(row[self.key]), MONTHS.get(self.grain, 0)
        day = _day(f"{text}-01-01"[:10]) if months or self.grain == "week" else None
        if day is None or day > self.view.names.today:
            return day is not None
        end = moved(day, months) if months else day + WEEK
        asked = self.view.names.facts.periods[:1]
        return any(bool(each.start and day < each.start) or bool(each.end and end > each.end) for each in asked)

    def is_now(self, row: Row) -> bool:
        """Whether the time of a row, a week as well, is not over."""
        day, today = _day(row[self.key]) if self.grain == "week" else None, self.view.names.today
        return self.is_running(row) or bool(day and day <= today < day + WEEK)

    def is_running(self, row: Row) -> bool:
        """Whether a row's period is not over."""
        text, today = str(row[self.key]), self.view.names.today
        grain, day = self.grain or LENGTHS.get(len(text), ""), _day(text)
        quarter = (today.month + 2) // 3
        if "Q" in text:
            return text.replace("-", "") == f"{today.year}Q{quarter}"
        if day is not None and grain in ("month", "year", "quarter"):
            same = (
                grain == "year" or day.month == today.month or (grain == "quarter" and (day.month + 2) // 3 == quarter)
            )
            return same and day.year == today.year
        return text == {"day": f"{today}", "month": f"{today:%Y-%m}", "year": f"{today:%Y}"}.get(grain)


def moment(view: View, row: Row) -> str:
    """Name the time of a row standing by it alone, marked where it is a part; "" for other rows."""
    times = [key for key in view.keys if view.is_time(key)]
    if len(view.keys) != 1 or not times or not view.measures:
        return ""
    whole = Series(Figure(view, view.measures[0]), times[0], (row,))
    if whole.grain not in CUT:
        return ""
    said = whole.when(row) if whole.grain == "week" else view.label(row)
    part = " (not over)" if whole.is_now(row) else " (only a part of it)" if whole.is_part(row) else ""
    return view.names.texts.fill("{0}" + part, said) if part else said


def series(view: View) -> str:
    figure, key = Figure(view, view.figures[0]), view.keys[0]
    points = _points(figure, key, view.rows)
    if len(points) < 2 or not view.is_whole:
        return f"There are {view.result.row_count:,} rows."
    whole = Series(figure, key, points)
    if figure.output.function == "running":
        name = sentence(view.names.measured(figure.output))
        return f"{words(name, view.clauses().tail)} reached {figure.said(points[-1])} by {whole.when(points[-1])}."
    closed = tuple(row for row in points if not (whole.is_now(row) or whole.is_part(row)))
    if picked := _picked(whole):
        return picked
    verdict = _verdict(whole)
    subject = f"{verdict}{figure.subject if verdict else sentence(figure.subject)}"
    if len(points) <= FEW and not (len(closed) == 2 == len(points)):
        so_far = " so far" if any(map(whole.is_now, points)) else ""
        be = {"are": "were", "is": "was"}.get(figure.be, figure.be)
        return f"{words(subject, be, listed([whole.at(row) for row in points]))}{so_far}."
    told = Series(figure, key, closed if len(closed) > 1 else points)
    also = [_second(told, Figure(view, at)) for at in view.figures[1:2]]
    return f"{subject} {_ends(told)}{''.join(also) or _extremes(told)}{_gaps(whole)}."


def _picked(whole: Series) -> str:
    """Count the times whose figure meets a condition: “There were 7 days with more than 15 trips in October”."""
    figure, view = whole.figure, whole.view
    havings = [operator for _, operator, _ in view.names.facts.havings]
    if not havings or len(view.figures) != 1 or view.is_cut:
        return ""
    low = havings[0].startswith("<")
    past = "were" if figure.clauses.is_past else "are"
    start = words("There", past, f"{len(whole.rows):,}", plural(whole.grain or view.title(whole.key)), scope_of(view))
    if whole.values.count(min(whole.values) if low else max(whole.values)) > 1:
        return f"{start}."
    return f"{start}; the {'lowest' if low else 'highest'} was {whole.end(high=not low)}."


def by_group(view: View) -> str:
    """Say first and last value of a few groups; "" for other results."""
    times = [at for at in view.keys if view.is_time(at)]
    groups = [at for at in view.keys if at not in times]
    if len(times) != 1 or len(groups) != 1 or len(view.measures) != 1 or not view.is_whole or view.is_cut:
        return ""
    figure, by = Figure(view, view.measures[0]), dict.fromkeys(row[groups[0]] for row in view.rows)
    found = [(name, _points(figure, times[0], [r for r in view.rows if r[groups[0]] == name])) for name in by]
    spans = {tuple(str(row[times[0]]) for row in rows) for _, rows in found}
    if not 1 < len(found) <= GROUPS or len(spans) != 1 or len({*next(iter(spans))}) < max(2, len(found[0][1])):
        return ""
    whole = Series(figure, times[0], found[0][1])
    end = -2 if len(whole.rows) > 2 and whole.is_now(whole.rows[-1]) else -1  # one not over says little
    start = 1 if len(whole.rows) > 3 and whole.is_part(whole.rows[0]) else 0
    parts = []
    for place, (_, rows) in enumerate(found):
        one = Series(figure, times[0], (rows[start], rows[end]))
        parts.append(words(view.label(rows[0], groups), _ends(one) if not place else _moved(one)))
    so_far = " so far" if whole.is_now(whole.rows[end]) else ""
    return f"{sentence(figure.subject)}: {'; '.join(parts)}{so_far}."


def _points(figure: Figure, key: int, rows: Sequence[Row]) -> tuple[Row, ...]:
    known = [row for row in rows if row[key] is not None and is_number(row[figure.at])]
    return tuple(sorted(known, key=lambda row: row[key] if is_number(row[key]) else str(row[key])))


def _moved(one: Series) -> str:
    first, last = one.values[0], one.values[-1]
    start, end = one.figure.said(one.rows[0]), one.figure.said(one.rows[-1])
    return (
        f"stayed at {end}"
        if first == last or start == end
        else f"{'rose' if last > first else 'fell'} from {start} to {end}"
    )


def _ends(told: Series) -> str:
    figure, rows, values = told.figure, told.rows, told.values
    be = {"are": "were", "is": "was"}.get(figure.be, figure.be)
    if min(values) == max(values):
        return f"stayed at {figure.said(rows[0])}"
    if len(rows) > 2 and told.is_flat:
        return f"stayed between {told.end(high=False)} and {told.end(high=True)}"
    if len(rows) > MANY or (figure.output.function == "distinct" and len(rows) > FEW):
        return f"{be} between {told.end(high=False)} and {told.end(high=True)}"
    if values[0] == values[-1] or figure.said(rows[0]) == figure.said(rows[-1]):
        return f"{be} {told.at(rows[0])} and again {told.at(rows[-1])}"
    points = ""
    if told.view.formats[figure.at].kind == "percent" and len(told.view.rows) == 2:
        change = abs(float(values[-1]) - float(values[0])) * told.view.formats[figure.at].scale
        shown = written.significant(change, 3, told.view.names.locale)
        points = f", by {shown} percentage point{'' if shown == '1' else 's'}"
    return f"{'rose' if values[-1] > values[0] else 'fell'} from {told.at(rows[0])} to {told.at(rows[-1])}{points}"


def _extremes(told: Series) -> str:
    values = told.values
    if not FEW < len(values) <= MANY or told.figure.output.function == "distinct" or told.is_flat:
        return ""
    said = {told.figure.said(told.rows[0]), told.figure.said(told.rows[-1])}
    low, high = (told.figure.said(end(told.rows, key=lambda row: row[told.figure.at])) for end in (min, max))
    lowest = f"the lowest was {told.end(high=False)}" if low not in said else ""
    if values[-1] == max(values) and values.count(max(values)) == 1:
        return f", the highest{f'; {lowest}' if lowest else ''}"
    highest = f"the highest was {told.end(high=True)}" if high not in said else ""
    found = listed([each for each in (highest, lowest) if each])
    return f"; {found}" if found else ""


def _second(told: Series, other: Figure) -> str:
    if not all(is_number(row[other.at]) for row in told.rows):
        return ""
    if other.output.function == "running":
        return f"; the running total reached {other.said(told.view.rows[-1])}"
    again = Series(other, told.key, told.rows)
    short = len(told.rows) <= MANY and not again.is_flat and other.output.function != "distinct"
    return f"; {other.subject} {_moved(again) if short else _ends(again)}"


def _verdict(whole: Series) -> str:
    """Answer a question about a direction of two values."""
    question = whole.view.names.question
    up, down = bool(UP.search(question)), bool(DOWN.search(question))
    if len(whole.view.rows) != 2 or up == down or not asks_whether(question) or whole.values[0] == whole.values[-1]:
        return ""
    return "Yes, " if (whole.values[-1] > whole.values[0]) == up else "No, "


def _gaps(whole: Series) -> str:
    missing = [row for row in whole.view.rows if row[whole.figure.at] is None]
    if len(missing) > FEW:
        return f"; {len(missing)} have no value"
    names = listed([whole.when(row) for row in missing])
    return f"; {names} {'has' if len(missing) == 1 else 'have'} no value" if missing else ""


def _day(cell: object) -> date | None:
    try:
        return date.fromisoformat(str(cell)[:10])
    except ValueError:
        return None
