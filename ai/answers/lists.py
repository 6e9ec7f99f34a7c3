"""Sentences for rows without figures, and for no rows at all."""

from ai.answers.naming import listed
from ai.answers.values import asks_for_any
from ai.answers.view import View
from ai.language.words import plural, singular
from ai.results.table import Row

FEW = 3  # rows of a cut list that are named
NAMED = 5  # rows that are named in the sentence


def no_rows(view: View) -> str:
    """Say that nothing matches."""
    clauses = view.clauses()
    be = "were" if clauses.is_past else "are"
    so_far = " so far" if clauses.so_far else ""
    start = "No, there" if asks_for_any(view.names.question) else "There"
    noun = _noun(view, many=True)
    said = " ".join(f"{start} {be} no {clauses.before} {noun} {clauses.tail}".split())
    if view.names.facts.offset:
        return "There are no more rows."
    return f"{said}{so_far}."


def rows_of(view: View) -> str:
    """Say how many rows there are, and name a few."""
    clauses = view.clauses()
    count = view.result.row_count
    noun = _noun(view, many=count != 1)
    if view.is_cut:
        return _first_few(view, noun)
    be = "is" if count == 1 else "are"
    start = "Yes, there" if asks_for_any(view.names.question) else "There"
    only = "only " if count == 1 and start == "There" else ""
    said = " ".join(
        f"{start} {be} {only}{'one' if count == 1 else f'{count:,}'} {clauses.before} {noun} {clauses.tail}".split()
    )
    if count <= NAMED:
        return f"{said}: {listed([_named(view, row) for row in view.rows])}."
    return f"{said}{_first(view)}."


def _first_few(view: View, noun: str) -> str:
    """Rows of which there may be more: never a total."""
    clauses, count = view.clauses(), len(view.rows)
    rows = " ".join(f"{clauses.before} {noun} {clauses.tail}".split())
    order = view.names.facts.order[:1]
    if not order:
        return f"These are {count:,} {rows}."
    place, by = order[0].place, order[0].by
    name = view.title(place) if place in view.keys else view.names.figure(by) if by.is_figure else view.names.alias(by)
    names = listed([_named(view, row) for row in view.rows]) if count <= FEW else ""
    if view.names.is_dated(by) or (place is not None and view.is_time(place)):
        end = "latest" if order[0].descending else "earliest"
        rows = f"{end} {rows}" if count == 1 else f"{end} {count:,} {rows}"
        be = "is" if count == 1 else "are"
        return f"The {rows} by {name} {be} {names}." if names else f"These are the {rows} by {name}."
    ends = f"with the {'highest' if order[0].descending else 'lowest'} {name}"
    if place is not None and view.formats[place].kind == "text":
        ends = f"by {name}"
    return (
        f"The {rows} {ends} is {names}."
        if count == 1
        else f"These are the {count:,} {rows} {ends}{f': {names}' if names else ''}."
    )


def _noun(view: View, *, many: bool) -> str:
    """Name the rows: those of a table, or the different values that they are grouped by."""
    facts, names = view.names.facts, view.names
    if (facts.groups or facts.distinct) and view.keys:
        words = singular(view.title(name_place(view)))
        if facts.distinct and len(view.keys) > 1:
            return "different rows" if many else "row"
        return plural(words) if many else words
    if facts.rows:
        return names.noun(facts.rows, many=many)
    return "rows" if many else "row"


def name_place(view: View) -> int:
    """Return the key that names a row best: the name of its thing, else its first text."""
    thing = view.names.noun(view.names.facts.rows, many=False) if view.names.facts.rows else ""
    for at in view.keys:
        if thing and view.title(at) == thing and view.formats[at].kind == "text":
            return at
    texts = [at for at in view.keys if view.formats[at].kind == "text"]
    return texts[0] if texts and view.formats[view.keys[0]].kind != "plain" else view.keys[0] if view.keys else 0


def _named(view: View, row: Row) -> str:
    """A row by its name, with one more cell in brackets."""
    if not view.keys:
        return ", ".join(view.said(row, at) for at in view.figures)
    at = name_place(view)
    others = [key for key in (*view.keys, *view.figures) if key != at and row[key] is not None]
    if len(view.rows) > NAMED or not others or len(others) > 2:
        return view.label(row, [at])
    return f"{view.label(row, [at])} ({view.label(row, others[:1])})"


def _first(view: View) -> str:
    """The first row where the order is one of time."""
    order = view.names.facts.order
    place = order[0].place if order else None
    if place is None or not view.is_time(place) or place not in view.keys:
        return ""
    row = view.rows[0]
    if row[place] is None:
        return ""
    end = "newest" if order[0].descending else "oldest"
    return f"; the {end} is {view.label(row, [name_place(view)])} ({view.said(row, place)})"
