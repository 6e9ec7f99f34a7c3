"""Sentences for one row: a value, several values, a lookup, yes or no."""

import re
from dataclasses import replace

from ai.answers.conditions import Clauses, clauses_of
from ai.answers.formats import is_number
from ai.answers.naming import Names, is_plural, listed, sentence
from ai.answers.view import View
from ai.results.table import Row
from ai.sql.facts import Output

HAVE = re.compile(
    r"(?:do|does|did|have|has) (?:we|you|they|i|any|the|our|\w+) (?:have |had |got )?|(?:is|are|was|were) there\b", re.I
)
ASKS = re.compile(r"(?:is|are|was|were|do|does|did|has|have|can) ", re.I)
VERSUS = re.compile(r"\b(?:vs|versus|against|compared?)\b", re.I)
OPEN = re.compile(r"\b(?:how|which|what|who|when|where|not|no|never|without)\b|n't\b", re.I)


def asks_whether(question: str) -> bool:
    """Tell a question for yes or no, without a negation that would turn the answer around."""
    return bool(ASKS.match(question.strip())) and not OPEN.search(question)


def asks_for_any(question: str) -> bool:
    """Tell a question whether there is any."""
    return asks_whether(question) and bool(
        re.match(
            r"(?:(?:do|does|did|have|has) .*\b(?:have|any)\b|(?:is|are|was|were) (?:there|any)\b)",
            question.strip(),
            re.I,
        )
    )


def figures_of(view: View) -> str:
    """Say a row of figures alone."""
    row = view.rows[0]
    if all(row[at] is None for at in view.figures):
        return f"{_none(view, view.figures[0])}."
    if span := _span(view, row):
        return span
    if len(view.figures) == 1:
        return one_figure(view, row, view.figures[0])
    if said := _part_of_whole(view, row) or compared(view, row):
        return said
    clauses = view.clauses()
    if (
        clauses.tail
        or clauses.before
        or any(view.outputs[at].function not in ("avg", "min", "max") for at in view.figures)
    ):
        items = listed([_figure_item(view, row, at, replace(clauses, before="")) for at in view.figures])
        scope = scope_of(view, clauses)
        return _so_far(sentence(f"{scope}: {items}" if scope else items), clauses)
    first, *others = view.figures
    start = one_figure(view, row, first).removesuffix(".")
    return f"{listed([start, *(f'the {figure_name(view, at)} {view.said(row, at)}' for at in others)])}."


def compared(view: View, row: Row) -> str:
    """Say two figures of one unit and their difference, where the question sets them against each other."""
    if len(view.measures) != 2 or not VERSUS.search(view.names.question):
        return ""
    base, other = view.measures
    same = view.formats[base] == view.formats[other] and all(is_number(row[at]) for at in (base, other))
    if not same or row[base] == row[other]:
        return ""
    clauses = view.clauses()
    more = row[other] - row[base]
    share = f" ({abs(100 * more / row[base]):.2g}%)" if row[base] > 0 and abs(more) < row[base] * 9 else ""
    names = [figure_name(view, at) for at in (base, other)]
    of = view.label(row)
    scope = scope_of(view, clauses)
    subject = " ".join(part for part in (sentence(names[1]), f"for {of}" if of else "", scope) if part)
    gap = view.formats[base].said(abs(more))
    than = f"{'more' if more > 0 else 'less'} than {names[0]} ({view.said(row, base)})"
    return f"{subject} is {view.said(row, other)}, {gap}{share} {than}."


def _figure_item(view: View, row: Row, at: int, clauses: Clauses) -> str:
    output = view.outputs[at]
    before = f"{clauses.before} " if clauses.before and output.function in ("count", "avg", "min", "max") else ""
    if row[at] is None:
        return f"no {measured(view, at)}"
    if output.function == "count" and not output.tests:
        return f"{view.said(row, at)} {before}{view.names.counted(output, many=row[at] != 1)}"
    return f"{figure_name(view, at)} {view.said(row, at)}"


def scope_of(view: View, clauses: Clauses) -> str:
    """Return all conditions and the period, for several figures at once."""
    rows = f"for {clauses.before} {view.names.rows}" if clauses.before else ""
    return " ".join(part for part in (rows, clauses.tail) if part)


def tail_of(view: View, at: int, clauses: Clauses) -> str:
    """Return the conditions and the period behind a figure; a count has the words before its noun in its name."""
    rows = f"for {clauses.before} {view.names.rows}" if clauses.before and not _is_count(view, at) else ""
    return " ".join(part for part in (rows, clauses.tail) if part)


