"""The values that a figure of a sentence may say: cells of its rows and columns, and what the sentence's own words derive.

Arithmetic is done only where a word asks for it ("together", "on average", "more than", "% of"), and on what the sentence
names: the fewer values a figure may be, the fewer wrong ones pass by chance.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, permutations
from statistics import median

from ai.answers.facts import Column
from ai.answers.fitting import Candidate, fits, from_cell
from ai.answers.numerals import Numeral
from ai.answers.pairs import pairs, subjects, value_of
from ai.answers.scene import DOWN, UP, Scene
from ai.answers.units import same_family

_SUM = re.compile(r"\b(?:total\w*|sum\w*|together|combined|altogether|overall|in all|all|across|cumulative\w*|whole|grand|out of|of the|both|rest|others?|remaining|between them|collectively|jointly|aggregate|insgesamt|gesamt|plus|and|year-to-date|ytd|every|entire|over (?:the|these|those|all)|counted|during|adds? up|of (?=[\d$€£]\d))", re.IGNORECASE)  # fmt: skip
_MEAN = re.compile(r"\b(?:average\w*|mean|avg|typical\w*|per|a (?:day|week|month|year)|each|Durchschnitt|durchschnittlich|moyenne)\b", re.IGNORECASE)  # fmt: skip
_WHOLE = re.compile(r"\b(?:in total|overall|altogether|across all|combined|together|in all)\b", re.IGNORECASE)
_AGGREGATES = (frozenset({"average", "avg", "mean"}), frozenset({"median"}), frozenset({"total", "sum"}))
_RANGES = re.compile(
    r"\b(?:rang\w+|var(?:y|ies|ied|ying)|span\w*)\s+(?:\w+\s+){0,2}?(?:from|between)\s*[$€£]?$", re.IGNORECASE
)
_TOGETHER = re.compile(r"\b(?:total\w*|sum\w*|together|combined|altogether|overall|both|between them|collectively|jointly|aggregate|adds? up|cumulative\w*|out of)\b", re.IGNORECASE)  # fmt: skip
_WON = re.compile(r"\b(?:w[io]ns?|lost|loss\w*|pass\w*|fail\w*|succe\w+|split|of (?:all|its|their))\b", re.IGNORECASE)
_AGGREGATE = re.compile(r"\b(average|mean|median|total|sum)\b[\w\s]{0,30}\b(?:is|was|of|comes to|came to|stands at|at|:)\s*\S?$", re.IGNORECASE)  # fmt: skip
_MEDIAN = re.compile(r"\b(?:median|middle|half of)\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:rang\w+|between|from|spread|span\w*|minimum|maximum|min|max|lowest|highest|smallest|largest|peak\w*|least|most|low|high|best|worst|top|bottom|as (?:many|much|high|low|few|little) as|up to)\b", re.IGNORECASE)  # fmt: skip
_DIFFERENCE = re.compile(rf"\b(?:{UP}|{DOWN}|differ\w*|gap|margin|(?:a|the|total|full) range|range (?:is|was|of)|spread|apart|change\w*|delta|net|profit|variance|swing|separat\w+)\b", re.IGNORECASE)  # fmt: skip
_VERSUS = re.compile(r"\b(?:vs|versus|compared|against|from|since|relative)\b", re.IGNORECASE)
_RATIO = re.compile(r"\b(?:per|average|averages|each|ratio|for every)\b", re.IGNORECASE)
MOST_COMPARED = 8  # columns
FEW = 3  # columns, among which a ratio needs no name of its own columns
_CHANGE = re.compile(r"\b(?:increase|decrease|growth|rise|gain|jump|drop|decline|fall|change) of\s+(?:about |roughly |around |nearly |almost |over )?$", re.IGNORECASE)  # fmt: skip
_PARTITIVE = re.compile(r"\s+of\s+(?:the|our|these|those|all|them|its|their|\d)", re.IGNORECASE)
_NAMED_RATIO = re.compile(r"\b(?:margin|ratio|conver\w+)\b", re.IGNORECASE)
_RATE = re.compile(
    r"\b(?:rates?|ratio|margin|conver\w+|per|average|averages|each|for every|turned into|won|success\w*|fail\w*|complet\w*|utili[sz]\w*|attain\w*|achiev\w*|reached)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\bpercentage[ -]points?\b|\bpp\b|%-?points?", re.IGNORECASE)
_THAN = re.compile(
    r"\s+(?:more|fewer|less|higher|lower|larger|smaller|longer|shorter)\s+(?:[\w-]+\s+){0,2}than\b", re.IGNORECASE
)
_CLOCK = re.compile(r"\b(?:between|from|at|and|to|until|till)\s$", re.IGNORECASE)
_OF = re.compile(
    r"\b(?:of|as|margin|ratio|rate|conver\w+|share|against|reached|achiev\w+|attain\w+|per)\b", re.IGNORECASE
)
_REST = re.compile(
    r"\b(?:rest|others?|remaining|remainder|else|everything|excluding|without|except|not)\b", re.IGNORECASE
)
_IN_FRONT = frozenset("first these those earliest".split())
_AT_THE_END = frozenset("last latest these those final".split())
_HIGH = frozenset("top best leading largest biggest highest strongest these those".split())
_LOW = frozenset("bottom worst smallest lowest weakest these those".split())
_FIRST_FEW = re.compile(rf"\b(?:{'|'.join(sorted(_IN_FRONT | _AT_THE_END | _HIGH | _LOW))})\b", re.IGNORECASE)


def amounts(scene: Scene, numeral: Numeral) -> Iterator[Candidate]:
    """The cells that a number may be, and sums, means, medians, ends and differences of cells."""
    columns = columns_for(scene, numeral)
    options = scene.rows_of(numeral)
    compared = _THAN.match(scene.between(numeral.end, scene.end))  # "9 more than": a difference and no cell
    for column in () if compared else columns:
        if options or not _is_of_all(scene, numeral, column):
            yield from _cells(column, options or (scene.facts.every_row,))
        for value in (*_sums(scene, column, options), *_middles(scene, column, options), *_extremes(scene, column)):
            yield from from_cell(value, column)
    yield from _keys(scene, numeral)
    different = scene.says(_DIFFERENCE) or (numeral.signed and scene.says(_VERSUS))
    if different and not _PARTITIVE.match(scene.between(numeral.end, scene.end)):
        yield from _differences(scene, columns, numeral)
    if scene.says(_SUM):
        yield from _across(columns if len(columns) > 1 else scene.facts.measures, options)
    if scene.says(_RATIO) and not numeral.readings[0].unit:
        yield from (replace(c, kind="plain", value=c.value / 100) for c in _ratios(scene, options))


def _is_of_all(scene: Scene, numeral: Numeral, column: Column) -> bool:
    """Whether a number that is said of no row must be of all rows: "17 in total", "the median fare is 17"."""
    if scene.facts.held < 2:
        return False
    earlier = max((n.end for n in scene.numerals if n.end <= numeral.start), default=scene.start)
    said = _AGGREGATE.search(scene.between(earlier, numeral.start))
    if scene.says(_WHOLE) and not scene.says(_ENDS):
        return True
    if said is not None:
        return not next(alike for alike in _AGGREGATES if said[1].lower() in alike) & set(column.words)
    return _in_range(scene, numeral)


def _in_range(scene: Scene, numeral: Numeral) -> bool:
    """Whether a number is an end of a range: "ranging from 5 to 9"."""
    if _RANGES.search(scene.between(scene.start, numeral.start)):
        return True
    other = max((n for n in scene.numerals if n.end <= numeral.start), key=lambda n: n.end, default=None)
    joined = other and re.fullmatch(r"\s*(?:to|and|[–-])\s*[$€£]?", scene.between(other.end, numeral.start))
    return bool(other and joined and _RANGES.search(scene.between(scene.start, other.start)))


def shares(scene: Scene, numeral: Numeral) -> Iterator[Candidate]:
    """Percentages: of a total, of another value, of a base that changed, of a count."""
    columns = _in_brackets(scene, numeral) or columns_for(scene, numeral)
    options = scene.rows_of(numeral)
    if all(reading.kind != "percent" for reading in numeral.readings):
        yield from _share_differences(scene, columns)
        return
    change = _CHANGE.search(scene.between(scene.start, numeral.start)) is not None
    for column in () if change else columns:
        total = scene.facts.of_all(column).sum
        for part in _parts(scene, column, options) if total and not column.is_percent else ():
            yield Candidate(100 * part / total, "percent", None) if total else Candidate(part)
    yield from _counted(scene) if not change else ()
    for pair in pairs(scene, columns, numeral):
        if pair.base and scene.says(_DIFFERENCE):
            yield Candidate(100 * (pair.new - pair.base) / abs(pair.base), "percent", None, "difference")
        if pair.new and not pair.ordered and scene.says(_DIFFERENCE):
            yield Candidate(100 * (pair.base - pair.new) / abs(pair.new), "percent", None, "difference")
        if pair.base and scene.says(_OF) and not change:
            yield Candidate(100 * pair.new / pair.base, "percent")
    if scene.says(_OF) and not change:
        yield from _ratios(scene, options)
        yield from _of_a_row(scene, options) if not _of_a_column(scene, numeral) else ()


def _in_brackets(scene: Scene, numeral: Numeral) -> tuple[Column, ...]:
    """The columns of the number that a percentage in brackets goes with: "1,078 (47 %)"."""
    at = next((n for n in scene.numerals if scene.between(n.end, numeral.start).strip() == "("), None)
    rows = scene.rows_of(at) if at else ()
    values = [(c, value) for c in scene.facts.measures for some in rows if (value := value_of(c, some)) is not None]
    return tuple(dict.fromkeys(c for c, value in values if at and any(fits(at, said) for said in from_cell(value, c))))


def multiples(scene: Scene, numeral: Numeral) -> Iterator[Candidate]:
    """How many times one value another one is."""
    for pair in pairs(scene, columns_for(scene, numeral), numeral):
        if pair.base:
            yield Candidate(pair.new / pair.base, "times")
        if pair.new and (not pair.ordered or scene.direction(numeral) < 0):
            yield Candidate(pair.base / pair.new, "times")


def columns_for(scene: Scene, numeral: Numeral) -> tuple[Column, ...]:
    """The columns of numbers that a number may be of: those that are named, else all."""
    after = scene.columns_after(numeral)
    if after and not set(after) & set(scene.facts.measures) and not scene.directly_of_a_row(numeral):
        return ()
    named = tuple(c for c in scene.columns_of(numeral) if c in scene.facts.measures)
    before = tuple(c for c in scene.columns_before(numeral) if c in scene.facts.measures)
    if not (named or before):
        return scene.facts.measures
    if unit := numeral.readings[0].unit:
        measured = tuple(c for c in scene.facts.measures if c.unit and same_family(c.unit, unit))
        named, before = (tuple(c for c in some if c in measured) or measured or some for some in (named, before))
    if all(scene.barely_names(numeral, column) for column in named or before):
        return tuple(dict.fromkeys((*named, *before, *scene.unnamed)))
    strict = scene.says_column_directly(numeral) or _THAN.match(scene.between(numeral.end, scene.end))
    return named or before if strict else tuple(dict.fromkeys((*(named or before), *scene.unnamed)))


def _cells(column: Column, options: tuple[frozenset[int], ...]) -> Iterator[Candidate]:
    for rows in options:
        for row in sorted(rows):
            if (number := column.numbers[row]) is not None:
                yield from from_cell(number, column)


def _keys(scene: Scene, numeral: Numeral) -> Iterator[Candidate]:
    """Numbers that name rows, where their column is named, too."""
    clock = _CLOCK.search(scene.between(scene.start, numeral.start))
    for column in scene.facts.columns:
        named = column in scene.columns_of(numeral) or (clock and column.is_date)
        if column.known and column not in scene.facts.measures and named:
            yield from (Candidate(number, "plain", column) for number in column.known)


def _sums(scene: Scene, column: Column, options: tuple[frozenset[int], ...]) -> Iterator[Decimal]:
    facts = scene.facts
    yield from (value for rows in options if len(rows) > 1 and (value := value_of(column, rows)) is not None)
    total = facts.of_all(column).sum
    if total is None or not (scene.says(_SUM) or scene.says(_REST) or not scene.mentions):
        return
    yield total
    of_names = subjects(scene)
    named = [rows for _, rows in of_names]
    for size in range(2, len(named) + 1):
        for group in combinations(of_names[:6], size):
            some = [rows for _, rows in group]
            joined = scene.says(_TOGETHER) or scene.are_joined([mention for mention, _ in group])
            if joined and (value := value_of(column, frozenset.union(*some))) is not None:
                yield value
    if named and scene.says(_REST) and (value := value_of(column, frozenset.union(*named))) is not None:
        yield total - value
    yield from _first_few(scene, column)


def _first_few(scene: Scene, column: Column) -> Iterator[Decimal]:
    """What the first, the last, the highest or the lowest few rows have together, where their number is said."""
    ends = {word.lower() for word in _FIRST_FEW.findall(scene.tone)}
    by = {c.place: c for c in (column, *(c for c in scene.facts.measures if scene.names_column(c)))} if ends else {}
    rows = [row for row, number in enumerate(column.numbers) if number is not None]
    orders = [sorted(rows, key=lambda row: c.numbers[row] or 0) for c in by.values()]  # noqa: B023
    for few in {int(n.readings[0].value) for n in scene.numerals if 1 < n.readings[0].value < len(rows)}:
        chosen = [rows[:few]] if ends & _IN_FRONT else []
        chosen += [rows[-few:]] if ends & _AT_THE_END else []
        chosen += [order[-few:] for order in orders] if ends & _HIGH else []
        chosen += [order[:few] for order in orders] if ends & _LOW else []
        yield from (sum((column.numbers[row] or Decimal() for row in some), Decimal()) for some in chosen)


def _middles(scene: Scene, column: Column, options: tuple[frozenset[int], ...]) -> Iterator[Decimal]:
    facts = scene.facts
    groups = [[n for row in rows if (n := column.numbers[row]) is not None] for rows in options]
    named = [rows for _, rows in subjects(scene)]
    groups += [[n for row in frozenset.union(*named) if (n := column.numbers[row]) is not None]] if named else []
    if scene.says(_MEAN):
        yield from (mean for mean in [facts.of_all(column).mean] if mean is not None)
        yield from (sum(group, Decimal()) / len(group) for group in groups if len(group) > 1)
    if scene.says(_MEDIAN):
        yield from (middle for middle in [facts.of_all(column).median] if middle is not None)
        yield from (Decimal(median(group)) for group in groups if len(group) > 1)


def _extremes(scene: Scene, column: Column) -> Iterator[Decimal]:
    if scene.says(_ENDS) and len(scene.mentions) == 0:
        totals = scene.facts.of_all(column)
        yield from (end for end in (totals.smallest, totals.largest) if end is not None)


def _differences(scene: Scene, columns: tuple[Column, ...], numeral: Numeral) -> Iterator[Candidate]:
    for pair in pairs(scene, columns, numeral):
        for value in (pair.new - pair.base, *(() if pair.ordered else (pair.base - pair.new,))):
            for candidate in from_cell(value, pair.column):
                yield replace(candidate, sign="difference")


def _across(columns: tuple[Column, ...], options: tuple[frozenset[int], ...]) -> Iterator[Candidate]:
    """What a row has in several columns together."""
    for rows in options:
        values = [value for column in columns if (value := value_of(column, rows)) is not None]
        if len(values) > 1:
            yield Candidate(sum(values, Decimal()))


def _parts(scene: Scene, column: Column, options: tuple[frozenset[int], ...]) -> Iterator[Decimal]:
    """What may be a share of a column's total."""
    named = [rows for _, rows in subjects(scene)]
    few = list(_first_few(scene, column))
    yield from few
    for rows in options or [frozenset({row}) for row in scene.facts.every_row if not few]:
        if (value := value_of(column, rows)) is not None:
            yield value
    if len(named) > 1 and scene.says(_SUM) and (value := value_of(column, frozenset.union(*named))) is not None:
        yield value
    total = scene.facts.of_all(column).sum
    if named and total and scene.says(_REST) and (value := value_of(column, frozenset.union(*named))) is not None:
        yield total - value


