"""Sentences for rows without figures, for the first of each group, and for no rows at all."""

import re

from ai.answers.figure import Figure, asks_for_any, words
from ai.answers.naming import listed, sentence
from ai.answers.persons import is_whole_name
from ai.answers.rankings import superlative
from ai.answers.view import View
from ai.language.words import plural, singular
from ai.results.table import Row
from ai.sql.facts import Window

FEW = 3  # rows of a cut list that are named
NAMED = 5  # rows that are named in the sentence
AS_ASKED = {
    "earliest": re.compile(r"\boldest\b", re.IGNORECASE),
    "latest": re.compile(r"\b(?:newest|youngest|most recent)\b", re.IGNORECASE),
}
FIRSTS_NAMED = 3  # groups whose first row is told


def no_rows(view: View) -> str:
    clauses = view.clauses()
    if view.names.facts.offset:
        return "There are no more rows."
    start = "No, there" if asks_for_any(view.names.question) else "There"
    said = words(start, "were" if clauses.is_past else "are", "no", clauses.before, _noun(view, 0), clauses.tail)
    return f"{said}{' so far' if clauses.so_far else ''}."


def rows_of(view: View) -> str:
    """Count the rows and name a few."""
    clauses, count = view.clauses(), view.result.row_count
    if not view.counts_all:
        return _first_few(view)
    if view.is_cut:
        return f"{words('There are', f'{count:,}', clauses.before, _noun(view, count), clauses.tail)}."
    start = "Yes, there" if asks_for_any(view.names.question) else "There"
    if count == 1 and start == "There" and _asks_for_one(view):
        return f"{words('The', clauses.before, _noun(view, 1), clauses.tail, 'is')} {_named(view, view.rows[0])}."
    number = f"{count:,}" if count > 1 else "only one" if start == "There" else "one"
    said = words(start, "are" if count != 1 else "is", number, clauses.before, _noun(view, count), clauses.tail)
    if count <= NAMED:
        return f"{said}: {listed([_named(view, row) for row in view.rows])}."
    return f"{said}{_first(view) or _extremes(view)}."


def _as_asked(view: View, end: str) -> str:
    """Say “oldest” or “newest” where the question does."""
    found = AS_ASKED[end].search(view.names.question)
    return found[0].lower() if found else end


def _asks_for_one(view: View) -> bool:
    """Whether the question is after one thing: “which team owns Gabbro?”."""
    said, one = view.names.question.lower().split(), _noun(view, 1)
    return said[:1] in (["which"], ["what"], ["whats"], ["what's"]) and one in said and plural(one) not in said


def _first_few(view: View) -> str:
    """Name rows of a cut list: never a total."""
    clauses, count, order = view.clauses(), view.result.row_count, view.names.facts.order[:1]
    rows = words(clauses.before, _noun(view, count), clauses.tail)
    if not order:
        return f"These are {count:,} {rows}."
    place, by = order[0].place, order[0].by
    names = listed([_named(view, row) for row in view.rows]) if count <= FEW else ""
    if view.names.is_dated(by) or (place is not None and view.is_time(place)):
        end = _as_asked(view, "latest" if order[0].descending else "earliest")
        if count == 1:
            return f"The {end} {rows} {'was on' if _is_past_day(view) else 'is'} {names}."
        span = "" if names or place is None or not view.is_whole else f", {_span(view, place)}"
        return f"These are the {end} {count:,} {rows}{span}{f': {names}' if names else ''}."
    name = view.title(place) if place in view.keys else view.names.figure(by) if by.is_figure else view.names.alias(by)
    ends = f"with the {'highest' if order[0].descending else 'lowest'} {name}"
    if place is not None and view.formats[place].kind == "text":
        end = "last" if order[0].descending else "first"
        if count == 1:
            return f"The {end} {rows} by {name} is {names}."
        return f"These are the {end} {count:,} {rows} by {name}{f': {names}' if names else ''}."
    if count == 1:
        return f"The {rows} {ends} is {names}."
    return f"These are the {count:,} {rows} {ends}{f': {names}' if names else ''}."