def _is_count(view: View, at: int) -> bool:
    return view.outputs[at].function == "count" and not view.outputs[at].metric


def figure_name(view: View, at: int, *, inside: bool = True, before: str = "") -> str:
    """Name a figure, with the conditions inside its aggregate if wanted, and the words before what it counts."""
    output, names = view.outputs[at], view.names
    if not output.is_figure:
        return view.title(at)
    held = clauses_of(output.tests if inside else (), names)
    if output.function == "ratio" and not output.name and (share := _share(view, output)):
        return share
    name = names.figure(output)
    if _is_count(view, at):
        name = " ".join(f"number of {before} {held.before} {names.counted(output)}".split())
    return f"{name} {held.tail}".strip()


def _share(view: View, output: Output) -> str:
    """Name a share without an alias by what it counts: "share of failed payments"."""
    first, second = output.parts
    if first.function != "count" or second.function != "count" or not first.tests or second.tests:
        return ""
    held = clauses_of(first.tests, view.names)
    return " ".join(f"share of {held.before} {view.names.counted(first)} {held.tail}".split())


def measured(view: View, at: int) -> str:
    """Name what a figure is over, without its aggregate."""
    output = view.outputs[at]
    if output.metric or not output.origins:
        return figure_name(view, at)
    return view.names.measured(output) if output.is_figure else view.title(at)


def one_figure(view: View, row: Row, at: int, of: str = "") -> str:
    """Say one figure with its name and period; `of` names the row."""
    output = view.outputs[at]
    clauses = view.clauses(*output.tests)
    if output.function == "exists":
        return _existence(output, bool(row[at]), view.names)
    if output.function in ("count", "distinct") and not output.metric and not of:
        return _counted(view, output, row[at], clauses)
    name = figure_name(view, at, inside=False) if output.is_figure else view.title(at)
    subject = _subject(view, at, name, clauses, of)
    be = (
        ("were" if clauses.is_past else "are")
        if is_plural(name) and (output.metric or output.function in ("sum", ""))
        else "was"
        if clauses.is_past
        else "is"
    )
    return _so_far(f"{subject} {be} {view.said(row, at)} {clauses.when}".rstrip(), clauses)


def _subject(view: View, at: int, name: str, clauses: Clauses, of: str) -> str:
    output, names = view.outputs[at], view.names
    rows = f"{clauses.before} {names.rows}".strip()
    if output.function in ("avg", "min", "max") and not output.metric and names.facts.rows:
        start = f"The {name} of {rows}"
    elif clauses.before:
        start = f"{sentence(name)} of {rows}"
    else:
        counted = view.formats[at].kind != "money"
        whole = output.function == "sum" and not output.metric and (counted or not (clauses.tail or of))
        start = f"Total {name}" if whole and not name.startswith("total") else sentence(name)
    return " ".join(part for part in (start, f"for {of}" if of else "", clauses.after) if part)


def _counted(view: View, output: Output, value: int, clauses: Clauses) -> str:
    names = view.names
    if output.function == "count":
        noun = names.counted(output, many=value != 1)
    else:
        return _so_far(_distinct(view, output, value, clauses), clauses)
    number = view.formats[view.figures[0]].said(value) if value else "no"
    noun = f"{clauses.before} {noun}".strip()
    be = ("was" if clauses.is_past else "is") if value == 1 else "were" if clauses.is_past else "are"
    said = f"{be} {number} {noun} {clauses.tail}".rstrip()
    if asks_for_any(names.question):
        return _so_far(f"{'Yes' if value else 'No'}, there {said}", clauses)
    return _so_far(f"There {said}", clauses)


def _distinct(view: View, output: Output, value: int, clauses: Clauses) -> str:
    """Say how many different values there are, and of which rows where not of all."""
    names = view.names
    noun = f"different {names.different(output, many=value != 1)}"
    rows = f"of {clauses.before} {names.rows} {clauses.after}" if clauses.before or clauses.after else ""
    be = ("was" if clauses.is_past else "is") if value == 1 else "were" if clauses.is_past else "are"
    number = view.formats[view.figures[0]].said(value) if value else "no"
    return " ".join(f"There {be} {number} {noun} {rows} {clauses.when}".split())


def _so_far(said: str, clauses: Clauses) -> str:
    return f"{said} so far." if clauses.so_far else f"{said}."


