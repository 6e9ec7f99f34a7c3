"""Sentences for shown rows after narrowing or sorting: how many are left, their order, the leading one."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from ai.answers.conditions import LEAST
from ai.answers.figure import Figure, words
from ai.answers.naming import listed, sentence
from ai.answers.rankings import lead
from ai.answers.values import scope_of
from ai.answers.view import View
from ai.language.formats import significant
from ai.language.texts import ENGLISH
from ai.language.words import plural, singular
from ai.results.steps import First, Keep, OneOf, Share, Sort, Step
from ai.results.table import ResultTable

SIGNS = {">": "over", ">=": "of at least", "<": "under", "<=": "of at most", "=": "of", "!=": "other than"}
NAMED, TOLD_PARTS = 5, 3
ENDS = {  # by kind of column: upwards and downwards
    "text": ("from A to Z", "from Z to A"),
    "date": ("oldest first", "newest first"),
    "month": ("oldest first", "newest first"),
}


def kept(view: View, result: ResultTable, steps: Sequence[Step]) -> str:
    """Say how many rows of a view are left; "" for steps over columns, and in other languages."""
    if said := _shares(view, result, steps):
        return said
    known = all(isinstance(step, Keep | OneOf | First | Sort) for step in steps)
    if not known or view.names.language != ENGLISH or not view.keys or len(view.outputs) != len(result.columns):
        return ""
    left, count = replace(view, result=result), result.row_count
    held = [_held(view, step) for step in steps if isinstance(step, Keep | OneOf)]
    cut = any(isinstance(step, First) for step in steps)
    order = next((_order(view, step) for step in reversed(steps) if isinstance(step, Sort)), "")
    things = _things(view, count)
    if cut and not held and (ranked := _ranked(left, view.result.row_count, steps)):
        return ranked
    if not held:
        whole = f"of {view.result.row_count:,}" if cut else ""
        start = words("These are the", f"first {count:,}" if cut else f"{count:,}", whole, things)
        start = words("This is the first", whole, _things(view, view.result.row_count)) if count == 1 and cut else start
    elif cut and count > 1:
        start = f"{sentence(listed(held))}, these are the first {count:,} {things}"
    elif count == 1 and held == [f"with only {left.label(left.rows[0])}"]:
        return f"Only {_alone(left)} is left."
    else:
        number = f"{count:,}" if count > 1 else "only one" if count else "no"
        start = f"{sentence(listed(held))}, {number} {things} {'is' if count == 1 else 'are'} left"
    more = [f"sorted {order}"] if order and count > 1 else []
    first = (_lowest(left, steps) or lead(left)) if left.is_whole and count > 1 else ""
    if first:
        return f"{', '.join([start, *more])}; {'of these, ' if cut else ''}{first}."
    return f"{', '.join([start, *more])}{f': {_alone(left)}' if count == 1 else ''}."


def _last_sort(steps: Sequence[Step]) -> Sort | None:
    return next((step for step in reversed(steps) if isinstance(step, Sort)), None)


def _lowest(left: View, steps: Sequence[Step]) -> str:
    """Say what comes first where the lowest figure was asked for first."""
    sort = _last_sort(steps)
    if sort is None or sort.descending or sort.column not in left.figures:
        return ""
    first, second = (row[sort.column] for row in left.rows[:2])
    if first is None or first == second:
        return ""
    return f"{left.label(left.rows[0])} comes first ({Figure(left, sort.column).said(left.rows[0])})"


def _ranked(left: View, whole: int, steps: Sequence[Step]) -> str:
    """Say the first few of a ranking with their figures: “The top 3 of 10 categories by revenue are …”."""
    sort = _last_sort(steps)
    order = left.names.facts.order
    at = sort.column if sort else order[0].place if order else None
    rows = left.rows
    if (
        at not in left.figures
        or len(left.keys) != 1
        or not 1 <= len(rows) <= NAMED
        or any(row[at] is None for row in rows)
    ):
        return ""
    side = "top" if (sort.descending if sort else order[0].descending) else "bottom"
    figure = Figure(left, at)
    items = [f"{left.label(row)} ({figure.said(row)})" for row in rows]
    of = f" of {whole:,}" if whole > len(rows) else ""
    end = f"{of} {_things(left, whole)} by {figure.name}"
    return (
        f"The {side} {len(rows):,}{end} are {listed(items)}."
        if len(rows) > 1
        else f"The {side} one{end} is {items[0]}."
    )


def _shares(view: View, result: ResultTable, steps: Sequence[Step]) -> str:
    """Say the largest parts of a total, from a column of shares."""
    step = steps[-1] if steps else None
    plain = view.names.language == ENGLISH and len(view.keys) == 1 and len(view.outputs) + 1 == len(result.columns)
    if not isinstance(step, Share) or len(steps) > 1 or not plain or step.column not in view.figures:
        return ""
    parts = sorted((row for row in result.rows if row[-1] is not None), key=lambda row: -row[-1])[:TOLD_PARTS]
    if not parts:
        return ""
    figure = Figure(view, step.column)
    whole = (
        words(figure.things(), view.clauses().tail)
        if figure.counts
        else words(view.names.measured(figure.output), scope_of(view))
    )
    first, *rest = [(view.label(row[:-1]), f"{significant(float(row[-1]), 3, view.names.locale)}%") for row in parts]
    items = [f"{first[0]} makes up {first[1]} of {whole}", *(f"{a} {b}" for a, b in rest)]
    return f"{sentence(listed(items))}."


def _things(view: View, count: int) -> str:
    texts = [at for at in view.keys if view.formats[at].kind == "text"]
    word = (
        singular(view.title(view.keys[0])) if len(view.keys) == 1 and (texts or view.is_time(view.keys[0])) else "row"
    )
    return word if count == 1 else plural(word)


def _title(view: View, at: int) -> str:
    return view.title(at) if at in view.keys else Figure(view, at).name


def _held(view: View, step: Keep | OneOf) -> str:
    if isinstance(step, OneOf):
        named = [_as_written(view, step.column, value) for value in step.values]
        return f"without {listed(named)}" if step.without else f"with only {listed(named)}"
    if isinstance(step.value, Decimal):
        shown = view.formats[step.column].said(float(step.value), today=view.names.today)
        title = _title(view, step.column).removeprefix("number of ")
        if view.outputs[step.column].function in ("count", "distinct"):
            return f"with {LEAST[step.comparison]} {shown} {singular(title) if shown == '1' else title}"
        return f"with {title} {SIGNS[step.comparison]} {shown}"
    value = _as_written(view, step.column, step.value)
    if step.comparison in ("=", "!="):
        return f"{'with only' if step.comparison == '=' else 'without'} {value}"
    return f"with {_title(view, step.column)} {SIGNS[step.comparison]} {value}"


def _as_written(view: View, at: int, value: str) -> str:
    """Return a value as the rows have it, whatever the case of the message."""
    same = (row for row in view.rows if isinstance(row[at], str) and row[at].casefold() == value.casefold())
    return next((view.label(row, [at]) for row in same), value)


def _order(view: View, step: Sort) -> str:
    kind = "date" if view.is_time(step.column) else view.formats[step.column].kind
    ends = ENDS.get(kind, ("lowest first", "highest first"))
    return f"by {_title(view, step.column)}, {ends[step.descending]}"


def _alone(view: View) -> str:
    (row, *_) = view.rows
    shown = [Figure(view, at).item(row) for at in view.figures if row[at] is not None]
    return f"{view.label(row)}{f' ({listed(shown)})' if shown else ''}"