def _counted(scene: Scene) -> Iterator[Candidate]:
    """Shares of counts: of rows with a name, and of the counts that the sentence gives."""
    told = (n for n in scene.numerals if n.readings[0].kind == "plain")
    if scene.facts.row_count and all(n.readings[0].value <= scene.facts.row_count for n in told):
        yield from (
            Candidate(Decimal(100 * len(rows)) / scene.facts.row_count, "percent")
            for rows in {m.rows for m in scene.mentions}
            if any(len(m.rows) > 1 for m in scene.mentions)
        )
    whole = [n.readings[0].value for n in scene.numerals if _is_count(n)]
    yield from (Candidate(100 * a / b, "percent") for a in whole for b in whole if 0 < a < b)
    yield from (Candidate(100 * a / scene.facts.row_count, "percent") for a in whole if 0 < a <= scene.facts.row_count)


def _is_count(numeral: Numeral) -> bool:
    reading = numeral.readings[0]
    return reading.kind == "plain" and reading.step == 1 and not numeral.currency and not reading.unit


def _of_a_column(scene: Scene, numeral: Numeral) -> bool:
    """Whether a percentage is said to be of one column: "5 % of revenue"."""
    after = scene.between(numeral.end, scene.end)
    return after.lstrip().startswith("of") and bool(set(scene.columns_after(numeral)) & set(scene.facts.measures))


