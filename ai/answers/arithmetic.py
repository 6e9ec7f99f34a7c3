"""The values that a figure of a sentence may say: cells of its rows and columns, and what the sentence's own words derive.

Arithmetic is done only where a word asks for it ("together", "on average", "more than", "% of"), and on what the sentence
names: the fewer values a figure may be, the fewer wrong ones pass by chance.
"""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import combinations
from statistics import median

from ai.answers.belonging import columns_for, is_of_all
from ai.answers.cues import (
    AT_THE_END,
    CLOCK,
    DIFFERENCE,
    ENDS,
    FIRST_FEW,
    HIGHEST,
    IN_FRONT,
    LOWEST,
    MEAN,
    MEDIAN,
    PARTITIVE,
    RATIO,
    REACHED,
    REST,
    SUM,
    THAN,
    TOGETHER,
    VERSUS,
)
from ai.answers.facts import Column
from ai.answers.fitting import Candidate, from_cell
from ai.answers.numerals import Numeral
from ai.answers.pairs import pairs, subjects, value_of
from ai.answers.ratios import ratios
from ai.answers.scene import Scene


def amounts(scene: Scene, numeral: Numeral) -> Iterator[Candidate]:
    """The cells that a number may be, and sums, means, medians, ends and differences of cells."""
    columns = columns_for(scene, numeral)
    options = scene.rows_of(numeral)
    compared = THAN.match(scene.between(numeral.end, scene.end))  # "9 more than": a difference and no cell
    for column in () if compared else columns:
        if options or not is_of_all(scene, numeral, column):
            yield from _cells(column, options or (scene.facts.every_row,))
        for value in (*_sums(scene, column, options), *_middles(scene, column, options), *_extremes(scene, column)):
            yield from from_cell(value, column)
    yield from _keys(scene, numeral)
    different = scene.says(DIFFERENCE) or (numeral.signed and scene.says(VERSUS))
    reached = REACHED.search(scene.between(scene.start, numeral.start))
    if different and not reached and not PARTITIVE.match(scene.between(numeral.end, scene.end)):
        yield from _differences(scene, columns, numeral)
    if scene.says(SUM):
        yield from _across(columns if len(columns) > 1 else scene.facts.measures, options)
    if scene.says(RATIO) and not numeral.readings[0].unit:
        yield from (replace(c, kind="plain", value=c.value / 100) for c in ratios(scene, options))


def _cells(column: Column, options: tuple[frozenset[int], ...]) -> Iterator[Candidate]:
    for rows in options:
        for row in sorted(rows):
            if (number := column.numbers[row]) is not None:
                yield from from_cell(number, column)


def _keys(scene: Scene, numeral: Numeral) -> Iterator[Candidate]:
    """Numbers that name rows, where their column is named, too."""
    clock = CLOCK.search(scene.between(scene.start, numeral.start))
    for column in scene.facts.columns:
        named = column in scene.columns_of(numeral) or (clock and column.is_date)
        if column.known and column not in scene.facts.measures and named:
            yield from (Candidate(number, "plain", column) for number in column.known)


def _sums(scene: Scene, column: Column, options: tuple[frozenset[int], ...]) -> Iterator[Decimal]:
    facts = scene.facts
    yield from (value for rows in options if len(rows) > 1 and (value := value_of(column, rows)) is not None)
    total = facts.of_all(column).sum
    if total is None or not (scene.says(SUM) or scene.says(REST) or not scene.mentions):
        return
    yield total
    of_names = subjects(scene)
    named = [rows for _, rows in of_names]
    for size in range(2, len(named) + 1):
        for group in combinations(of_names[:6], size):
            some = [rows for _, rows in group]
            joined = scene.says(TOGETHER) or scene.are_joined([mention for mention, _ in group])
            if joined and (value := value_of(column, frozenset.union(*some))) is not None:
                yield value
    if named and scene.says(REST) and (value := value_of(column, frozenset.union(*named))) is not None:
        yield total - value
    yield from first_few(scene, column)


def first_few(scene: Scene, column: Column) -> Iterator[Decimal]:
    """What the first, the last, the highest or the lowest few rows have together, where their number is said."""
    ends = {word.lower() for word in FIRST_FEW.findall(scene.tone)}
    by = {c.place: c for c in (column, *(c for c in scene.facts.measures if scene.names_column(c)))} if ends else {}
    rows = [row for row, number in enumerate(column.numbers) if number is not None]
    orders = [sorted(rows, key=lambda row: c.numbers[row] or 0) for c in by.values()]
    for few in {int(n.readings[0].value) for n in scene.numerals if 1 < n.readings[0].value < len(rows)}:
        chosen = [rows[:few]] if ends & IN_FRONT else []
        chosen += [rows[-few:]] if ends & AT_THE_END else []
        chosen += [order[-few:] for order in orders] if ends & HIGHEST else []
        chosen += [order[:few] for order in orders] if ends & LOWEST else []
        yield from (sum((column.numbers[row] or Decimal() for row in some), Decimal()) for some in chosen)


def _middles(scene: Scene, column: Column, options: tuple[frozenset[int], ...]) -> Iterator[Decimal]:
    facts = scene.facts
    groups = [[n for row in rows if (n := column.numbers[row]) is not None] for rows in options]
    named = [rows for _, rows in subjects(scene)]
    groups += [[n for row in frozenset.union(*named) if (n := column.numbers[row]) is not None]] if named else []
    if scene.says(MEAN):
        yield from (mean for mean in [facts.of_all(column).mean] if mean is not None)
        yield from (sum(group, Decimal()) / len(group) for group in groups if len(group) > 1)
    if scene.says(MEDIAN):
        yield from (middle for middle in [facts.of_all(column).median] if middle is not None)
        yield from (Decimal(median(group)) for group in groups if len(group) > 1)


def _extremes(scene: Scene, column: Column) -> Iterator[Decimal]:
    if scene.says(ENDS) and len(scene.mentions) == 0:
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