def _is_past_day(view: View) -> bool:
    """Whether the only row shows nothing but a day that is over."""
    ((day, *more),) = view.rows
    return not more and view.formats[0].kind == "date" and str(day)[:10] <= view.names.today.isoformat()


def _span(view: View, at: int) -> str:
    days = sorted((row for row in view.rows if row[at] is not None), key=lambda row: str(row[at]))
    first, last = (view.said(row, at) for row in (days[0], days[-1]))
    return f"from {first} to {last}" if first != last else f"all from {first}"


def _noun(view: View, count: int) -> str:
    facts, names, many = view.names.facts, view.names, count != 1
    if (facts.groups or facts.distinct) and view.keys:
        if facts.distinct and len(view.keys) > 1:
            return "different rows" if many else "row"
        word = singular(view.title(name_place(view)))
        return plural(word) if many else word
    return names.noun(facts.rows, many=many) if facts.rows else "rows" if many else "row"


def name_place(view: View) -> int:
    """Return the key with the name of the thing, else the first text."""
    thing = view.names.noun(view.names.facts.rows, many=False) if view.names.facts.rows else ""
    texts = [at for at in view.keys if view.formats[at].kind == "text"]
    own = [at for at in texts if view.title(at) == thing]
    if own or not view.keys:
        return own[0] if own else 0
    return texts[0] if texts and view.formats[view.keys[0]].kind != "plain" else view.keys[0]


def _named(view: View, row: Row) -> str:
    if not view.keys:
        return ", ".join(view.said(row, at) for at in view.figures)
    names = _names(view, name_place(view))
    others = [key for key in (*view.keys, *view.figures) if key not in names and row[key] is not None]
    if len(view.rows) == 1 and others and len(others) <= FEW:
        told = [view.label(row, others[:1]), *(f"{view.title(at)} {view.said(row, at)}" for at in others[1:])]
        return f"{view.label(row, names)} ({', '.join(told)})"
    if len(view.rows) > NAMED or not others or len(others) > 2:
        return view.label(row, names)
    return f"{view.label(row, names)} ({view.label(row, others[:1])})"


def _names(view: View, at: int) -> list[int]:
    """Return the key with a name, and the one with the last name of a person."""
    return [at, *[key for key in view.keys if is_whole_name(view.title(at), view.title(key))][:1]]


def _first(view: View) -> str:
    order = view.names.facts.order
    place = order[0].place if order else None
    if place is None or not view.is_time(place) or place not in view.keys or view.rows[0][place] is None:
        return ""
    row, at = view.rows[0], name_place(view)
    text = next((key for key in view.keys if key != at and view.formats[key].kind == "text" and row[key]), None)
    title = f"{view.said(row, text)}, " if text is not None and view.formats[at].kind == "plain" else ""
    end = "newest" if order[0].descending else "oldest"
    return f"; the {end} is {view.label(row, _names(view, at))} ({title}{view.said(row, place)})"


def _extremes(view: View) -> str:
    if not view.measures or not view.is_whole or not view.keys:
        return ""
    at, *more = view.measures
    rows = [row for row in view.rows if row[at] is not None]
    values = [row[at] for row in rows]
    if len(rows) < 2 or values.count(max(values)) > 1 or values.count(min(values)) > 1:
        return ""
    ends = []
    for row in (max(rows, key=lambda row: row[at]), min(rows, key=lambda row: row[at])):
        beside = f"; {Figure(view, more[0]).item(row)}" if more and row[more[0]] is not None else ""
        ends.append(f"{view.label(row, _names(view, name_place(view)))} ({view.said(row, at)}{beside})")
    return f". {sentence(Figure(view, at).name)} is highest for {ends[0]} and lowest for {ends[1]}"


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

    more = [f"{len(rows) - FIRSTS_NAMED:,} more"] if len(rows) > FIRSTS_NAMED else []
    head = words(sentence(superlative(figure, rising=rising).removeprefix("the ")), "by", singular(view.title(group)))
    return f"{words(head, figure.tail)}{figure.so_far}: {listed([*map(first, rows[:FIRSTS_NAMED]), *more])}."
