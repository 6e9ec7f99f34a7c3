"""Sentences for the first of each group: the latest release of each app, the best app of each category."""

from ai.answers.figure import Figure, words
from ai.answers.naming import listed, sentence
from ai.answers.rankings import superlative
from ai.answers.view import View
from ai.language.words import plural, singular
from ai.results.table import Row
from ai.sql.facts import Window

NAMED = 3  # groups whose first row is told


def first_of_each(view: View) -> str:
    """Name the first of each group; "" for a query keeping anything else."""
    window = _window(view)
    if window is None or view.is_cut or len(view.keys) < 2:
        return ""
    group = next((at for at in view.keys if view.outputs[at].name == window.partition[0].name), None)
    by = next((at for at in view.figures if view.outputs[at].name == window.order[0].by.name), None)
    if group is None or by is None:
        return ""
    if view.formats[by].kind == "date":
        return _dated(view, group, by, latest=window.order[0].descending)
    return _ranked(Figure(view, by), group, rising=not window.order[0].descending) if by in view.measures else ""


def _window(view: View) -> Window | None:
    """Return the rank in groups that keeps only first places."""
    for by, operator, values in view.names.facts.ranks:
        if by.window and operator in ("<=", "=") and values == (1,) and len(by.window.partition) == 1:
            return by.window if by.window.order else None
    return None


def _dated(view: View, group: int, by: int, *, latest: bool) -> str:
    thing = view.names.noun(view.outputs[by].origins[0].table, many=False) if view.outputs[by].origins else "row"
    count, whole = len({row[group] for row in view.rows}), view.result.row_count
    things = singular(view.title(group)) if count == 1 else plural(singular(view.title(group)))
    said = f"The {'latest' if latest else 'earliest'} {thing} of each of {count:,} {things}"
    return f"{said}; {whole:,} rows, as some have several on that day." if whole > count else f"{said}."


def _ranked(figure: Figure, group: int, *, rising: bool) -> str:
    view = figure.view
    rows = sorted((row for row in view.rows if row[figure.at] is not None), key=lambda row: -row[figure.at])
    others = [at for at in view.keys if at != group]
    if not rows:
        return ""

    def first(row: Row) -> str:
        return f"{view.label(row, others)} for {view.label(row, [group])} ({figure.said(row)})"

    more = [f"{len(rows) - NAMED:,} more"] if len(rows) > NAMED else []
    head = words(sentence(superlative(figure, rising=rising).removeprefix("the ")), "by", singular(view.title(group)))
    return f"{words(head, figure.tail)}{figure.so_far}: {listed([*map(first, rows[:NAMED]), *more])}."
