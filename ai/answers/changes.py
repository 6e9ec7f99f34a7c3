"""A figure at two times, or of two values, with its change: told as far as the cells bear it out."""

from collections.abc import Sequence
from dataclasses import dataclass

from ai.answers.conditions import clauses_of
from ai.answers.figure import Figure, asks_whether, words
from ai.answers.formats import is_number
from ai.answers.naming import listed, sentence
from ai.answers.series import DOWN, UP
from ai.answers.view import View
from ai.language import formats as written
from ai.language.words import plural, singular
from ai.results.table import Row
from ai.sql.facts import Period, alike

CLOSE = 1e-6  # of the larger side: rounding of the engine
PLACES = {"month": "in", "year": "in", "quarter": "in", "weekday": "on", "day": "on"}


@dataclass(frozen=True, slots=True)
class Change:
    """Places of the figure, its base and their difference; `percent` and `whole` (all of the base) may be missing."""

    view: View
    now: Figure
    base: Figure
    at: int
    percent: int | None = None
    whole: Figure | None = None

    def holds(self, row: Row) -> bool:
        """Whether the difference of a row is that of its two sides."""
        now, base, change = (row[at] for at in (self.now.at, self.base.at, self.at))
        if change is None or not is_number(change):
            return now is None or base is None
        sides = [float(side or 0) for side in (now, base)]
        return abs(sides[0] - sides[1] - float(change)) <= CLOSE * max(1.0, *map(abs, sides))

    def side(self, figure: Figure) -> str:
        """Return “in October” or “on iOS”."""
        return clauses_of(figure.output.tests, self.view.names).tail

    @property
    def is_timed(self) -> bool:
        return any(isinstance(test, Period) for test in self.now.output.tests)

    def size(self, row: Row) -> str:
        """Return “$14,168”, or “2.3 percentage points” between rates."""
        by = self.view.formats[self.now.at]
        change = abs(float(row[self.at]))
        if by.kind != "percent":
            return by.said(float(f"{change:.12g}"), today=self.view.names.today)
        shown = written.significant(change * by.scale, 3, self.view.names.locale)
        return f"{shown} percentage point{'' if shown == '1' else 's'}"

    def part(self, row: Row) -> str:
        """Return “3.02%”; "" without a base above zero."""
        base = row[self.base.at]
        if self.percent is None or not is_number(row[self.percent]) or not is_number(base) or base <= 0:
            return ""
        return self.view.formats[self.percent].said(abs(float(row[self.percent])), today=self.view.names.today)

    def moved(self, row: Row, aside: str = " ({})") -> str:
        """Return “up $14,168 (3.02%)”; `aside` is how the percentage stands."""
        part = self.part(row)
        return f"{'up' if row[self.at] > 0 else 'down'} {self.size(row)}{aside.format(part) if part else ''}"


def change_in(view: View) -> Change | None:
    """Return the comparison that a result shows; None if its cells do not bear one out."""
    outputs = view.outputs
    for at in view.figures:
        parts = outputs[at].parts
        if outputs[at].function != "difference" or len(parts) != 2 or at < 2:
            continue
        found = [next((f for f in view.figures if alike(outputs[f], part)), None) for part in parts]
        now, base = (place if place is not None else at - back for place, back in zip(found, (2, 1), strict=True))
        if now == base or {now, base} & set(view.keys) or not _are_sides(view, now, base):
            continue
        percent = next((f for f in view.figures if _is_percent_of(view, f, at)), None)
        rest = [f for f in view.figures if f not in (now, base, at, percent) and _are_sides(view, now, f)]
        whole = Figure(view, rest[0]) if len(rest) == 1 else None
        made = Change(view, Figure(view, now), Figure(view, base), at, percent, whole)
        return made if all(made.holds(row) for row in view.rows) else None
    return None


def _are_sides(view: View, now: int, base: int) -> bool:
    one, other = view.outputs[now], view.outputs[base]
    tested = one.window is None and other.window is None and one.tests != other.tests
    return tested and bool(one.tests) and (one.function, one.origins) == (other.function, other.origins)


def _is_percent_of(view: View, place: int, change: int) -> bool:
    output = view.outputs[place]
    return output.percent and bool(output.parts) and alike(output.parts[0], view.outputs[change])


