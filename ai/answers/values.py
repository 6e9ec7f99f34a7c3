"""Sentences for one row: a value, several values, a lookup, yes or no."""

import re

from ai.answers.conditions import WENT, clauses_of
from ai.answers.figure import Figure, ago, asks_for_any, asks_whether, called, predicate, spent, words
from ai.answers.formats import is_number
from ai.answers.naming import is_plural, listed, sentence
from ai.answers.view import View
from ai.language.words import plural
from ai.results.table import Row
from ai.sql.facts import Test

VERSUS = re.compile(r"\b(?:vs|versus|against|compared?)\b", re.I)
BOUNDS = {"min", "max", "avg"}
LINKS = ("by", "on", "at", "in", "for", "to", "from", "of")
ENOUGH = 20  # things of which a share is told as a percentage


def figures_of(view: View) -> str:
    row = view.rows[0]
    if all(row[at] is None for at in view.figures):
        return _none(Figure(view, view.figures[0]))
    if len(view.figures) == 1:
        return one_figure(Figure(view, view.figures[0]), row)
    ways = (_span, _part_of_whole, compared, _weighed, _all)
    return next(said for way in ways if (said := way(view, row)))


def one_figure(figure: Figure, row: Row, of: str = "") -> str:
    """Say a figure with name and period; `of` names the row."""
    view, output, clauses, value = figure.view, figure.output, figure.clauses, row[figure.at]
    if output.function == "exists":
        return _existence(figure, found=bool(value))
    if said := _share(figure, row):
        return said
    if figure.is_many and not of:
        return _there(figure, row)
    name, rows = figure.name, words(clauses.before, view.names.rows)
    if (
        output.function in ("min", "max")
        and view.formats[figure.at].kind == "date"
        and view.names.facts.rows
        and not of
    ):
        one = words(clauses.before, view.names.noun(view.names.facts.rows, many=False), clauses.tail)
        return f"The {'latest' if output.function == 'max' else 'earliest'} {one} is from {figure.said(row)}."
    if view.names.facts.rows and not of and (said := ago(figure, row) or spent(figure, row)):
        return said
    if output.function in BOUNDS and not output.metric and view.names.facts.rows:
        start = f"The {name} of {rows}"
    elif clauses.before:
        start = f"{sentence(name)} of {rows}"
    else:
        counted = view.formats[figure.at].kind != "money"
        plain = counted or not (clauses.tail or of) or "total" in view.names.question.lower().split()
        total = output.function == "sum" and not output.metric and plain
        told = "total" in name.split()  # “the invoice total”, no “total invoice total”
        start = f"Total {name}" if total and not told else f"The {name}" if told else sentence(name)
    many = is_plural(name) and (output.metric or output.function in ("sum", ""))
    many = many or (output.function == "avg" and not view.names.facts.rows and is_plural(name.removeprefix("average ")))
    be = ("were" if many else "was") if clauses.is_past else "are" if many else "is"
    subject = words(start, f"for {of}" if of and clauses.after != f"for {of}" else "", clauses.after)
    return f"{words(subject, be, figure.said(row), clauses.when)}{figure.so_far}."


def _there(figure: Figure, row: Row) -> str:
    value, clauses = row[figure.at], figure.clauses
    be = ("was" if clauses.is_past else "is") if value == 1 else "were" if clauses.is_past else "are"
    distinct = figure.output.function == "distinct" and (clauses.before or clauses.after)
    rows = f"of {clauses.before} {figure.names.rows}" if distinct else ""
    said = words(be, figure.said(row) if value else "no", figure.things(many=value != 1), rows, clauses.tail)
    start = f"{'Yes' if value else 'No'}, there" if figure.counts and asks_for_any(figure.names.question) else "There"
    return f"{start} {said}{figure.so_far}."


def _share(figure: Figure, row: Row) -> str:
    """Return "12.3% of rides are late"."""
    output, clauses = figure.output, figure.view.clauses()
    if output.function != "ratio" or output.metric or len(output.parts) != 2 or row[figure.at] is None:
        return ""
    part, whole = output.parts
    alike = part.function == whole.function and part.rows == whole.rows and part.origins == whole.origins
    if not alike or part.function not in ("count", "sum") or not part.tests or whole.tests:
        return ""
    if figure.view.formats[figure.at].kind != "percent":
        return ""
    many = part.function == "count" or is_plural(figure.names.measured(whole))
    things = figure.names.counted(whole) if part.function == "count" else figure.names.measured(whole)
    inner = clauses_of(part.tests, figure.names)
    verb = predicate(inner, many=many)
    if part.function == "sum" and figure.names.facts.rows:
        there, _, place = inner.tail.partition(" ")
        source = place if not inner.before and there in ("in", "on", "for") else ""
        rows = source or words(inner.before, figure.names.rows, inner.tail)
        verb = words("come" if many else "comes", "from", rows)
    elif many and plural(inner.before) in figure.names.question.lower().split():
        verb = words("are", plural(inner.before), inner.tail)
    be = {"are": "were", "is": "was", "have": "had", "has": "had", "come": "came", "comes": "came"}
    first, _, rest = verb.partition(" ")
    verb = words(be[first], rest) if clauses.is_past else verb
    return f"{words(figure.said(row), 'of', clauses.before, things, clauses.after, verb, clauses.when)}{figure.so_far}."


