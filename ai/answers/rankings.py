"""Sentences for groups with a figure: leaders, ties, shares, two groups, two columns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ai.answers.conditions import Clauses, clauses_of
from ai.answers.figure import Figure, called, predicate, words
from ai.answers.formats import is_number
from ai.answers.naming import is_plural, listed, sentence
from ai.answers.series import moment
from ai.answers.values import percent, scope_of
from ai.answers.view import View
from ai.language.words import plural, singular
from ai.results.table import Row
from ai.sql.facts import Period, alike

NEXT = 2  # places behind the first that are told
TIED = 4  # names of a tie that are told
SUPERLATIVES = {"sum": ("most", "lowest"), "count": ("most", "fewest"), "distinct": ("most", "fewest")}
SIZES = frozenset("amount total value sum price cost balance".split())  # they are high, where much is made of revenue
CHANGED = re.compile(r"\b(?:chang\w+|compared?|vs|versus|against|differ\w*|develop\w*|grow\w*|grew|than)\b", re.I)


SHARE = re.compile(r"\b(?:shares?|percent\w*|proportion|part|breakdown|split)\b|%", re.I)


@dataclass(frozen=True, slots=True)
class RankPlace:
    """The rows with one value."""

    view: View
    rows: tuple[Row, ...]
    text: str

    @property
    def named(self) -> str:
        if len(self.rows) <= TIED:
            return listed([moment(self.view, row) or self.view.label(row) for row in self.rows])
        keys, outputs, names = self.view.keys, self.view.outputs, self.view.names
        tables = {origin.table for key in keys for origin in outputs[key].origins}
        many = names.noun(next(iter(tables))) if len(tables) == 1 else "others"
        return f"{len(self.rows):,} {plural(singular(self.view.title(keys[0]))) if len(keys) == 1 else many}"

    @property
    def shown(self) -> str:
        return f"{self.text} each" if len(self.rows) > 1 else self.text


def ranking(view: View) -> str:
    """Say the leader, as far as a LIMIT leaves that known."""
    figure = _asked_share(view) or main_figure(view)
    rows = [row for row in view.rows if is_number(row[figure.at])]
    if not rows:
        return _by_day(figure) or f"No {figure.measured} is recorded for any {view.title(view.keys[0])}."
    if said := _flag_share(figure, rows) or _changes(view):
        return said
    if len({view.label(row) for row in rows}) < len(rows):
        hidden = [view.names.title(o.origins[0]) for o in view.names.facts.hidden_groups if o.origins]
        each = listed(list(dict.fromkeys([*map(view.title, view.keys), *hidden])))
        tables = {o.origins[0].table for o in view.names.facts.hidden_groups if o.origins}
        if len(tables) == 1 and view.names.facts.havings:
            past = "were" if figure.clauses.is_past else "are"
            things = view.names.noun(tables.pop(), many=view.result.row_count != 1)
            return f"{words('There', past, f'{view.result.row_count:,}', things, figure.tail)}."
        return f"There are {view.result.row_count:,} rows, one per {each}."
    rising = _is_rising(figure)
    if view.names.facts.havings and not view.is_cut and len(view.keys) == 1:
        return _passing(figure, rows)
    if rising is None and not figure.output.of_total:
        return f"There are {view.result.row_count:,} rows; the order does not tell which is highest."
    named = [row for row in rows if any(row[key] is not None for key in view.keys)]
    if named and _leads_unnamed(figure, rows):
        return _without_unnamed(figure, rows, named)
    if figure.output.of_total:
        return _shares(figure, rows)
    if len(rows) == 2 and not view.is_cut and rows[0][figure.at] != rows[1][figure.at]:
        return _side_by_side(figure, rows)
    return _leader(figure, rows, rising=bool(rising))


def _by_day(figure: Figure) -> str:
    """Return "Basalt has the latest review: November 21", "" for other figures than first or last days."""
    view, output = figure.view, figure.output
    rows = [row for row in view.rows if row[figure.at] is not None]
    if not rows or output.function not in ("min", "max") or view.formats[figure.at].kind != "date":
        return ""
    order = view.names.facts.order
    if view.is_cut and not (order and order[0].place == figure.at):
        return f"There are {view.result.row_count:,} rows; the order does not tell which is first."
    latest = order[0].descending if order and order[0].place == figure.at else output.function == "max"
    day = (max if latest else min)(rows, key=lambda row: str(row[figure.at]))[figure.at]
    first = tuple(row for row in rows if row[figure.at] == day)
    place, origin = RankPlace(view, first, figure.said(first[0])), output.origins[0]
    thing, end = view.names.noun(origin.table, many=False), "latest" if latest else "earliest"
    what = f"{end} {thing}"
    if view.names.has_several_dates(origin):
        done = view.names.title(origin).removesuffix(" on").removesuffix(" at")
        what = f"{thing} {done} {'last' if latest else 'first'}" if done.endswith("ed") else f"{end} {done}"
    return f"{place.named} {_has(figure, place)} the {what}: {place.shown}."


def main_figure(view: View) -> Figure:
    """Return the ordering figure, else the first."""
    order = view.names.facts.order
    place = order[0].place if order else None
    measured = view.measures or view.figures
    return Figure(view, place if place is not None and place in measured else measured[0])


def _asked_share(view: View) -> Figure | None:
    """Return the shares of a total for a question about shares."""
    shares = [at for at in view.measures if view.outputs[at].of_total and view.formats[at].kind == "percent"]
    return Figure(view, shares[0]) if shares and SHARE.search(view.names.question) and view.is_whole else None


def _is_rising(figure: Figure) -> bool | None:
    """Whether the lowest stand first; None if unknown."""
    order = figure.names.facts.order
    if (first := figure.view.first_place) and first.order:
        return not first.order[0].descending
    ordered = bool(order) and order[0].place == figure.at
    return None if figure.view.is_cut and not ordered else ordered and not order[0].descending


def _passing(figure: Figure, rows: Sequence[Row]) -> str:
    noun, past = called(figure.view), figure.clauses.is_past
    rising = bool(_is_rising(figure))
    first, held = _places(figure, rows, rising=rising)[0], scope_of(figure.view)
    if len(rows) == 1:
        return f"{words('There', 'was' if past else 'is', 'only one', noun, held)}: {first.named} ({first.text})."
    start = words("There", "were" if past else "are", f"{len(rows):,}", plural(noun), held)
    inner = clauses_of(figure.output.tests, figure.names).tail
    most = words(first.named, _has(figure, first), superlative(figure, rising=rising), inner)
    return f"{start}; {most} ({first.text})."


def _has(figure: Figure, place: RankPlace) -> str:
    return "had" if figure.clauses.is_past else "has" if len(place.rows) == 1 else "have"


def _places(figure: Figure, rows: Sequence[Row], *, rising: bool) -> list[RankPlace]:
    """Rank the rows; write different values differently."""
    ranked = sorted(rows, key=lambda row: row[figure.at], reverse=not rising)
    grouped = [tuple(same) for _, same in groupby(ranked, key=lambda row: row[figure.at])]
    texts = [figure.said(same[0]) for same in grouped]
    if len(set(texts[: NEXT + 1])) < len(texts[: NEXT + 1]):
        texts = [figure.view.formats[figure.at].cell(same[0][figure.at]) for same in grouped]
    return [RankPlace(figure.view, same, text) for same, text in zip(grouped, texts, strict=True)]


def _stand(figure: Figure, first: RankPlace, *, rising: bool) -> str:
    """Return “Pingo has the most revenue”, or its number in a list without its first rows."""
    if skipped := figure.names.facts.offset:
        end = "from the lowest" if rising else "from the highest"
        return words(first.named, "stands at number", f"{skipped + 1}", end, "by", figure.name, figure.tail)
    has = _has(figure, first) if len(first.rows) == 1 else "shared" if figure.clauses.is_past else "share"
    named = first.named if figure.view.formats[figure.view.keys[0]].kind == "text" else sentence(first.named)
    return words(named, has, superlative(figure, rising=rising), figure.tail) + figure.so_far


def _leader(figure: Figure, rows: Sequence[Row], *, rising: bool) -> str:
    first, *behind = _places(figure, rows, rising=rising)[: NEXT + 1]
    if not behind and len(rows) > 1 and not figure.view.first_place:
        things = plural(singular(figure.view.title(figure.view.keys[0]))) if len(figure.view.keys) == 1 else "rows"
        same = f"Both {things}" if len(rows) == 2 else f"All {len(rows):,} {'rows' if figure.view.is_cut else things}"
        number = f"number of {figure.things()}" if figure.counts else figure.name
        return f"{words(same, 'have the same', number, figure.tail)}: {first.text}."
    said = _stand(figure, first, rising=rising)
    if not behind:
        return f"{said}: {first.shown}."
    shown = f": {first.shown}" if said.endswith(")") else f" ({first.shown})"
    rest = listed([f"{place.named} ({place.shown})" for place in behind])
    return f"{said}{shown}, {'then' if rising else 'ahead of'} {rest}."


def superlative(figure: Figure, *, rising: bool) -> str:
    """Return “the most revenue”, “the fewest orders”, “the highest average rating”."""
    output, name = figure.output, figure.name
    size = figure.view.formats[figure.at].kind == "bytes" and not output.is_figure
    if size or (output.metric and is_plural(name)):
        return f"the {'fewest' if rising else 'most'} {name}"
    if output.function == "sum" and rising and is_plural(name) and not output.metric:
        return f"the fewest {name}"
    if output.function in ("min", "max") and not output.metric:
        end, own = ("lowest" if rising else "highest"), ("lowest" if output.function == "min" else "highest")
        return f"the {end} {figure.measured}" if end == own else f"the {end} {output.function}imum {figure.measured}"
    is_size = output.metric or name.split()[-1] in SIZES
    most, least = ("highest", "lowest") if is_size else SUPERLATIVES.get(output.function, ("highest", "lowest"))
    return f"the {least if rising else most} {figure.things() if figure.is_many else name}"


def lead(view: View) -> str:
    """Return "Pingo has the most revenue ($910)" for rows with names, each once; "" for others."""
    figure = main_figure(view) if view.measures else None
    rows = [row for row in view.rows if figure and is_number(row[figure.at])]
    if figure is None or not rows or len({view.label(row) for row in rows}) < len(view.rows):
        return ""
    rising = bool(_is_rising(figure))
    first, *behind = _places(figure, rows, rising=rising)
    if not behind:
        return ""
    has = "shared" if figure.clauses.is_past else "share"
    has = has if len(first.rows) > 1 else _has(figure, first)
    return f"{words(first.named, has, superlative(figure, rising=rising))} ({first.shown})"


def _side_by_side(figure: Figure, rows: Sequence[Row]) -> str:
    view = figure.view
    ranked = sorted(rows, key=lambda row: row[figure.at], reverse=True)
    counts = [other for other in (Figure(view, at) for at in view.measures) if other.counts and other != figure]
    own = figure.output.function == "avg" and len(counts) == 1
    each = [words(figure.said(row), _for(view.label(row)), f"({counts[0].item(row)})" if own else "") for row in ranked]
    return f"{words(sentence(figure.subject), figure.be, listed(each), figure.clauses.when)}{figure.so_far}."


def _for(label: str) -> str:
    return label if label.lower() in ("before", "after") else f"for {label}"


def compares(view: View) -> bool:
    """Whether the question sets the only two columns against each other."""
    if len(view.measures) != 2 or len(view.keys) != 1 or view.is_cut or not CHANGED.search(view.names.question):
        return False
    old, new = (view.formats[at] for at in view.measures)
    behind = {view.outputs[at].origins for at in view.measures if view.outputs[at].origins}
    return old == new and old.kind != "percent" and len(behind) < 2


def _changes(view: View) -> str:
    if not compares(view):
        return ""
    old, new = sorted((Figure(view, at) for at in view.measures), key=_begins)
    rows = [row for row in view.rows if is_number(row[old.at]) and is_number(row[new.at])]
    if not rows or any(row[old.at] < 0 for row in rows):
        return ""
    told = rows if len(rows) <= NEXT + 1 else sorted(rows, key=lambda row: -abs(row[new.at] - row[old.at]))[: NEXT + 1]
    most = "the largest changes: " if told is not rows else ""
    names = f"From {view.headings[old.at]} to {view.headings[new.at]}, {most}"
    return f"{names}{listed([_change(view.label(row), old, new, row) for row in told])}."


def _begins(figure: Figure) -> str:
    """Return when a figure's own time begins: a change runs from the earlier one."""
    times = [test for test in figure.output.tests if isinstance(test, Period)]
    return str(times[0].start or "") if len(times) == 1 else ""