def changed(view: View) -> str:
    """Say a comparison; "" for other results."""
    change = change_in(view)
    if change is None:
        return ""
    if view.keys:
        return _by_group(change)
    return _alone(change, view.rows[0])


def none_changed(view: View) -> str:
    """Say that a figure rose, or fell, for none of the groups; "" where no such change was asked for."""
    change = change_in(view)
    ways = [operator[0] for _, operator, values in view.names.facts.havings if tuple(values) == (0,)]
    if change is None or len(view.keys) != 1 or len(ways) != 1 or ways[0] not in "<>":
        return ""
    verb = _verbs(change)[ways[0] == "<"]
    things = f"for none of the {plural(singular(view.title(view.keys[0])))}"
    return f"{words(sentence(_name(change)), verb, things, _span(change) if change.is_timed else '')}."


def _alone(change: Change, row: Row) -> str:
    now, base = change.now, change.base
    if row[now.at] is None and row[base.at] is None:
        return f"No {now.measured} is recorded {change.side(now)} or {change.side(base)}."
    scope = words(change.view.clauses().tail)
    subject = words(_name(change), scope)
    if row[now.at] is None:
        missing = words("No", now.measured, scope, "is recorded", change.side(now))
        return f"{missing}; it was {base.said(row)} {change.side(base)}."
    said = words(now.said(row), change.side(now))
    be = _be(change)
    if row[base.at] is None:
        return f"{words(sentence(subject), be, said)}; none is recorded {change.side(base)} to compare with."
    verdict = _verdict(change, row)
    start = words(f"{verdict}{subject}" if verdict else sentence(subject), be)
    whole = _whole(change, row)
    if not row[change.at]:
        return f"{start} {said}, the same as {change.side(base)}{whole}."
    if not change.is_timed:
        more, part = ("more" if row[change.at] > 0 else "less"), change.part(row)
        gap = f"{change.size(row)}{f' ({part})' if part else ''}"
        return f"{start} {said}, {gap} {more} than {change.side(base)} ({base.said(row)})."
    return f"{start} {said}, {change.moved(row)} from {base.said(row)} {change.side(base)}{whole}."


def at_times(view: View) -> str:
    """Say one figure at several times; "" for other results."""
    figures = [Figure(view, at) for at in view.figures]
    if view.keys or len(view.rows) != 1 or len(figures) < 2:
        return ""
    first, row = figures[0], view.rows[0]
    timed = all(any(isinstance(test, Period) for test in figure.output.tests) for figure in figures)
    if not timed or not all(_are_sides(view, first.at, figure.at) for figure in figures[1:]) or None in row:
        return ""
    sides = [words(figure.said(row), clauses_of(figure.output.tests, view.names).tail) for figure in figures]
    name = f"the {first.name}" if first.name.startswith("number of") else first.name
    be = "was" if first.counts else first.be.replace("are", "were").replace("is", "was")
    return f"{words(sentence(words(name, view.clauses().tail)), be, listed(sides))}."


def _whole(change: Change, row: Row) -> str:
    if change.whole is None or row[change.whole.at] is None:
        return ""
    return f" (all of {_bare(change.side(change.whole))}: {change.whole.said(row)})"


def _name(change: Change) -> str:
    """Return “revenue”, “the number of orders”."""
    name = change.now.name
    return f"the {name}" if name.startswith("number of") else name


def _be(change: Change) -> str:
    return change.now.be.replace("are", "were").replace("is", "was") if not change.now.counts else "was"


def _verdict(change: Change, row: Row) -> str:
    question = change.view.names.question
    up, down = bool(UP.search(question)), bool(DOWN.search(question))
    if not asks_whether(question) or up == down or {"than", "or"} & {*question.lower().split()}:
        return ""
    return "Yes, " if (row[change.at] > 0) == up and row[change.at] else "No, "


