"""Sentences for groups with a figure: the leader and the next, ties told as ties, shares, two groups side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ai.answers.conditions import Clauses
from ai.answers.formats import is_number
from ai.answers.naming import is_plural, listed, sentence
from ai.answers.values import figure_name, measured, scope_of, tail_of
from ai.answers.view import View
from ai.language.words import plural, singular
from ai.results.table import Row

NEXT = 2  # places behind the first that are told
TIED = 4  # names of a tie that are told
ADDED = ("sum", "count", "distinct")


@dataclass(frozen=True, slots=True)
class Place:
    """The rows with one value."""

    rows: tuple[Row, ...]
    text: str

    def named(self, view: View) -> str:
        labels = [view.label(row) for row in self.rows]
        if len(labels) <= TIED:
            return listed(labels)
        return f"{len(labels):,} {plural(singular(view.title(view.keys[0]))) if len(view.keys) == 1 else 'others'}"


def ranking(view: View) -> str:
    """Say who leads. What a LIMIT or cut rows leave open is not said."""
    at = main_figure(view)
    rows = [row for row in view.rows if is_number(row[at])]
    clauses = view.clauses(*view.outputs[at].tests)
    if not rows:
        return f"No {measured(view, at)} is recorded for any {view.title(view.keys[0])}."
    if shares := _flag_share(view, at, rows):
        return shares
    if len({view.label(row) for row in rows}) < len(rows):
        return f"There are {view.result.row_count:,} rows, one per {listed(_groups(view))}."
    if view.names.facts.havings and not view.is_cut and len(view.keys) == 1:
        return _passing(view, at, rows, clauses)
    rising = _is_rising(view, at)
    if rising is None:
        return f"There are {view.result.row_count:,} rows; the order does not tell which is highest."
    named = [row for row in rows if any(row[key] is not None for key in view.keys)]
    if _leads_unnamed(view, rows, at) and named:
        return _without_unnamed(view, at, rows, named, clauses)
    if view.outputs[at].of_total:
        return _shares(view, at, rows)
    if len(rows) == 2 and not view.is_cut and rows[0][at] != rows[1][at]:
        return _side_by_side(view, at, rows, clauses)
    return _leader(view, at, rows, clauses, rising=rising)


def _groups(view: View) -> list[str]:
    hidden = [view.names.title(o.origins[0]) for o in view.names.facts.hidden_groups if o.origins]
    return list(dict.fromkeys([*map(view.title, view.keys), *hidden]))


def _passing(view: View, at: int, rows: Sequence[Row], clauses: Clauses) -> str:
    """Groups that pass a condition, and the first of them."""
    noun = singular(view.title(view.keys[0]))
    count = f"{len(rows):,} {plural(noun)}" if len(rows) > 1 else f"one {noun}"
    rising = bool(_is_rising(view, at))
    first = _places(view, at, rows, rising=rising)[0]
    start = (
        f"There {'were' if clauses.is_past else 'are'} {count}"
        if len(rows) > 1
        else f"There {'was' if clauses.is_past else 'is'} only {count}"
    )
    has = "had" if clauses.is_past else "has" if len(first.rows) == 1 else "have"
    lead = f"{first.named(view)} {has} {superlative(view, at, rising=rising)} ({first.text})"
    return (
        f"{start} {tail_of(view, at, clauses)}; {lead}."
        if len(rows) > 1
        else f"{start} {tail_of(view, at, clauses)}: {first.named(view)} ({first.text})."
    )


def main_figure(view: View) -> int:
    """Return the figure that orders the rows, else the first."""
    order = view.names.facts.order
    place = order[0].place if order else None
    return (
        place if place is not None and place in (view.measures or view.figures) else (view.measures or view.figures)[0]
    )


def _is_rising(view: View, at: int) -> bool | None:
    """Whether the lowest stand first; None where neither end is known to be shown."""
    order = view.names.facts.order
    ordered = bool(order) and order[0].place == at
    if view.is_cut and not ordered:
        return None
    return ordered and not order[0].descending


def _places(view: View, at: int, rows: Sequence[Row], *, rising: bool) -> list[Place]:
    ranked = sorted(rows, key=lambda row: row[at], reverse=not rising)
    grouped = (tuple(same) for _, same in groupby(ranked, key=lambda row: row[at]))
    places = [Place(same, view.said(same[0], at)) for same in grouped]
    shown = {place.text for place in places[: NEXT + 1]}
    if len(shown) == len(places[: NEXT + 1]):
        return places
    return [Place(place.rows, view.formats[at].cell(place.rows[0][at])) for place in places]


def _leader(view: View, at: int, rows: Sequence[Row], clauses: Clauses, *, rising: bool) -> str:
    places = _places(view, at, rows, rising=rising)
    first, rest = places[0], places[1 : NEXT + 1]
    if len(places) == 1 and len(rows) > 1:
        name = figure_name(view, at, inside=False, before=clauses.before)
        same = f"All {len(rows):,} rows" if view.is_cut else f"All {len(rows):,}"
        return f"{same} have the same {name} {tail_of(view, at, clauses)}".rstrip() + f": {first.text}."
    verb = "had" if clauses.is_past else "has" if len(first.rows) == 1 else "have"
    tail = f" {tail_of(view, at, clauses)}" if tail_of(view, at, clauses) else ""
    if len(first.rows) == 1:
        said = f"{first.named(view)} {verb} {superlative(view, at, rising=rising)}{tail}"
    else:
        share = "shared" if clauses.is_past else "share"
        said = f"{first.named(view)} {share} {superlative(view, at, rising=rising)}{tail}"
    value = f"{first.text} each" if len(first.rows) > 1 else first.text
    so_far = " so far" if clauses.so_far else ""
    if not rest:
        return f"{said}{so_far}: {value}."
    behind = listed([_behind(place, view) for place in rest])
    shown = f": {value}" if said.endswith(")") else f" ({value})"
    return f"{said}{so_far}{shown}, {'then' if rising else 'ahead of'} {behind}."


def _behind(place: Place, view: View) -> str:
    each = " each" if len(place.rows) > 1 else ""
    return f"{place.named(view)} ({place.text}{each})"


def superlative(view: View, at: int, *, rising: bool) -> str:
    """“the most revenue”, “the fewest orders”, “the highest average rating”."""
    output = view.outputs[at]
    name = figure_name(view, at, inside=False, before=view.clauses(*output.tests).before)
    if view.formats[at].kind == "bytes" and not output.is_figure:
        return f"the {'fewest' if rising else 'most'} {name}"
    if output.metric and is_plural(name):
        return f"the {'fewest' if rising else 'most'} {name}"
    if output.metric or output.function not in ADDED:
        return f"the {'lowest' if rising else 'highest'} {name}"
    if output.function == "sum":
        return f"the {'lowest' if rising else 'most'} {name}"
    noun = name.removeprefix("number of ")
    return f"the {'fewest' if rising else 'most'} {noun}"


def _side_by_side(view: View, at: int, rows: Sequence[Row], clauses: Clauses) -> str:
    """Two groups, the larger first."""
    first, second = sorted(rows, key=lambda row: row[at], reverse=True)
    name = figure_name(view, at, inside=False, before=clauses.before)
    be = (
        "were"
        if clauses.is_past and is_plural(name)
        else "was"
        if clauses.is_past
        else "are"
        if is_plural(name)
        else "is"
    )
    subject = " ".join(part for part in (sentence(name), _scope(view, at, clauses)) if part)
    each = [f"{view.said(row, at)} for {view.label(row)}" for row in (first, second)]
    said = f"{subject} {be} {listed(each)}"
    return f"{said} {clauses.when}".rstrip() + (" so far." if clauses.so_far else ".")


def _scope(view: View, at: int, clauses: Clauses) -> str:
    return tail_of(view, at, replace(clauses, when=""))


def _shares(view: View, at: int, rows: Sequence[Row]) -> str:
    output = view.outputs[at]
    whole = (
        view.names.counted(output.parts[0])
        if output.parts[0].function == "count"
        else figure_name_of(view, output.parts[0].origins)
    )
    ranked = sorted(rows, key=lambda row: row[at], reverse=True)[: NEXT + 1]
    others = [f"{view.label(row)} {view.said(row, at)}" for row in ranked[1:]]
    lead = f"{view.label(ranked[0])} makes up {view.said(ranked[0], at)} of {whole}"
    return f"{listed([lead, *others])} {scope_of(view, view.clauses())}".rstrip() + "."


def figure_name_of(view: View, origins: Sequence[object]) -> str:
    found = view.outputs[view.figures[0]]
    return view.names.measured(found.parts[0]) if origins else "the total"


def _leads_unnamed(view: View, rows: Sequence[Row], at: int) -> bool:
    top = max(rows, key=lambda row: row[at])
    return len(view.keys) == 1 and top[view.keys[0]] is None and not view.is_cut


def _without_unnamed(view: View, at: int, rows: Sequence[Row], named: Sequence[Row], clauses: Clauses) -> str:
    """The largest group is the one without a name: it is no group."""
    title = view.title(view.keys[0])
    unnamed = next(row for row in rows if row[view.keys[0]] is None)
    output = view.outputs[at]
    if output.function == "count":
        total = sum(row[at] for row in rows)
        counted = f"{view.formats[at].said(total)} {view.names.counted(output)}"
        start = f"For {view.said(unnamed, at)} of {counted} no {title} is recorded"
    else:
        start = (
            f"{sentence(figure_name(view, at, inside=False))} is {view.said(unnamed, at)} where no {title} is recorded"
        )
    rest = _leader(view, at, named, clauses, rising=False)
    return f"{start}; of the others, {rest}"


def _flag_share(view: View, at: int, rows: Sequence[Row]) -> str:
    """How many of all rows are so: "2,300 of 10,000 users (23%) are active"."""
    flags = [key for key in view.keys if view.formats[key].kind == "flag"]
    output = view.outputs[at]
    if view.keys != tuple(flags) or len(flags) != 1 or len(rows) != 2 or output.function != "count" or view.is_cut:
        return ""
    so = next((row for row in rows if row[flags[0]]), None)
    total = sum(row[at] for row in rows)
    if so is None or not total:
        return ""
    title = view.title(flags[0])
    be = "are" if view.outputs[flags[0]].name.lower().startswith("is_") else "have"
    noun = view.names.counted(output)
    whole = view.formats[at].said(total)
    share = f"{100 * so[at] / total:.3g}%"
    return (
        f"{view.said(so, at)} of {whole} {noun} ({share}) {be} {title} {scope_of(view, view.clauses())}".rstrip() + "."
    )
