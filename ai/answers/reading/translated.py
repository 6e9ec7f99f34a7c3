"""A result in another language than English: few forms of sentence, worded by the catalogue, figures put in by code.

Names of tables and columns stay as the data has them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from ai.answers.conditions import conditions_in, having_in, period_in
from ai.answers.figure import Figure, asks_for_any
from ai.answers.formats import is_number
from ai.answers.lists import name_place
from ai.answers.naming import Names, listed, sentence
from ai.answers.rankings import main_figure
from ai.answers.series import Series
from ai.answers.view import View
from ai.results.table import Row
from ai.sql.facts import OrderKey, Output, Test, is_change

NAMED = 5  # rows or places that are named
PLACES = 3
AGGREGATES = {
    "avg": "average {0}",
    "median": "median {0}",
    "running": "running total of {0}",
    "min": "lowest {0}",
    "max": "highest {0}",
}


def told_in_language(view: View) -> str:
    """Say a result in the language of its names."""
    return _Teller(view).told()


def reading_in_language(names: Names) -> str:
    """Return how a query reads the data: its figures or rows, groups, conditions and order."""
    return _Wording(names).reading()


@dataclass(frozen=True, slots=True)
class _Wording:
    """The names and conditions of a query."""

    names: Names

    def fill(self, english: str, *slots: str) -> str:
        return self.names.texts.fill(english, *slots)

    def figure(self, output: Output) -> str:
        """Name a figure, with the conditions inside the aggregate."""
        inside = output.parts[:1] if output.function == "ratio" and not output.metric else ()
        tests = output.tests or tuple(test for part in inside for test in part.tests)
        held = ", ".join(conditions_in(tests, self.names))
        return f"{self._named(output)}{held and f' ({held})'}"

    def _named(self, output: Output) -> str:
        names = self.names
        if output.metric:
            return output.metric
        if output.function == "count":
            return self.fill("number of {0}", names.counted(output))
        if output.function == "distinct":
            return self.fill("number of different {0}", names.different(output))
        if (output.is_plain or output.function == "running") and output.function in AGGREGATES and output.origins:
            dated = {"min": "earliest {0}", "max": "latest {0}"} if names.is_dated(output) else {}
            return self.fill(dated.get(output.function) or AGGREGATES[output.function], names.measured(output))
        return names.figure(output) if output.is_figure else names.alias(output)

    def scope(self, leave_out: Callable[[Test], bool] = lambda _: False) -> str:
        """Return conditions in brackets and the period: " (country: Germany) im Oktober 2026"."""
        facts, names = self.names.facts, self.names
        held = conditions_in([one for one in facts.tests if isinstance(one, Test) and not leave_out(one)], names)
        held += [having_in(having, self._named(having[0]), names) for having in facts.havings]
        periods = [period_in(one, names) for one in facts.periods]
        return (f" ({', '.join(held)})" if held else "") + (f" {', '.join(periods)}" if periods else "")

    def reading(self) -> str:
        facts, names = self.names.facts, self.names
        figures = [self.figure(output) for output in facts.outputs if output.is_figure and not is_change(output)]
        what = listed(list(dict.fromkeys(figures)) or [names.rows], self.fill("and"))
        groups = [self._group(facts.outputs[at]) for at in facts.groups if not facts.outputs[at].is_figure]
        said = self.fill("{0} per {1}{2}", what, listed(groups, self.fill("and")), "") if groups and figures else what
        lost = facts.hidden_groups and not groups
        untold = facts.steps or facts.branches or facts.ranks or facts.ties or lost or facts.unsaid
        more = [self.fill("with steps that only the SQL tells in full")] if untold else []
        return ", ".join([f"{said}{self.scope()}", *self._order(), *more])

    def _group(self, output: Output) -> str:
        plain = output.is_plain and len(output.origins) == 1 and not output.grain
        return self.fill(self.names.title(output.origins[0]) if plain else output.grain or self.names.alias(output))

    def _order(self) -> list[str]:
        facts = self.names.facts
        top = "only one row" if facts.limit == 1 else "at most {0} rows"
        limit = [self.fill(top, str(facts.limit))] if facts.limit is not None else []
        sorts = [key for key in facts.order[:1] if not (key.by.grain and key.place in facts.groups)]
        return [*map(self._sorted, sorts), *limit]

    def _sorted(self, key: OrderKey) -> str:
        end = "by {0}, highest first" if key.descending else "by {0}, lowest first"
        if self.names.is_dated(key.by) and not key.by.is_figure:
            end = "by {0}, newest first" if key.descending else "by {0}, oldest first"
        return self.fill(end, self._named(key.by) if key.by.is_figure else self._group(key.by))


@dataclass(frozen=True, slots=True)
class _Teller:
    view: View

    @property
    def wording(self) -> _Wording:
        return _Wording(self.view.names)

    def fill(self, english: str, *slots: str) -> str:
        return self.view.names.texts.fill(english, *slots)

    def told(self) -> str:
        view = self.view
        if not view.rows:
            more = view.names.facts.offset
            return (
                self.fill("There are no more rows.")
                if more
                else self.fill("No {0} found{1}.", self._rows, self._scope())
            )
        first = view.names.facts.limit == 1 and bool(view.names.facts.order) and bool(view.measures)
        if view.result.row_count == 1 and not (first and view.keys):
            return self._one_row(view.rows[0])
        if not (view.measures and view.keys):
            return self._listed()
        if len(view.keys) == 1 and view.is_time(view.keys[0]) and view.is_whole and len(view.rows) > 1:
            return self._over_time()
        return self._ranked()

    @property
    def _rows(self) -> str:
        return self.view.names.rows if self.view.names.facts.rows else self.fill("rows")

    def _one_row(self, row: Row) -> str:
        view = self.view
        if len(view.outputs) == 1 and view.outputs[0].function == "exists":
            return self.fill("Yes." if row[0] else "No.")
        first, *more = range(len(view.outputs))
        said = self.fill("{0}{1}: {2}", self._name(first), self._scope(), view.said(row, first))
        said = "; ".join([said, *(f"{self._name(at)}: {view.said(row, at)}" for at in more)])
        asked = not more and asks_for_any(view.names.question) and is_number(row[first])
        start = self.fill("Yes." if row[first] else "No.") if asked else ""
        return f"{start} {said}.".strip()

    def _listed(self) -> str:
        view = self.view
        count, at = str(self._number(view.result.row_count)), name_place(view)
        names = [self._cell(row, at) for row in view.rows[:NAMED]]
        more = view.result.row_count - len(names)
        shown = ", ".join(names) + (self.fill(" and {0} more", self._number(more)) if more > 0 else "")
        form = "{0} {1} shown{2}: {3}." if view.is_cut else "{0} {1}{2}: {3}."
        return self.fill(form, count, self._rows, self._scope(), shown)

    def _cell(self, row: Row, at: int) -> str:
        return self.view.label(row, [at]) if self.view.keys else self.view.said(row, at)

    def _over_time(self) -> str:
        """Say the first and the last value, the highest and the lowest."""
        view, figure = self.view, Figure(self.view, self.view.measures[0])
        key = view.keys[0]
        known = [row for row in view.rows if row[key] is not None and is_number(row[figure.at])]
        rows = tuple(sorted(known, key=lambda row: str(row[key])))
        if len(rows) < 2:
            return self.fill("{0} rows.", self._number(view.result.row_count))
        whole = Series(figure, key, rows)
        last = f" {self.fill('so far')}" if whole.is_running(rows[-1]) else ""
        said = self.fill(
            "{0} per {1}{2}: {3}, then {4}{5}",
            self._name(figure.at),
            self._title(key),
            self._scope(),
            self._point(whole, rows[0]),
            self._point(whole, rows[-1]),
            last,
        )
        values = whole.values
        high, low = rows[values.index(max(values))], rows[values.index(min(values))]
        ends = self.fill("highest {0}, lowest {1}", self._point(whole, high), self._point(whole, low))
        return sentence(f"{said}; {ends}." if len(rows) > 2 else f"{said}.")

    def _point(self, whole: Series, row: Row) -> str:
        return f"{whole.figure.said(row)} ({whole.when(row)})"

    def _ranked(self) -> str:
        """Say the first places by the ordering figure; without an order in a cut result, only count."""
        view, figure = self.view, main_figure(self.view)
        rows = [row for row in view.rows if is_number(row[figure.at])]
        order = view.names.facts.order
        ordered = bool(order) and order[0].place == figure.at
        subject = self.fill("{0} per {1}{2}", self._name(figure.at), self._keys(), self._scope())
        told = len({view.label(row) for row in rows}) == len(rows)
        if not rows or not told or (view.is_cut and not (ordered or view.first_place)):
            return sentence(self.fill("{0}: {1} rows.", subject, self._number(view.result.row_count)))
        rising = ordered and not order[0].descending
        ranked = sorted(rows, key=lambda row: row[figure.at], reverse=not rising)
        first, *behind = [self._place(figure, tuple(same)) for _, same in groupby(ranked, lambda row: row[figure.at])]
        if not behind and len(rows) > 1 and not view.is_cut:
            return sentence(self.fill("{0}: {1} for all {2}.", subject, figure.said(rows[0]), self._number(len(rows))))
        said = self.fill("{0}: lowest {1}" if rising else "{0}: highest {1}", subject, first)
        rest = listed(behind[: PLACES - 1], self.fill("and"))
        return sentence(self.fill("{0}, then {1}.", said, rest) if rest else f"{said}.")

    def _place(self, figure: Figure, rows: Sequence[Row]) -> str:
        names = [self.view.label(row) for row in rows[:NAMED]]
        more = self.fill(" and {0} more", self._number(len(rows) - NAMED)) if len(rows) > NAMED else ""
        shown = figure.said(rows[0])
        return f"{', '.join(names)}{more} ({self.fill('each {0}', shown) if len(rows) > 1 else shown})"

    def _keys(self) -> str:
        return listed([self._title(at) for at in self.view.keys], self.fill("and"))

    def _title(self, at: int) -> str:
        return self.fill(self.view.title(at))

    def _name(self, at: int) -> str:
        output = self.view.outputs[at]
        if is_change(output):
            return self.fill(self.view.headings[at])
        return sentence(self.wording.figure(output) if output.is_figure else self.view.title(at))

    def _scope(self) -> str:
        """Return the conditions of all rows, without those each row shows."""
        view = self.view
        shown = {view.outputs[at].origins[:1] for at in view.keys} if len(view.rows) > 1 else set()
        return self.wording.scope(lambda one: one.operator == "in" and (one.origin,) in shown)

    def _number(self, count: int) -> str:
        return self.view.formats[0].counted(count)