def _existence(figure: Figure, *, found: bool) -> str:
    tests = figure.output.tests
    test = tests[0] if len(tests) == 1 else None
    if not isinstance(test, Test) or not test.table:
        return "Yes." if found else "No."
    inner = clauses_of(test.inner, figure.names)
    start = "Yes, there is at least one" if found else "No, there is no"
    return f"{words(start, inner.before, figure.names.noun(test.table, many=False), inner.tail)}."


def _none(figure: Figure) -> str:
    clauses, name = figure.clauses, figure.measured
    of_rows = clauses.before or clauses.after.startswith(("with", "where"))
    rows = f"for {clauses.before} {figure.names.rows}" if of_rows else ""
    return f"{words('No', name, 'are' if is_plural(name) else 'is', 'recorded', rows, clauses.tail)}."


def _span(view: View, row: Row) -> str:
    by = {view.outputs[at].function: at for at in view.figures}
    origins = {view.outputs[at].origins for at in view.figures}
    if len(by) != len(view.outputs) or not {"min", "max"} <= set(by) <= BOUNDS or len(origins) > 1 or None in row:
        return ""
    low, high = Figure(view, by["min"]), Figure(view, by["max"])
    clauses, rows = low.clauses, words(low.clauses.before, view.names.rows)
    mean = f", with an average of {view.said(row, by['avg'])}" if "avg" in by else ""
    if view.formats[low.at].kind == "date":
        years = {str(row[at])[:4] for at in view.figures}
        today = view.names.today if len(years) == 1 else None
        first, last = (view.formats[end.at].said(row[end.at], today=today) for end in (low, high))
        by_date = view.names.has_several_dates(low.output.origins[0])
        date = f" (by {view.names.title(low.output.origins[0])})" if by_date else ""
        return f"{sentence(words(rows, clauses.tail))} run from {first} to {last}{date}."
    name = low.measured
    verb = "ranged" if clauses.is_past else "range" if is_plural(name) else "ranges"
    return f"The {words(name, 'of', rows, clauses.tail)} {verb} from {low.said(row)} to {high.said(row)}{mean}."


def _part_of_whole(view: View, row: Row) -> str:
    """Return "1 of 3 users has source referral"."""
    figures = sorted((Figure(view, at) for at in view.figures), key=lambda figure: not figure.output.tests)
    if len(figures) != 2 or any(not f.counts or f.output.rows != figures[0].output.rows for f in figures):
        return ""
    some, whole = figures
    if not some.output.tests or whole.output.tests or not row[whole.at]:
        return ""
    clauses = view.clauses()
    verb = predicate(clauses_of(some.output.tests, view.names), many=row[some.at] != 1)
    share = f" ({percent(row[some.at], row[whole.at])})" if row[whole.at] >= ENOUGH else ""
    things = words(clauses.before, view.names.counted(whole.output), clauses.tail)
    return f"{some.said(row)} of {whole.said(row)} {things}{share} {verb}."


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.3g}%"


def exact(value: float) -> float:
    """Drop the dust of binary fractions."""
    return float(f"{value:.15g}")


def compared(view: View, row: Row) -> str:
    """Say two figures of one unit and their difference."""
    if len(view.measures) != 2 or not VERSUS.search(view.names.question):
        return ""
    base, other = (Figure(view, at) for at in view.measures)
    old, new = row[base.at], row[other.at]
    if view.formats[base.at] != view.formats[other.at] or not (is_number(old) and is_number(new)) or old == new:
        return ""
    gap, base_size = abs(float(new) - float(old)), float(old)
    share = f" ({percent(gap, base_size)})" if base_size > 0 and gap < base_size * 9 else ""
    of = f"for {view.label(row)}" if view.label(row) else ""
    subject = words(sentence(other.full), of, scope_of(view))
    than = f"{'more' if float(new) > float(old) else 'less'} than {base.full} ({base.said(row)})"
    return f"{subject} {other.be} {other.said(row)}, {other.view.formats[other.at].said(exact(gap))}{share} {than}."


def _weighed(view: View, row: Row) -> str:
    figures = [Figure(view, at) for at in view.figures]
    if len(figures) != 2 or not figures[1].counts or figures[0].output.function != "avg" or figures[1].output.tests:
        return ""
    return f"{one_figure(figures[0], row).removesuffix('.')}, from {figures[1].item(row)}."


def _all(view: View, row: Row) -> str:
    clauses, figures = view.clauses(), [Figure(view, at) for at in view.figures]
    if clauses.tail or clauses.before or any(figure.output.function not in BOUNDS for figure in figures):
        counted = any(figure.counts and not figure.output.tests for figure in figures)
        if figures[0].counts and not figures[0].output.tests and not clauses.tail:
            rest = listed([figure.item(row) for figure in figures[1:]])
            return f"{_there(figures[0], row).removesuffix('.')}, {rest}."
        items = listed([figure.item(row, whole=counted) for figure in figures])
        scope = clauses.tail if counted else scope_of(view)
        return sentence(f"{scope}: {items}" if scope else items) + (" so far." if clauses.so_far else ".")
    start = one_figure(figures[0], row).removesuffix(".")
    return f"{listed([start, *(f'the {figure.full} {figure.said(row)}' for figure in figures[1:])])}."


