"""Which chart fits a result: by its columns, their units, its size and the words of the question."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ai.answers.formats import is_number
from ai.answers.rankings import compares
from ai.answers.view import View
from ai.charts.design import ChartDesign, Kind

RELATES = re.compile(
    r"\b(?:vs\.?|versus|against|correlat\w*|relat(?:e|es|ed|ion\w*)|depend\w*|scatter|affects?|drives?|link\w*"
    r"|connect\w*|influenc\w*|impact\w*|tied to|leads? to|brings?|means? (?:more|less|fewer|\w+er))\b",
    re.IGNORECASE,
)
SPREADS = re.compile(r"\b(?:distribut\w*|histogram|spread|buckets?|bins?|bands?|ranges?|frequenc\w*)\b", re.IGNORECASE)
SPLITS = re.compile(
    r"\b(?:shares?|proportions?|percent\w*|split|mix|make-?up|breakdown|composition|composed|stack(?:ed)?)\b|%",
    re.IGNORECASE,
)
COMPARES = re.compile(
    r"\b(?:by|per|each|every|compare\w*|rank\w*|top|bottom|most|least|best|worst|highest|lowest|versus|vs|across"
    r"|between|which|biggest|largest|smallest)\b",
    re.IGNORECASE,
)
BUCKET = re.compile(
    r"(?:<|>|<=|>=|≤|≥|under|over|up to|less than|more than)? ?[$€£]?[\d.,]+[km]? ?(?:-|–|to|and) ?"
    r"(?:under )?[$€£]?[\d.,]+.*"
    r"|(?:<|>|<=|>=|≤|≥|under|over|up to|less than|more than) ?[$€£]?[\d.,]+.*"
    r"|[$€£]?[\d.,]+[km]? ?(?:\+|(?:and|or) (?:more|over|less)).*",
    re.IGNORECASE,
)
LONG_SERIES, MOST_LINES = 5, 6
SURE_BARS, SURE_POINTS = range(4, 16), 5
FEW, MOST_GROUPED = 20, 48
CHARTED_ROWS = 5_000
NOTHING, ONE_ROW = "There are no rows to draw.", "One row is better read than drawn."
NO_FIGURE = "There is no figure to draw: the columns hold names and dates."
TOO_MANY_KEYS = "It has {0} columns of names beside the figures, and a chart shows at most two; ask for fewer."
SINGLE_ROWS = "These are single rows, not totals; ask for a figure by one of their columns."
FEW_VALUES = "{0} values without names say more as a table."
REPEATED = "Several rows have the same {0}, so no chart would show them apart; ask for a total by {0}."


@dataclass(frozen=True, slots=True)
class Shape:
    """A view's parts that vary: times and groups among the keys, figures with numbers."""

    view: View
    times: tuple[int, ...]
    groups: tuple[int, ...]
    figures: tuple[int, ...]

    @property
    def rows(self) -> int:
        return len(self.view.rows)

    @property
    def question(self) -> str:
        return self.view.names.question

    def distinct(self, *places: int) -> int:
        return len({tuple(row[at] for at in places) for row in self.view.rows})

    @property
    def adds(self) -> bool:
        """Whether the first figure can be added up."""
        return adds(self.view, self.figures[0])

    def are_records(self, one: int, other: int) -> bool:
        """Tell single rows, each with names of its own, from totals by two names."""
        facts = self.view.names.facts
        aggregated = bool(facts.groups) or any(output.is_figure for output in facts.outputs)
        return not aggregated and min(self.distinct(one), self.distinct(other)) == self.rows > 2

    @property
    def is_ranking(self) -> bool:
        order = self.view.names.facts.order
        return bool(order) and order[0].place in self.figures


def adds(view: View, at: int) -> bool:
    """Whether a column's values can be added up over rows."""
    output = view.outputs[at]
    if output.metric or output.function in ("sum", "count"):
        plain = not any(
            m.name == output.metric and UNADDED_SQL.search(m.expression) for m in view.names.semantics.metrics
        )
        return plain and view.formats[at].kind != "percent" and at not in view.sheet.unadded
    words = set(view.headings[at].lower().split())
    known = output.function == "" and view.formats[at].kind in ("number", "money", "unit", "bytes", "time")
    return known and not words & UNADDED and at not in view.sheet.unadded


UNADDED_SQL = re.compile(r"\bavg\b|\bdistinct\b|/(?!\s*\d)", re.IGNORECASE)  # a sum over a number adds up
UNADDED = frozenset(
    "average avg mean median rate ratio share percent percentage min max minimum maximum price rating score stars "
    "mrr arr balance stock nps age".split()
)


