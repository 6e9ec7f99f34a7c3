"""What a number may count: rows, different values, the names that are listed, rows beyond a threshold, days of a period."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise, permutations

from ai.answers.facts import Column
from ai.answers.limits import SIDES, counted_beyond
from ai.answers.numerals import Numeral
from ai.answers.scene import Scene

MOST_FIRST = 500  # rows of which some may be called the first few
_FIRST_FEW = re.compile(r"\b(?:top|first|bottom|last|next|best|worst|leading|highest|lowest|largest|biggest|smallest|most recent|latest|these|those)(?:[ -]\w+)?[ -]$", re.IGNORECASE)  # fmt: skip
_REST = re.compile(r"\b(?:other|others|remaining|rest|further|more|additional)\b", re.IGNORECASE)
_MISSING = re.compile(r"\b(?:missing|null|nulls|without|unknown|empty|blank|no|not|lack)\b", re.IGNORECASE)
_BELOW_ZERO = re.compile(r"\b(?:negative|loss|losses|declin\w+|fell|dropped|decreas\w+|shrank|lost|down|below zero)\b", re.IGNORECASE)  # fmt: skip
_ABOVE_ZERO = re.compile(r"\b(?:positive|grew|growth|increas\w+|rose|gain\w*|up|profitable|in profit)\b", re.IGNORECASE)
_ZERO = re.compile(r"\b(?:zero|no|none|nothing)\b", re.IGNORECASE)
_AVERAGE = re.compile(r"\b(?P<side>above|below|over|under|exceed\w*|more|higher|greater|less|fewer|lower)\b[ -][^.;,\d]{0,30}?\b(?:average|mean)\b", re.IGNORECASE)  # fmt: skip
_NOT = re.compile(
    r"\b(?:not|no|non|without|never|isn|aren|hasn|haven)\b|\bun(?=[a-z]{4})|\bin(?=active|valid)", re.IGNORECASE
)
_AMOUNT = re.compile(
    r"\b(?:drop|gain|increase|decrease|decline|rise|fall|growth|loss|jump|gap|difference|lead|margin) of\s+$",
    re.IGNORECASE,
)
_MORE_THAN = re.compile(r"\s+(?:more|fewer|less|higher|lower)\s+(?:[a-z]+\s+)?than\b(?! (?:the |an? )?(?:average|mean|\S?\d))", re.IGNORECASE)  # fmt: skip
_COLUMNS = re.compile(r"\b(?:columns|metrics|measures|figures|fields|values)\b", re.IGNORECASE)
_COMPARED = re.compile(r"\b(?:(?P<met>met|meets?|reach\w*|hit|achiev\w*|attain\w*)|(?P<beyond>above|exceed\w*|over|more|beat|ahead|overspen\w*)|(?P<missed>missed|behind|short|needs?)|below|under|less|fewer)\b", re.IGNORECASE)  # fmt: skip
_SHARED = re.compile(r"\b(?:tie|tied|same|equal|equally|each|share|both|identical)\b", re.IGNORECASE)
_WITHIN = re.compile(
    r"\b(?:of|across|in|among|amongst|over|for|from|with|between|to|by)\s+(?:the |our |all |these )*$", re.IGNORECASE
)
_APPOSED = re.compile(r"(?:\s+[\w-]+){1,3}\s*[,:(–—]\s*", re.IGNORECASE)
_AND = re.compile(r"\s*(?:,|and|,\s*and|&)\s*", re.IGNORECASE)
_PERIOD = re.compile(r"\s*-?(?:day|week|month|quarter|year|hour)s?\b", re.IGNORECASE)


def counts(scene: Scene, numeral: Numeral) -> Iterator[Decimal]:
    """All that a number may count in its sentence."""
    facts = scene.facts
    if _AMOUNT.search(scene.between(scene.start, numeral.start)) or _is_paired(scene, numeral):
        return
    if _MORE_THAN.match(scene.between(numeral.end, scene.end)):
        return
    nouns = scene.columns_after(numeral)
    things = [c for c in nouns if c in facts.names]
    if nouns and not things and not numeral.readings[0].unit:
        return
    if numeral.readings[0].unit:
        yield from (Decimal(facts.of_all(c).distinct) for c in things)
        yield from map(Decimal, _span(scene, numeral))
        yield from _first_few(scene, numeral)
        return
    own = [facts.of_all(c).distinct for c in things or facts.names]
    if things or not scene.directly_of_a_row(numeral):
        yield from map(Decimal, own)
        yield from [Decimal(facts.row_count)] if not things else []
    listed = () if scene.directly_of_a_row(numeral) else tuple(_listed(scene))
    for count in (*_groups(scene), *_beyond(scene, numeral), *listed, *_left(scene), *_span(scene, numeral)):
        yield Decimal(count)
    yield from _first_few(scene, numeral)
    if _COLUMNS.search(scene.between(numeral.end, min(scene.end, numeral.end + 20))):
        yield from (Decimal(len(facts.columns)), Decimal(len(facts.measures)))


def _first_few(scene: Scene, numeral: Numeral) -> Iterator[Decimal]:
    """Any number of first or best ones, where no names say which they are."""
    count = scene.facts.row_count
    if count <= MOST_FIRST and _FIRST_FEW.search(scene.between(scene.start, numeral.start)) and not set(_listed(scene)):
        yield from map(Decimal, range(1, count + 1))


def _beyond_value(column: Column, limit: Decimal, side: int) -> int:
    return sum(n is not None and (n - limit) * side > 0 for n in column.numbers)


def _groups(scene: Scene) -> Iterator[int]:
    """The rows of a name that several have, and what differs in them."""
    sets = {m.rows for m in scene.mentions}
    for rows in [*sets, *(a & b for a in sets for b in sets if a & b and a != b)]:
        repeats = any(len(m.rows) > 1 for m in scene.mentions)
        if repeats:
            yield len(rows)
            yield from (len({str(c.cells[row]) for row in rows if c.cells[row] is not None}) for c in scene.facts.names)


def _beyond(scene: Scene, numeral: Numeral) -> Iterator[int]:
    """Rows beyond the limits that the sentence sets, on a side of zero or of the mean, alike, or with nothing."""
    for column in scene.facts.measures:
        for other in scene.numerals:
            if other is not numeral:
                yield from _beside(scene, column, other)
        for words, side in ((_BELOW_ZERO, -1), (_ABOVE_ZERO, 1)):
            if scene.says(words) and column.is_signed:
                yield _beyond_value(column, Decimal(), side)
        if scene.says(_ZERO):
            yield sum(number == 0 for number in column.known)
        meant = column in scene.named_columns(scene.text) or not scene.named_columns(scene.text)
        if meant and (average := _AVERAGE.search(scene.text)) and (mean := scene.facts.of_all(column).mean) is not None:
            yield _beyond_value(column, mean, 1 if average["side"].lower()[0] in "aoemhg" else -1)
    yield from _compared(scene)
    yield from _true_or_false(scene)
    if scene.says(_MISSING):
        yield from (scene.facts.row_count - scene.facts.of_all(c).present for c in scene.facts.columns)


def _true_or_false(scene: Scene) -> Iterator[int]:
    """Rows that are, or are not, what a column of truth values says."""
    for column in scene.facts.columns:
        if column.is_truth and scene.names_column(column):
            yield sum(cell is not scene.says(_NOT) and cell is not None for cell in column.cells)


def _is_paired(scene: Scene, numeral: Numeral) -> bool:
    """Whether a number is one of a pair in brackets that says something of names: "(29 and 5)"."""
    aside = re.search(r"\(([^()]*)$", scene.between(scene.start, numeral.start))
    rest = re.match(r"([^()]*)\)", scene.between(numeral.end, scene.end))
    return bool(aside and rest and re.fullmatch(r"[\W\d]*(?:and|vs\.?|versus|to)[\W\d]*", aside[1] + rest[1]))


def counts_another_list(scene: Scene, numeral: Numeral) -> bool:
    """Whether names that the number counts stand right after it, and are more or fewer: "three, Berlin and Bonn"."""
    if numeral.readings[0].kind != "plain" or _WITHIN.search(scene.between(scene.start, numeral.start)):
        return False
    listed = [m for m in scene.mentions if m.start >= numeral.end]
    if not listed or not _APPOSED.fullmatch(scene.between(numeral.end, listed[0].start)):
        return False
    listed = [m for m in listed if m.column is listed[0].column]
    ends = [i for i, (a, b) in enumerate(pairwise(listed)) if not _AND.fullmatch(scene.between(a.end, b.start))]
    listed = listed[: ends[0] + 1] if ends else listed
    closed = re.match(r"\s*(?:[,;.)–—]|$)", scene.between(listed[-1].end, scene.end))
    return bool(closed) and len(listed) > 1 and Decimal(len(listed)) not in [r.value for r in numeral.readings]


def _beside(scene: Scene, column: Column, other: Numeral) -> Iterator[int]:
    """Rows beyond another number of the sentence, or with just that one."""
    limit = other.readings[0].value
    if SIDES.get(other.hedge):
        yield from counted_beyond(scene, column, other)
    elif (alike := sum(number == limit for number in column.known)) > 1 or scene.says(_SHARED):
        yield alike


def _compared(scene: Scene) -> Iterator[int]:
    """Rows that reach, or do not reach, in one column what they have in another: "three met their quota"."""
    for found in _COMPARED.finditer(scene.tone):
        meant = scene.named_columns(scene.text[found.end() : found.end() + 40])
        for one, two in permutations(scene.facts.measures[:4], 2):
            both = [(a, b) for a, b in zip(one.numbers, two.numbers, strict=True) if a is not None and b is not None]
            before = set(scene.named_columns(scene.text[: found.start()])) - set(meant)
            spoken = len(scene.named_columns(scene.text)) > 1 or (found["met"] or found["missed"])
            if not spoken:
                continue
            if len(meant) == 1 and two in meant and (not before or one in before):
                yield sum((a >= b) if found["met"] else (a > b) if found["beyond"] else (a < b) for a, b in both)
            elif len(meant) != 1:
                yield sum(a < b for a, b in both)


def _listed(scene: Scene) -> Iterator[int]:
    """How many names of a column the sentence lists."""
    for place in {m.column.place for m in scene.mentions}:
        listed = {m.rows for m in scene.mentions if m.column.place == place}
        if len(listed) > 1:
            yield len(listed)


def _left(scene: Scene) -> Iterator[int]:
    """How many are left beside those that are named."""
    if scene.says(_REST):
        sizes = {len({m.rows for m in scene.mentions if m.column is c}) for c in scene.facts.names}
        tops = {int(r.value) for n in scene.numerals for r in n.readings[:1] if r.value == int(r.value)}
        for whole in {scene.facts.row_count, *(scene.facts.of_all(c).distinct for c in scene.facts.names)}:
            yield from (whole - size for size in sizes | tops if size and whole > size)


def _span(scene: Scene, numeral: Numeral) -> Iterator[int]:
    """How long the period is that the dates span."""
    unit = numeral.readings[0].unit
    if not unit and not _PERIOD.match(scene.between(numeral.end, scene.end)):
        return
    moments = [m for m in scene.facts.moments if m.year is not None]
    years = [m.year for m in moments if m.year is not None]
    months = [m.year * 12 + m.month for m in moments if m.year is not None and m.month is not None]
    days = [m.year * 372 + m.month * 31 + m.day for m in moments if m.year and m.month and m.day]
    for values in (years, months, days):
        if values:
            yield from (max(values) - min(values), max(values) - min(values) + 1)
    yield from [scene.facts.row_count] if moments else []
