"""A result beside the facts of its query: keys, figures, formats."""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from ai.answers.conditions import Clauses, clauses_of, deed, period_label, untold
from ai.answers.filled import ResultSheet, sheet_of_rows
from ai.answers.formats import Format, format_of, heading_words, is_number, unit_in
from ai.answers.naming import Names, is_plural, masked_note, sentence
from ai.answers.persons import whole_names
from ai.language.names import country_name
from ai.language.texts import ENGLISH
from ai.results.table import ResultTable, Row
from ai.sql.catalog import Catalog
from ai.sql.facts import Output, Period, Scalar, Test, Window, alike, facts_of, is_change
from ai.sql.semantics import Semantics

MASK = "***"
PARTS_OF_TIME = {
    "weekday": {str(at): name for at, name in enumerate(calendar.day_name[-1:] + calendar.day_name[:-1])},
    "hour": {f"{at:02}": f"{at:02}:00" for at in range(24)},
    "month": {f"{at:02}": name for at, name in enumerate(calendar.month_name) if at},
}
DATED_NAME = re.compile(r"_\d{4}(?:_\d\d)+(?:_to_\d\d_\d\d)?$")  # as the reader calls a figure of one period
HOUR = re.compile(r"\d+:00")
ADDED = ("sum", "count")
RATES = frozenset("rate share ratio fraction pct percent percentage".split())
TIMES = frozenset("year quarter month week day date".split())


@dataclass(frozen=True, slots=True)
class ColumnHint:
    """Unit and kind ("boolean", "date") beyond the name."""

    unit: str = ""
    kind: str = ""


SHOWN_ROWS = 100  # of a table in a reply