def shape_of(view: View) -> Shape:
    """Leave out constant keys and an ID beside its name."""
    rows = view.rows
    named = {view.title(at) for at in view.keys if view.formats[at].kind == "text"}
    keys = [at for at in view.keys if not (view.formats[at].kind == "plain" and view.title(at) in named)]
    varying = [at for at in keys if len(rows) < 2 or len({_hashable(row[at]) for row in rows}) > 1]
    times = tuple(at for at in varying if view.is_time(at))
    groups = tuple(at for at in varying if at not in times)
    figures = tuple(at for at in view.measures if view.formats[at].is_figure)
    return Shape(view, times, groups, figures)


def _hashable(cell: Any) -> Any:
    return repr(cell) if isinstance(cell, list | dict) else cell


def chosen(view: View) -> ChartDesign:
    """Return the chart that fits, of the kind "none" with a reason where none does."""
    shape = shape_of(view)
    for rule in RULES:
        if (found := rule(shape)) is not None:
            return found
    return ChartDesign("none", reason="No chart fits these columns.")


def is_sure(view: View, design: ChartDesign) -> bool:
    """Whether a chart may come by itself: a time series, or a ranking asked as a comparison."""
    shape = shape_of(view)
    whole = not view.result.truncated and len(view.rows) == view.result.row_count
    aggregated = bool(view.names.facts.groups)
    if not (whole and aggregated and len(shape.figures) == 1):
        return False
    known = [row for row in view.rows if is_number(row[shape.figures[0]])]
    if design.kind == "line":
        ranks = view.names.facts.limit is not None and shape.is_ranking
        return not ranks and shape.distinct(*shape.times) >= SURE_POINTS and len(known) == len(view.rows)
    named = all(row[at] is not None for row in view.rows for at in shape.groups)
    is_comparison = bool(COMPARES.search(shape.question)) and len(known) == len(view.rows) and named
    apart = len({view.label(row, shape.groups) for row in view.rows}) == len(view.rows)
    return design.kind == "bar" and len(view.rows) in SURE_BARS and is_comparison and apart and not shape.times


def _nothing(shape: Shape) -> ChartDesign | None:
    if not shape.rows:
        return ChartDesign("none", reason=NOTHING)
    if not shape.figures:
        return ChartDesign("none", reason=NO_FIGURE)
    return None


def _single(shape: Shape) -> ChartDesign | None:
    if shape.rows > 1:
        return None
    if len(shape.view.outputs) == 1 and is_number(shape.view.rows[0][shape.figures[0]]):
        return ChartDesign("number", y=shape.figures[:1])
    return ChartDesign("none", reason=ONE_ROW)


def _spread(shape: Shape) -> ChartDesign | None:
    if not shape.times and not shape.groups and len(shape.figures) == 1:
        if shape.rows < FEW:
            return ChartDesign("none", reason=FEW_VALUES.format(shape.rows))
        return ChartDesign("histogram", y=shape.figures)
    if len(shape.groups) != 1 or shape.times or len(shape.figures) > 2:
        return None
    cells = [row[shape.groups[0]] for row in shape.view.rows if row[shape.groups[0]] is not None]
    written = [cell for cell in cells if isinstance(cell, str)]
    buckets = len(cells) > 2 and len(written) == len(cells) and sum(map(bool, map(BUCKET.fullmatch, written))) > 1
    numbers = len(cells) > 2 and all(map(is_number, cells)) and not shape.is_ranking
    counted = shape.view.outputs[shape.figures[0]].function in ("count", "distinct", "")
    if (buckets or (numbers and (SPREADS.search(shape.question) or counted))) and shape.distinct(
        *shape.groups
    ) == shape.rows:
        return ChartDesign("histogram", shape.groups[0], shape.figures[:1])
    return None


def _related(shape: Shape) -> ChartDesign | None:
    if len(shape.figures) < 2 or shape.rows < 5 or compares(shape.view):
        return None
    asked = len(shape.figures) == 2 and RELATES.search(shape.question)
    alone = not shape.times and not shape.groups and len(shape.figures) == 2
    many = not shape.times and len(shape.figures) == 2 and shape.rows > FEW and units(shape.view, shape.figures) == 2
    if asked or alone or many:
        label = (*shape.groups, *shape.times)[:1]
        return ChartDesign("scatter", shape.figures[0], shape.figures[1:2], label[0] if label else None)
    return None


