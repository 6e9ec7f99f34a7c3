"""Which two values of a result a sentence compares, and which of them is the base: "up 5 % from March to April"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, pairwise

from ai.answers.facts import Column, stem
from ai.answers.fitting import fits, from_cell
from ai.answers.mentions import Mention
from ai.answers.numerals import Numeral
from ai.answers.scene import Scene

_BASE = re.compile(
    r"\b(?:than|versus|vs\.?|compared (?:to|with)|against|unlike|from|as (?:many|much|high|large) as|ahead of|behind|over|relative to|beats|beat|after)\s+(?:\w+\s+){0,2}?$",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\b(?:next|following|later|then|after)\b", re.IGNORECASE)
_SINCE = re.compile(r"\bsince\b", re.IGNORECASE)
_NET = re.compile(r"\b(?:net|minus|after (?:deduct|subtract)\w*|less)\b", re.IGNORECASE)
_EARLIER = frozenset("prev previous last before prior budget target plan planned expected baseline old".split())


@dataclass(frozen=True, slots=True)
class Pair:
    """Two values of one column, or of two; `ordered` says that the sentence tells which is the base."""

    base: Decimal
    new: Decimal
    column: Column
    ordered: bool = True


def subjects(scene: Scene) -> tuple[tuple[Mention, frozenset[int]], ...]:
    """What the sentence compares: the names of the column that most are of, each with its rows within the other names."""
    places = {m.column.place for m in scene.mentions}
    if not places:
        return ()
    named = {p: [m for m in scene.mentions if m.column.place == p] for p in places}
    main = max(sorted(places), key=lambda p: len({m.rows for m in named[p]}))
    rows: dict[frozenset[int], Mention] = {}
    for mention in named[main]:
        at = mention.rows
        for place in places - {main}:
            sets = {m.rows for m in named[place]}
            if len(sets) == 1 and at & next(iter(sets)):
                at &= next(iter(sets))
        rows.setdefault(at, mention)
    return tuple((mention, at) for at, mention in rows.items())


def value_of(column: Column, rows: frozenset[int]) -> Decimal | None:
    """What rows have of a column together."""
    known = [number for row in rows if (number := column.numbers[row]) is not None]
    return sum(known, Decimal()) if known else None


def pairs(scene: Scene, columns: tuple[Column, ...], numeral: Numeral) -> Iterator[Pair]:
    """The pairs of values that a sentence may compare."""
    told = list(_of_numerals(scene, numeral))
    if any(pair.ordered for pair in told):  # "from 100 to 120" leaves nothing open
        yield from (pair for pair in told if pair.ordered)
        return
    named = subjects(scene)
    for column in columns:
        if len(named) > 1:
            yield from _of_names(scene, column, named)
        elif named:
            yield from _of_one(column, scene, named[0][1])
        else:
            yield from _of_rows(column, scene)
    yield from _of_columns(scene, scene.facts.measures, named)
    yield from told


def _of_names(scene: Scene, column: Column, named: tuple[tuple[Mention, frozenset[int]], ...]) -> Iterator[Pair]:
    for (first, rows), (second, others) in combinations(named, 2):
        one, two = value_of(column, rows), value_of(column, others)
        if one is None or two is None:
            continue
        before_first, before_second = (scene.between(max(scene.start, m.start - 30), m.start) for m in (first, second))
        from_to = re.search(r"\b(?:from|between)\s+(?:\w+\s+)?$", before_first) and re.search(
            r"\b(?:to|and)\s+(?:\w+\s+)?$", before_second
        )
        dated = first.column.is_date and not _BASE.search(before_second)
        first_is_base = bool(from_to) or bool(_BASE.search(before_first)) or (dated and _later(scene, others, rows))
        yield Pair(one, two, column) if first_is_base else Pair(two, one, column)


def _later(scene: Scene, rows: frozenset[int], others: frozenset[int]) -> bool:
    return _when(scene, min(rows)) > _when(scene, min(others))


def _when(scene: Scene, row: int) -> tuple[int, ...]:
    """What orders a row in time, its place where nothing does."""
    at = scene.facts.moments[row]
    parts = (at.year, at.quarter, at.month, at.week, at.day, at.hour, at.minute)
    return tuple(part or 0 for part in parts) if at.known() else (row,)


def _of_one(column: Column, scene: Scene, rows: frozenset[int]) -> Iterator[Pair]:
    """A row beside those next to it in order, in time and in rank, and beside the ends and the middle."""
    mine = value_of(column, rows)
    if mine is None:
        return
    in_time = sorted(scene.facts.every_row, key=lambda row: _when(scene, row))
    ranked = sorted((n for n in column.known), reverse=True)
    if len(rows) == 1 and any(c.is_date for c in scene.facts.columns):
        place = in_time.index(min(rows))
        near = [column.numbers[row] for row in (*in_time[max(0, place - 1) : place], in_time[0])]
        following = [column.numbers[row] for row in in_time[place + 1 : place + 2]] if _NEXT.search(scene.text) else []
        following += [column.numbers[in_time[-1]]] if _SINCE.search(scene.text) else []
        near = [] if _SINCE.search(scene.text) else near
        yield from (Pair(mine, other, column) for other in following if other is not None)
    else:
        near = [*ranked[:2], *ranked[-2:]]
        if mine in ranked:
            place = ranked.index(mine)
            near += ranked[max(0, place - 1) : place] + ranked[place + 1 : place + 2]
    yield from (Pair(other, mine, column) for other in near if other is not None and other != mine)
    if (mean := scene.facts.of_all(column).mean) is not None and re.search(r"\b(?:average|mean)\b", scene.text):
        yield Pair(mean, mine, column)


def _of_rows(column: Column, scene: Scene) -> Iterator[Pair]:
    """The first row beside the last in time, neighbours, and the ends."""
    in_time = sorted(scene.facts.every_row, key=lambda row: _when(scene, row))
    values = [number for row in in_time if (number := column.numbers[row]) is not None]
    if len(values) > 1:
        dated = any(c.is_date for c in scene.facts.columns)
        yield Pair(values[0], values[-1], column, dated)
        yield from (Pair(one, two, column, dated) for one, two in pairwise(values[:60]))
        yield Pair(min(values), max(values), column, False)
        ranked = sorted(values)
        yield Pair(ranked[-2], ranked[-1], column)


def _of_columns(
    scene: Scene, columns: tuple[Column, ...], named: tuple[tuple[Mention, frozenset[int]], ...]
) -> Iterator[Pair]:
    """Two columns of one row: before and after, plan and actual."""
    whole = scene.facts.held == 1 or re.search(
        r"\b(?:overall|total|together|combined|altogether|all)\b", scene.text, re.IGNORECASE
    )
    rows = [at for _, at in named] or ([scene.facts.every_row] if whole else [])
    said = {stem(word) for word in re.findall(r"\w+", scene.text)}
    for one, two in combinations(columns[:6], 2):
        earlier = {c.place for c in (one, two) if _EARLIER & set(c.words)}
        years = [next((int(w) for w in c.words if w.isdigit()), 0) for c in (one, two)]
        for at in rows:
            first, second = value_of(one, at), value_of(two, at)
            if first is not None and second is not None:
                if two.place in earlier or years[0] > years[1]:
                    first, second = second, first
                ordered = bool(earlier) or years[0] != years[1]
                either = one.stems & said or two.stems & said
                if ordered or (one.stems & said and two.stems & said) or (either and _NET.search(scene.text)):
                    yield Pair(first, second, one, ordered)


def _of_numerals(scene: Scene, numeral: Numeral) -> Iterator[Pair]:
    """The values that the sentence itself gives: "from 100 to 120, an increase of 20"."""
    told = [(n, c) for n in scene.row_numerals[:6] if n is not numeral for c in _cells(scene, n)]
    for (first, (one, column)), (second, (two, other)) in combinations(told, 2):
        if first is not second and column is other:
            gap = scene.between(first.end, second.start)
            before = scene.between(max(scene.start, first.start - 12), first.start)
            ordered = bool(re.match(r"\W*(?:\w+\W+){0,3}to\b", gap) and re.search(r"\bfrom\b", before))
            yield Pair(one, two, column, ordered)


def _cells(scene: Scene, numeral: Numeral) -> list[tuple[Decimal, Column]]:
    options = scene.rows_of(numeral) or (scene.facts.every_row,)
    found = {
        (number, column)
        for rows in options
        for column in scene.facts.measures
        for row in rows
        if (number := column.numbers[row]) is not None
        and any(fits(numeral, c, -1 if c.value < 0 else 0) for c in from_cell(number, column))
    }
    return sorted(found, key=lambda pair: (pair[1].place, pair[0]))[:3]