@dataclass(frozen=True, slots=True)
class View:
    """`keys` and `figures` are places of columns."""

    names: Names
    result: ResultTable
    outputs: tuple[Output, ...]
    formats: tuple[Format, ...]
    keys: tuple[int, ...]
    figures: tuple[int, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.result.rows

    @property
    def is_whole(self) -> bool:
        return not self.result.truncated and len(self.result.rows) == self.result.row_count

    @property
    def is_cut(self) -> bool:
        """Rows are missing here, or the query itself may have left some out."""
        return not self.is_whole or not self.counts_all

    @property
    def counts_all(self) -> bool:
        """Whether the result's number of rows is the number there is, however few are at hand."""
        facts = self.names.facts
        limits = [one.limit for one in (facts, *facts.steps) if one.limit is not None]
        is_limited = any(self.result.row_count >= limit for limit in limits)
        return not self.result.truncated and not is_limited and not facts.offset

    @property
    def first_place(self) -> Window | None:
        return self.names.facts.first_place

    def clauses(self, *more: Test | Period) -> Clauses:
        """Return conditions of all rows, without those shown row by row."""
        facts, keys = self.names.facts, {at: self.outputs[at] for at in self.keys}
        things = [key for at, key in keys.items() if not self.is_time(at)]
        seen = tuple(keys.values()) if facts.groups or len(self.rows) <= SHOWN_ROWS else ()
        tests = untold(facts.tests, self.names, things, seen, one=len(self.rows) == 1)
        havings = [held for held in facts.havings if not _tells_direction(held[0], held[2])]
        found = clauses_of((*tests, *more), self.names, havings)
        added = any(output.function in ("sum", "running") for output in facts.outputs)
        told = " ".join((found.before, self.names.rows, *(output.metric for output in facts.outputs)))
        event = "" if added or not facts.periods else deed(facts.periods[0].origin, self.names, told)
        return replace(found, after=f"{found.after} {event} {found.when}".strip(), when="") if event else found

    @property
    def measures(self) -> tuple[int, ...]:
        """The numeric figures."""
        return tuple(at for at in self.figures if any(is_number(row[at]) for row in self.rows))

    def said(self, row: Row, at: int) -> str:
        return self.formats[at].said(row[at], today=self.names.today)

    def label(self, row: Row, places: Sequence[int] | None = None) -> str:
        places = self._naming_keys if places is None else places
        keys = whole_names([self._key(row, at) for at in places], [self.title(at) for at in places])
        return " ".join(keys) if len(keys) == 2 and HOUR.fullmatch(keys[1]) else " / ".join(keys)

    @property
    def _naming_keys(self) -> tuple[int, ...]:
        """The keys, without an ID beside its name."""
        named = {self.title(at) for at in self.keys if self.formats[at].kind == "text"}
        return tuple(at for at in self.keys if self.formats[at].kind != "plain" or self.title(at) not in named)

    def title(self, at: int) -> str:
        output = self.outputs[at]
        if output.is_plain and len(output.origins) == 1 and not self._is_repeated(output):
            return self.names.title(output.origins[0])
        return output.grain or self.names.alias(output)

    def is_time(self, at: int) -> bool:
        if self.formats[at].kind in ("date", "month") or self.outputs[at].grain:
            return True
        parts = self.title(at).split()
        return bool(parts) and parts[-1] in TIMES and self.formats[at].kind in ("plain", "month number")

    def _key(self, row: Row, at: int) -> str:
        if row[at] is None and self.title(at).endswith((" to", " by")) and self.names.language == ENGLISH:
            return "nobody"  # “assigned to”
        if row[at] is None:
            return self.names.texts.fill("no {0}", self.title(at))
        if self.formats[at].kind == "flag":
            return self.title(at) if row[at] else self.names.texts.fill("not {0}", self.title(at))
        title = self.title(at)
        if isinstance(row[at], str) and "country" in title and (country := country_name(row[at], self.names.language)):
            return country
        if named := self._part_of_time(row, at):
            return named
        if title == "hour" and row[at] in range(24):
            return f"{int(row[at])}:00"
        if self.formats[at].kind in ("number", "plain") and not self.is_time(at):
            return f"{self.said(row, at)} {title}" if is_plural(title) else f"{title} {self.said(row, at)}"
        return self.said(row, at)

    def _is_repeated(self, output: Output) -> bool:
        return [other.origins for other in self.outputs if not other.is_figure].count(output.origins) > 1

    @property
    def headings(self) -> tuple[str, ...]:
        """Column heads as words, no two alike."""
        found = [_heading(self, at) for at in range(len(self.outputs))]
        return tuple(
            heading_words(self.outputs[at].name) if found.count(words) > 1 else words for at, words in enumerate(found)
        )

    @property
    def masked_at(self) -> tuple[int, ...]:
        """The columns whose cells are all masked with NULL."""
        names = self.names.facts.masked if self.rows else frozenset()
        places = (at for at, output in enumerate(self.outputs) if output.name.lower() in names)
        return tuple(at for at in places if all(row[at] is None for row in self.rows))

    @property
    def masked(self) -> str:
        return masked_note([self.title(at) for at in self.masked_at])

    @property
    def sheet(self) -> ResultSheet:
        names = tuple(column.name for column in self.result.columns)
        known = sheet_of_rows(names, self.rows)
        alone = {at for at, output in enumerate(self.outputs) if output.is_figure and output.function not in ADDED}
        return replace(
            known,
            formats=self.formats,
            today=self.names.today,
            unadded=known.unadded | alone,
            cut=self.is_cut,
            locale=self.names.locale,
        )

    def cells(self, most: int) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(self._cell(row, at) for at in range(len(row))) for row in self.rows[:most])

    def _cell(self, row: Row, at: int) -> str:
        return self._part_of_time(row, at) or self.formats[at].cell(row[at])

    def _part_of_time(self, row: Row, at: int) -> str:
        return self.names.texts.fill(PARTS_OF_TIME.get(self.title(at), {}).get(str(row[at]), ""))


def viewed(
    sql: str, result: ResultTable, catalog: Catalog, semantics: Semantics, today: date, question: str = ""
) -> View:
    return view_of(Names(facts_of(sql, catalog, today, semantics), catalog, today, semantics, question), result)


def view_of(names: Names, result: ResultTable, hints: Sequence[ColumnHint] = ()) -> View:
    described = names.facts.outputs
    fits = len(described) == len(result.columns)
    outputs = described if fits else tuple(Output(column.name, "") for column in result.columns)
    known = hints or [ColumnHint() for _ in outputs]
    names = replace(
        names, units=frozenset("".join(filter(str.isalpha, hint.unit)).lower() for hint in known if hint.unit)
    )
    cells = [[row[at] for row in result.rows] for at in range(len(outputs))]
    formats = tuple(_format(o, h, c, names) for o, h, c in zip(outputs, known, cells, strict=True))
    formats = tuple(_changed_as(at, outputs, formats) for at in range(len(outputs)))
    groups = set(names.facts.groups) if fits else set()
    figures = tuple(
        at
        for at, (output, its) in enumerate(zip(outputs, formats, strict=True))
        if at not in groups and (output.is_figure or its.is_figure)
    )
    formats = tuple(
        _without_echo(f, o, names) if at in figures else f
        for at, (f, o) in enumerate(zip(formats, outputs, strict=True))
    )
    return View(names, result, outputs, formats, tuple(at for at in range(len(outputs)) if at not in figures), figures)