def scope_of(view: View) -> str:
    """Return conditions and period for several figures."""
    clauses = view.clauses()
    return words(f"for {clauses.before} {view.names.rows}" if clauses.before else "", clauses.tail)


def one_row(view: View) -> str:
    row = view.rows[0]
    flags = [at for at in view.keys if view.formats[at].kind == "flag"]
    named = [at for at in view.keys if at not in flags and row[at] is not None]
    if len(flags) == 1 and not view.figures and row[flags[0]] is not None:
        return _flagged(view, row, flags[0], named)
    missing = [at for at in range(len(row)) if row[at] is None]
    if len(missing) == 1 and named and len(row) == 2:
        return f"No {Figure(view, missing[0]).measured} is recorded for {view.label(row, named)}."
    if view.figures and view.keys:
        return _only_one(view, row) or compared(view, row) or _figures_for(view, row)
    done = [at for at in named if _is_done(view.title(at))]
    if len(done) == 1 and len(row) <= 2 and row[done[0]] is not None:
        others = [at for at in named if at not in done]
        who = view.label(row, others) if others else view.clauses().after.removeprefix("for ")
        was = "" if view.title(done[0]).split()[0] in WENT else "was"  # one joins, and is not joined
        return f"{words(sentence(who or 'it'), was, view.title(done[0]), view.said(row, done[0]))}."
    if len(row) == 1 and row[0] is not None:
        tail = view.clauses().tail
        of = f"of the {view.names.noun(view.names.facts.rows, many=False)}" if tail.startswith("with") else ""
        return f"{words('The', view.title(0), of, tail)} is {view.said(row, 0)}."
    return _whether(view, row) or f"{sentence('; '.join(_lookup(view, row)))}."


def _whether(view: View, row: Row) -> str:
    """Say “No, the platform of Gabbro is Android.” where a question names another one."""
    question = view.names.question.lower()
    if (
        len(row) != 2
        or view.figures
        or not asks_whether(view.names.question)
        or not all(isinstance(c, str) for c in row)
    ):
        return ""
    name, value = str(row[0]), str(row[1])
    if name.lower() not in question:
        return ""
    return f"{'Yes' if value.lower() in question else 'No'}, the {view.title(1)} of {name} is {view.said(row, 1)}."


def _only_one(view: View, row: Row) -> str:
    """Say that one group alone meets a condition on its figure: “only one app with more than 40 releases”."""
    facts, tail = view.names.facts, view.clauses().tail
    if not facts.havings or facts.limit or len(view.keys) != 1 or len(view.figures) != 1 or not tail.startswith("with"):
        return ""
    shown = Figure(view, view.figures[0]).said(row)
    return f"There is only one {called(view)} {tail}: {view.label(row)} ({shown})."


def _is_done(title: str) -> bool:
    """Tell "launched on"."""
    head, _, link = title.rpartition(" ")
    return link in LINKS and head.endswith("ed")


def _figures_for(view: View, row: Row) -> str:
    if len(view.figures) == 1:
        times = [at for at in view.keys if view.is_time(at)]
        known = view.clauses().when and len(times) == len(view.keys)
        return one_figure(Figure(view, view.figures[0]), row, "" if known else view.label(row))
    items = [Figure(view, at).item(row) for at in view.figures]
    return f"{sentence(words('For', view.label(row), scope_of(view)))}: {listed(items)}."


def _lookup(view: View, row: Row) -> list[str]:
    found: list[str] = []
    before = ""
    for at, cell in enumerate(row):
        head, _, link = view.title(at).rpartition(" ")
        joins = link in LINKS and head == before and cell is not None and found
        value = view.said(row, at) if cell is not None else "not recorded"
        if joins:
            found[-1] += f" {link} {value}"
        else:
            found.append(f"{view.title(at)} {value}")
        before = head if link in LINKS else ""
    return found


def told_but_masked(view: View) -> str:
    """Say the only row without its masked cells."""
    row = view.rows[0]
    said = [f"{view.title(at)} {view.said(row, at)}" for at in range(len(row)) if row[at] is not None]
    return f"{sentence('; '.join(said))}." if said else ""


def _flagged(view: View, row: Row, at: int, named: list[int]) -> str:
    value, title = bool(row[at]), view.title(at)
    who = view.label(row, named) or view.clauses().after.removeprefix("for ") or "it"
    has = view.outputs[at].name.lower().startswith("has_")
    said = f"{who} {'has' if has else 'is'} {title}" if value else f"{who} {'has no' if has else 'is not'} {title}"
    return f"{'Yes' if value else 'No'}, {said}." if asks_whether(view.names.question) else f"{sentence(said)}."