def _by_group(change: Change) -> str:
    view = change.view
    rows = [row for row in view.rows if is_number(row[change.at])]
    if not rows:
        return f"No row has {change.now.measured} {change.side(change.now)} and {change.side(change.base)} to compare."
    name, scope = _name(change), view.clauses().tail
    for figure in (change.now, change.base):
        if all(row[figure.at] is None for row in view.rows):
            return f"{words('No', change.now.measured, scope, 'is recorded', change.side(figure), 'to compare with')}."
    span = _span(change) if change.is_timed else ""
    if len(rows) == 1:
        row = rows[0]
        if not row[change.at]:
            unmoved = words(sentence(name), "for", view.label(row), scope, "did not change", span)
            return f"{unmoved}: {change.now.said(row)}."
        ends = words(
            change.base.said(row), change.side(change.base), "to", change.now.said(row), change.side(change.now)
        )
        up, down = _verbs(change)
        verb, other = (up, down) if row[change.at] > 0 else (down, up)
        is_most, moved = _is_most(change), f"{change.moved(row)}, from {ends}"
        if is_most is False:
            return f"{words(sentence(name), scope, other)} nowhere; it {verb} least for {view.label(row)}: {moved}."
        most = "most " if is_most else ""
        return f"{words(sentence(name), scope, verb, most, 'for', view.label(row))}: {moved}."
    ups = sorted((row for row in rows if row[change.at] > 0), key=lambda row: -row[change.at])
    downs = sorted((row for row in rows if row[change.at] < 0), key=lambda row: row[change.at])
    start = words(sentence(name), scope)
    sides = [(found, verb) for found, verb in _sides(change, ups, downs) if found]
    told = [_extreme(change, found, len(rows), verb, again=place > 0) for place, (found, verb) in enumerate(sides)]
    same = "" if told else f"did not change for any of {_things(change, len(rows))}"
    return f"{words(start, ' and '.join(told) or same, span)}."


def _span(change: Change) -> str:
    """Return “from September to October”, “from 2025 to 2026 (January 1 to November 21)”."""
    base, now = _bare(change.side(change.base)), _bare(change.side(change.now))
    if base[:-4] == f"{now}, ":
        return f"from {base[-4:]} to {change.view.names.today.year} ({now})"
    return f"from {base} to {now}"


def _sides(change: Change, ups: Sequence[Row], downs: Sequence[Row]) -> list[tuple[Sequence[Row], str]]:
    """Return rises and falls with their verbs, in the order asked for, else the more frequent first."""
    up, down = _verbs(change)
    both: list[tuple[Sequence[Row], str]] = [(ups, up), (downs, down)]
    order = change.view.names.facts.order
    if order and order[0].place in (change.at, change.percent):
        return both if order[0].descending else both[::-1]
    return sorted(both, key=lambda side: -len(side[0]))


def _extreme(change: Change, found: Sequence[Row], size: int, verb: str, *, again: bool) -> str:
    view = change.view
    where = PLACES.get(view.title(view.keys[0]), "for") if len(view.keys) == 1 else "for"
    whole = "" if view.names.facts.havings else "both" if size == 2 else "all"
    some = f"{len(found):,} of" if len(found) < size else whole
    things = _things(change, size).removeprefix("2 ") if some == "both" else _things(change, size)
    counted = f"{len(found):,}" if again else words(some, things)
    count = "" if view.is_cut else f"{where} {counted}, "
    lead = f"{view.label(found[0])} ({change.moved(found[0], ' or {}')})"
    if len(found) == 1 and not view.is_cut:
        return f"{verb} {where} {lead}" if again else f"{verb} {count}{lead}"
    return f"{verb} {count}most {where} {lead}"


def _things(change: Change, size: int) -> str:
    keys = change.view.keys
    return f"{size:,} {plural(singular(change.view.title(keys[0]))) if len(keys) == 1 else 'rows'}"


def _verbs(change: Change) -> tuple[str, str]:
    return ("rose", "fell") if change.is_timed else ("was higher", "was lower")


def _is_most(change: Change) -> bool | None:
    """Whether the first row moved most as asked; False if all moved the other way, None if none was asked."""
    facts, row = change.view.names.facts, change.view.rows[0]
    if facts.limit != 1 or not facts.order or facts.order[0].place not in (change.at, change.percent):
        return None
    return facts.order[0].descending == bool(row[change.at] > 0)


def _bare(when: str) -> str:
    """Drop the preposition: “in October” is “October”."""
    return when.removeprefix("in ").removeprefix("on ").removeprefix("from ")