def _changed_as(at: int, outputs: Sequence[Output], formats: Sequence[Format]) -> Format:
    """Return the format of a column, for a change that of the figure that changed."""
    output = outputs[at]
    windowed = output.window is not None and output.window.function in ("sum", "avg") and not output.of_total
    if windowed and at and outputs[at - 1].is_figure and formats[at].kind in ("number", "plain"):
        return formats[at - 1]
    if output.percent or not is_change(output):
        return formats[at]
    same = next((place for place in range(at) if alike(outputs[place], output.parts[0])), at - 2)
    return formats[max(same, 0)] if formats[at].kind in ("number", "plain") else formats[at]


def _format(output: Output, hint: ColumnHint, cells: Sequence[Any], names: Names) -> Format:
    origin = output.origins[0] if output.is_plain and len(output.origins) == 1 else None
    counts = output.function in ("count", "distinct")
    held = names.column(origin) if origin and not counts else None
    unit, scale = hint.unit, 1.0
    metric = next((m for m in names.semantics.metrics if m.name == output.metric), None) if output.metric else None
    declared = names.unit_of(origin) if origin and not counts else names.unit_of_ratio(output)
    if not unit and metric is not None:
        unit = metric.unit
    elif not unit and declared is not None:
        unit, scale = declared.unit, declared.scale / output.factor
    if not unit and not counts and (metric is None or not metric.unit):
        inner = output.parts[0].origins[0] if len(output.parts) == 1 and len(output.origins) == 1 else origin
        unit = _told_unit(output, inner.column if inner else output.name)
        scale = 1 / output.factor if unit else scale
    kind = hint.kind or (held.kind if held and not output.is_figure else "")
    name = "" if output.is_figure else origin.column if origin else output.name
    found = format_of(name, unit, cells, kind=kind, scale=scale, locale=names.locale)
    return replace(found, native=names.language != ENGLISH, labels=held.called if held else {})


def _without_echo(by: Format, output: Output, names: Names) -> Format:
    """Drop a unit in the figure's own name: no "stars of 4.4 stars"."""
    said = names.figure(output) if output.is_figure else names.alias(output)
    return replace(by, kind="number", unit="") if by.kind == "unit" and by.unit in said.split() else by


def _told_unit(output: Output, name: str) -> str:
    """Read the unit from a ratio's shape, else from the name."""
    if output.function == "ratio":
        first, second = output.parts
        counted = first.function == second.function == "count" and bool(first.tests)
        if (
            output.of_total
            or counted
            or RATES & set(heading_words(output.name).lower().split())
            or unit_in(output.name) == "%"
        ):
            return "%" if output.percent else "ratio"
    return unit_in(name)


def _heading(view: View, at: int) -> str:
    output, names = view.outputs[at], view.names
    if is_change(output):
        return "Change in %" if output.percent else "Change"
    times = [test for test in output.tests if isinstance(test, Period)]
    if times and DATED_NAME.search(output.name):
        held = clauses_of([test for test in output.tests if test not in times], names).tail
        name = output.metric or (names.figure(output) if output.is_figure else names.alias(output))
        return f"{sentence(name)}{held and f' {held}'}, {period_label(times[0], names)}"
    if output.metric:
        return sentence(output.metric)
    if output.function == "count" and output.rows and not output.tests:
        return sentence(names.counted(output))
    if output.function == "sum" and output.is_plain and not output.tests:
        return sentence(heading_words(names.measured(output)))
    if output.of_total:
        return "Share of total"
    if not output.is_figure and output.is_plain:
        return heading_words(view.title(at).replace(" ", "_"))
    return heading_words(output.name)


def _tells_direction(by: Output, values: Sequence[Scalar]) -> bool:
    """Whether a condition only says that a figure rose or fell, as the sentence does."""
    gain = is_change(by) or (" - " in by.sql and by.sql.upper().count("COALESCE") == 2)
    return gain and tuple(values) == (0,)