def _of_a_row(scene: Scene, options: tuple[frozenset[int], ...]) -> Iterator[Candidate]:
    """One column as a percentage of what a row has in all of them."""
    for rows in options:
        values = [value for column in scene.facts.measures if (value := value_of(column, rows)) is not None]
        if len(values) > 1 and (whole := sum(values, Decimal())):
            yield from (Candidate(100 * value / whole, "percent") for value in values)


def _ratios(scene: Scene, options: tuple[frozenset[int], ...]) -> Iterator[Candidate]:
    """One column as a percentage of another that the sentence names, in the same row or of both totals."""
    measures = [c for c in scene.facts.measures if not c.is_percent][:MOST_COMPARED]
    named = [c for c in measures if scene.names_column(c)]
    loose = scene.says(_RATE) and (bool(named) or (len(measures) <= FEW and scene.says(_NAMED_RATIO)))
    for rows in options or ([scene.facts.every_row] if scene.facts.held else []):
        for one, two in permutations(measures, 2):
            top, bottom = value_of(one, rows), value_of(two, rows)
            if top is None or not bottom or not (loose or (one in named and two in named)):
                continue
            yield Candidate(100 * top / bottom, "percent")
            if top + bottom and two not in named and scene.says(_WON):
                yield Candidate(100 * top / (top + bottom), "percent")


def _share_differences(scene: Scene, columns: tuple[Column, ...]) -> Iterator[Candidate]:
    """How far apart two shares of a total are."""
    named = [rows for _, rows in subjects(scene)]
    for column in columns:
        total = scene.facts.of_all(column).sum if _POINTS.search(scene.text) and not column.is_percent else None
        for rows, others in combinations(named, 2) if total else ():
            one, two = value_of(column, rows), value_of(column, others)
            if one is not None and two is not None and total:
                yield Candidate(100 * (one - two) / total, "points", None, "difference")