def _change(label: str, old: Figure, new: Figure, row: Row) -> str:
    before, after = row[old.at], row[new.at]
    if before == after:
        return f"{label} stayed at {new.said(row)}"
    share = f" ({percent(abs(after - before), before)})" if before else ""
    return f"{label} {'rose' if after > before else 'fell'} from {old.said(row)} to {new.said(row)}{share}"


def _shares(figure: Figure, rows: Sequence[Row]) -> str:
    part, view = figure.output.parts[0], figure.view
    shown = next((output for output in view.outputs if output.name and alike(output, part)), part)
    measured = view.names.measured(part) if len(part.origins) == 1 else view.names.alias(shown)
    whole = view.names.counted(part) if part.function == "count" else measured
    lead, *others = sorted(rows, key=lambda row: row[figure.at], reverse=True)[: NEXT + 1]
    items = [f"{view.label(lead)} makes up {figure.said(lead)} of {words(whole, scope_of(view))}"]
    items += [f"{view.label(row)} {figure.said(row)}" for row in others]
    return f"{listed(items)}."


def _leads_unnamed(figure: Figure, rows: Sequence[Row]) -> bool:
    top = max(rows, key=lambda row: row[figure.at])
    return len(figure.view.keys) == 1 and top[figure.view.keys[0]] is None and not figure.view.is_cut


