"""Limits that a sentence sets: "three of the five exceed 1,000", "none is below 5 %", "only Berlin has more than 90".

A limit need not be a value of the result; what is said of it has to hold for the rows that are meant, and for no others.
"""

import re
from collections.abc import Iterator

from ai.answers.facts import Column
from ai.answers.fitting import Candidate, alike, from_cell, in_words
from ai.answers.numerals import Numeral
from ai.answers.scene import Scene

SIDES = {"over": 1, "barely": 1, "under": -1, "nearly": -1}
_NONE = re.compile(r"\b(?:none|neither|no|not one|nobody|nowhere)\b(?! (?:more|less|fewer) than\b)", re.IGNORECASE)
_ALL = re.compile(r"(?<!across )(?<!of )(?<!for )(?<!in )(?<!over )(?<!from )\b(?:all|every|each|both)\b(?! (?:in all|over)\b)", re.IGNORECASE)  # fmt: skip
_ONLY = re.compile(r"\b(?:only|just|alone|the one|sole)\b[\s\w]{0,12}$", re.IGNORECASE)
_BUT = re.compile(r"\b(?:all|every|each)\b[^.;]*\b(?:except(?: for)?|but|other than|apart from|excluding)\s+(?:the )?$", re.IGNORECASE)  # fmt: skip
_BEYOND = re.compile(
    r"\b(?:above|below|exceed\w*|under|at least|at most|threshold)\W+(?:the |an? |its |our )?\S?$", re.IGNORECASE
)
_INCLUSIVE = re.compile(r"\b(?:at least|at most|no more than|no less than|up to|minimum of)\W*\S?$", re.IGNORECASE)
_OF_THEM = re.compile(r"\s+of\s+(?:the|our|these|those|its|their|all|them|_|\d|[a-z]+ \w+s\b)", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:](?![^,;]{0,40},)|\b(?:and|but|while)\b")


def rows_beyond(column: Column, numeral: Numeral, inclusive: bool = False) -> frozenset[int]:
    """The rows of a column beyond a limit, on the side that its words tell."""
    side = SIDES.get(numeral.hedge, 0)
    return frozenset(
        row
        for row, number in enumerate(column.numbers)
        if number is not None and any(_is_beyond(c, numeral, side, inclusive) for c in from_cell(number, column))
    )


def _is_beyond(candidate: Candidate, numeral: Numeral, side: int, inclusive: bool) -> bool:
    reading = numeral.readings[0]
    if not alike(reading.kind, candidate.kind):
        return False
    away = [(value - reading.value) * side for value in in_words(candidate.value, reading, candidate.column)]
    return any(a > 0 or (inclusive and a == 0) for a in away)


def limit_holds(scene: Scene, numeral: Numeral) -> bool | None:
    """Whether what is said with a limit is so; None where the number limits nothing that can be told."""
    if not SIDES.get(numeral.hedge):
        return None
    said = _expected(scene, numeral)
    if said is None:
        return None
    kind, count = said
    inclusive = _INCLUSIVE.search(scene.between(scene.start, numeral.start)) is not None
    return any(
        _agrees(kind, count, rows_beyond(column, numeral, inclusive), _scope(scene, column, kind), scene)
        for column in limited_columns(scene, numeral)
    )


def is_beyond(scene: Scene, numeral: Numeral) -> bool:
    """Whether all the rows that are named are beyond a limit that need not be near: "Berlin is above 100"."""
    strong = _BEYOND.search(scene.between(scene.start, numeral.start))
    rows = frozenset.union(*sets) if (sets := [m.rows for m in scene.mentions]) else frozenset[int]()
    columns = limited_columns(scene, numeral)
    return bool(strong and rows) and any(rows <= rows_beyond(column, numeral) for column in columns)