def _over_time(shape: Shape) -> ChartDesign | None:
    if len(shape.times) != 1 or len(shape.groups) > 1:
        return None
    time, group, points = shape.times[0], shape.groups[:1], shape.distinct(*shape.times)
    if not group and shape.distinct(time) < shape.rows:
        return None if shape.adds else ChartDesign("none", reason=REPEATED.format(shape.view.title(time)))
    if group and shape.are_records(time, group[0]):
        return ChartDesign("none", reason=SINGLE_ROWS)
    if group and shape.distinct(time, *group) < shape.rows and not shape.adds:
        return ChartDesign("none", reason=REPEATED.format(shape.view.title(time)))
    if group:
        return _grouped_over_time(shape, time, group[0], points)
    if shape.is_ranking and shape.view.formats[time].kind not in ("date", "month"):
        return ChartDesign("bar", time, shape.figures[:1])
    kind: Kind = "line" if points > 2 else "bar" if len(shape.figures) == 1 else "grouped_bar"
    return ChartDesign(kind, time, shape.figures if kind != "bar" else shape.figures[:1])


def _grouped_over_time(shape: Shape, time: int, group: int, points: int) -> ChartDesign:
    lines = shape.distinct(group)
    if points < LONG_SERIES or SPLITS.search(shape.question):
        stacked = shape.adds and not _has_negative(shape) and points * lines <= 10 * MOST_GROUPED
        kind: Kind = "stacked_bar" if stacked else "grouped_bar" if points < LONG_SERIES else "line"
        shares = stacked and bool(SPLITS.search(shape.question)) and "stacked" not in shape.question.lower()
        return ChartDesign(kind, time, shape.figures[:1], group, shares=shares)
    kind = "line" if lines <= MOST_LINES else "small_multiples"
    return ChartDesign(kind, time, shape.figures[:1], group)


def _by_name(shape: Shape) -> ChartDesign | None:
    keys = (*shape.groups, *shape.times)
    if len(keys) != 1 or shape.distinct(*keys) < shape.rows:
        return None
    beside = len(shape.figures) > 1 and units(shape.view, shape.figures) == 1 and len(shape.figures) <= 4
    if beside and not shape.is_ranking and not _has_count_beside(shape):
        return ChartDesign("grouped_bar", keys[0], shape.figures)
    main = shape.view.names.facts.order[0].place if shape.is_ranking else shape.figures[0]
    return ChartDesign("bar", keys[0], (main if main is not None else shape.figures[0],))


def _by_two_names(shape: Shape) -> ChartDesign | None:
    keys = (*shape.times, *shape.groups)
    if len(keys) != 2 or shape.distinct(*keys) < shape.rows:
        return None
    if shape.are_records(*keys):
        return ChartDesign("none", reason=SINGLE_ROWS)
    if shape.view.is_cut:
        return ChartDesign("none", reason="These are only some rows of two groupings; ask for all of them, or for one.")
    first, second = sorted(keys, key=lambda at: -shape.distinct(at)) if not shape.times else keys
    share = shape.adds and bool(SPLITS.search(shape.question))
    crowded = shape.rows > MOST_GROUPED or shape.distinct(second) > MOST_LINES
    kind: Kind = "stacked_bar" if shape.adds and (share or crowded) and not _has_negative(shape) else "grouped_bar"
    return ChartDesign(kind, first, shape.figures[:1], second, shares=share and kind == "stacked_bar")


def _records(shape: Shape) -> ChartDesign | None:
    keys = (*shape.times, *shape.groups)
    if len(keys) > 2:
        return ChartDesign("none", reason=TOO_MANY_KEYS.format(len(keys)))
    if not keys:
        return ChartDesign("none", reason=ONE_ROW if shape.rows == 1 else FEW_VALUES.format(shape.rows))
    if shape.adds:  # rows with the same name add up
        kind: Kind = "line" if shape.times else "bar"
        return ChartDesign(kind, keys[0], shape.figures[:1], keys[1] if len(keys) > 1 else None)
    return ChartDesign("none", reason=REPEATED.format(shape.view.title(keys[0])))


def units(view: View, places: Iterable[int]) -> int:
    """Count the units of some columns."""
    return len({(view.formats[at].kind, view.formats[at].unit) for at in places})


def _has_count_beside(shape: Shape) -> bool:
    """Tell an average with the number of its rows."""
    functions = [shape.view.outputs[at].function for at in shape.figures]
    return len({function == "count" for function in functions}) > 1


def _has_negative(shape: Shape) -> bool:
    at = shape.figures[0]
    return any(is_number(row[at]) and row[at] < 0 for row in shape.view.rows)


RULES: tuple[Callable[[Shape], ChartDesign | None], ...] = (
    _nothing,
    _single,
    _spread,
    _related,
    _over_time,
    _by_name,
    _by_two_names,
    _records,
)