def _without_unnamed(figure: Figure, rows: Sequence[Row], named: Sequence[Row]) -> str:
    """Set the largest group apart for want of a name."""
    key = figure.view.keys[0]
    unnamed, title = next(row for row in rows if row[key] is None), figure.view.title(key)
    start = f"{words(sentence(figure.name))} is {figure.said(unnamed)} where no {title} is recorded"
    if figure.counts:
        total = figure.view.formats[figure.at].said(sum(row[figure.at] for row in rows))
        start = f"For {figure.said(unnamed)} of {total} {figure.things()} no {title} is recorded"
    return f"{start}; of the others, {_leader(figure, named, rising=False)}"


def _flag_share(figure: Figure, rows: Sequence[Row]) -> str:
    """Return "2,300 of 10,000 users (23%) are active"."""
    view, (key, *more) = figure.view, figure.view.keys
    if more or view.formats[key].kind != "flag" or len(rows) != 2 or not figure.counts or view.is_cut:
        return ""
    so = next((row for row in rows if row[key]), None)
    total = sum(row[figure.at] for row in rows)
    if so is None or not total:
        return ""
    is_state = view.outputs[key].name.lower().startswith("is_")
    verb = predicate(
        Clauses(before=view.title(key)) if is_state else Clauses(after=f"with {view.title(key)}"), many=True
    )
    share = percent(so[figure.at], total)
    whole = f"{view.formats[figure.at].said(total)} {view.names.counted(figure.output)} ({share})"
    return f"{words(figure.said(so), 'of', whole, verb, scope_of(view))}."