def all_named_are_beyond(scene: Scene, numeral: Numeral) -> bool:
    """Whether each of several names before a limit is beyond it: "Berlin and Bonn exceed 500"; so where none is set."""
    if numeral.hedge not in ("over", "under") or not _BEYOND.search(scene.between(scene.start, numeral.start)):
        return True
    places = [m.column.place for m in scene.mentions if m.end <= numeral.start]
    listed = [m for m in scene.mentions if m.end <= numeral.start and places.count(m.column.place) > 1]
    earlier = any(n for n in scene.row_numerals if listed and listed[0].end <= n.start < numeral.start)
    if len(listed) < 2 or earlier or not scene.are_joined(listed):
        return True
    return any(
        all(m.rows & rows_beyond(column, numeral, True) for m in listed) for column in limited_columns(scene, numeral)
    )


def limited_columns(scene: Scene, numeral: Numeral) -> tuple[Column, ...]:
    """The columns that a limit may be of."""
    named = tuple(c for c in scene.columns_of(numeral) if c in scene.facts.measures)
    return named or scene.facts.measures


def _expected(scene: Scene, numeral: Numeral) -> tuple[str, int] | None:
    """How many rows are said to be beyond a limit."""
    before = scene.between(scene.start, numeral.start)
    after = scene.between(numeral.end, scene.end)
    if _NONE.search(scene.tone[: len(before)]):
        return "none", 0
    if any(_ONLY.search(scene.between(scene.start, m.start)) for m in scene.mentions if m.end <= numeral.start):
        return "only", 0
    if (count := _count_said(scene, numeral)) is not None:
        return "count", count
    if any(_BUT.search(scene.between(scene.start, m.start)) for m in scene.mentions if m.end <= numeral.start):
        return "all but", 0
    last = list(_ALL.finditer(scene.tone[: len(before)]))
    if last and not re.search(r"[,;:]", before[last[-1].end() :]) and not re.match(r"\s+(?:in|com)\w*\s+(?:total|all|bined)", after):  # fmt: skip
        return "all", 0
    return None


def _count_said(scene: Scene, numeral: Numeral) -> int | None:
    """The count in "three of the five", nearest before a limit, or after it: "exceeded 500 in three of the five"."""
    counts = [
        n
        for n in scene.numerals
        if n is not numeral and _OF_THEM.match(scene.between(n.end, scene.end)) and n.readings[0].kind == "plain"
    ]
    after = [n for n in counts if re.fullmatch(r"\s+(?:in|for|on|by|at)\s+", scene.between(numeral.end, n.start))]
    counts = [n for n in counts if n.end <= numeral.start] or after
    if not counts or _CLAUSE.search(scene.between(counts[-1].end, numeral.start)):
        return None
    return int(counts[-1].readings[0].value)


def _scope(scene: Scene, column: Column, kind: str) -> frozenset[int]:
    """The rows that are meant: those that hold a number and, unless they are the answer, that are named."""
    rows = frozenset(row for row, number in enumerate(column.numbers) if number is not None)
    named: dict[int, frozenset[int]] = {}
    for mention in scene.mentions if kind not in ("only", "all but") else ():
        named[mention.column.place] = named.get(mention.column.place, frozenset()) | mention.rows
    for of_column in named.values():
        rows = rows & of_column or rows
    return rows


def _agrees(kind: str, count: int, beyond: frozenset[int], scope: frozenset[int], scene: Scene) -> bool:
    match kind:
        case "none":
            return not beyond & scope
        case "all":
            return scope <= beyond
        case "count":
            return count in (len(beyond), len(beyond & scope))
        case "all but":
            return beyond == scope - frozenset.union(*(m.rows for m in scene.mentions))
        case _:
            return beyond == frozenset.union(*(m.rows for m in scene.mentions))


def counted_beyond(scene: Scene, column: Column, limit: Numeral) -> Iterator[int]:
    """How many rows of a column are beyond another number of the sentence; nothing where that one is no limit."""
    if SIDES.get(limit.hedge):
        inclusive = _INCLUSIVE.search(scene.between(scene.start, limit.start)) is not None
        yield len(rows_beyond(column, limit, inclusive))