def _existence(output: Output, found: bool, names: Names) -> str:
    tests = output.tests
    if len(tests) != 1 or not getattr(tests[0], "table", ""):
        return "Yes." if found else "No."
    inner = clauses_of(tests[0].inner, names)  # type: ignore[union-attr]
    noun = names.noun(tests[0].table, many=False)  # type: ignore[union-attr]
    start = "Yes, there is at least one" if found else "No, there is no"
    return " ".join(f"{start} {inner.before} {noun} {inner.tail}".split()) + "."


def _none(view: View, at: int) -> str:
    """Say that a figure has no value."""
    clauses = view.clauses(*view.outputs[at].tests)
    name = measured(view, at)
    be = "are" if is_plural(name) else "is"
    rows = f" for {clauses.before} {view.names.rows}" if clauses.before else ""
    return f"No {name} {be} recorded{rows} {clauses.tail}".rstrip()


def _span(view: View, row: Row) -> str:
    """Say the earliest and latest of one column of days as a span."""
    if len(view.outputs) != 2 or [output.function for output in view.outputs] != ["min", "max"]:
        return ""
    first, last = view.outputs
    if first.origins != last.origins or any(f.kind != "date" for f in view.formats) or None in row:
        return ""
    clauses = view.clauses()
    start, end = (view.formats[at].cell(row[at]) for at in (0, 1))
    rows = f"{clauses.before} {view.names.rows}".strip()
    return (
        f"{sentence(rows)} {clauses.tail} run from {start} to {end} (by {view.names.title(first.origins[0])}).".replace(
            "  ", " "
        )
    )


def _part_of_whole(view: View, row: Row) -> str:
    """Say a count of some rows beside the count of all: "There is 1 user with …, of 3 in all."."""
    outputs = [view.outputs[at] for at in view.figures]
    if len(outputs) != 2 or any(o.function != "count" or o.rows != outputs[0].rows for o in outputs):
        return ""
    some, whole = (0, 1) if outputs[0].tests else (1, 0)
    if not outputs[some].tests or outputs[whole].tests:
        return ""
    clauses = view.clauses(*outputs[some].tests)
    said = _counted(view, outputs[some], row[view.figures[some]], clauses).rstrip(".")
    return f"{said}, of {view.said(row, view.figures[whole])} in all."


def one_row(view: View) -> str:
    """Say a row that is named by its keys."""
    row = view.rows[0]
    flags = [at for at in view.keys if view.formats[at].kind == "flag"]
    named = [at for at in view.keys if at not in flags and row[at] is not None]
    if len(flags) == 1 and not view.figures and row[flags[0]] is not None:
        return _flagged(view, row, flags[0], named)
    missing = [at for at in range(len(row)) if row[at] is None]
    if len(missing) == 1 and named and len(row) == 2:
        name = view.title(missing[0]) if missing[0] in view.keys else measured(view, missing[0])
        return f"No {name} is recorded for {view.label(row, named)}."
    if view.figures and view.keys:
        if said := compared(view, row):
            return said
        if len(view.figures) == 1:
            times = [at for at in view.keys if view.is_time(at)]
            known = view.clauses().when and len(times) == len(view.keys)
            return one_figure(view, row, view.figures[0], "" if known else view.label(row))
        figures = [_figure_item(view, row, at, replace(view.clauses(), before="")) for at in view.figures]
        tail = scope_of(view, view.clauses())
        return f"{sentence(' '.join(part for part in (f'For {view.label(row)}', tail) if part))}: {listed(figures)}."
    if len(row) == 1 and row[0] is not None:
        tail = view.clauses().tail
        return f"{' '.join(part for part in (f'The {view.title(0)}', tail) if part)} is {view.said(row, 0)}."
    items = [
        f"{view.title(at)} {view.said(row, at) if row[at] is not None else 'not recorded'}" for at in range(len(row))
    ]
    return f"{sentence('; '.join(items))}."


def _flagged(view: View, row: Row, at: int, named: list[int]) -> str:
    value = bool(row[at])
    title = view.title(at)
    who = view.label(row, named) or next((c for c in [view.clauses().after.removeprefix("for ")] if c), "it")
    verb = "has" if view.outputs[at].name.lower().startswith("has_") else "is"
    said = f"{who} {verb} {title}" if value else f"{who} {'has no' if verb == 'has' else 'is not'} {title}"
    if asks_whether(view.names.question):
        return f"{'Yes' if value else 'No'}, {said}."
    return f"{sentence(said)}."
