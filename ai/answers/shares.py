"""Percentages that a sentence may mean: of a total, of another value, of a base that changed, of a count."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations

from ai.answers.arithmetic import first_few
from ai.answers.belonging import columns_for, in_brackets
from ai.answers.cues import CHANGE, DIFFERENCE, OF, POINTS, REST, SUM
from ai.answers.facts import Column
from ai.answers.fitting import Candidate
from ai.answers.numerals import Numeral
from ai.answers.pairs import pairs, subjects, value_of
from ai.answers.ratios import of_a_row, ratios
from ai.answers.scene import Scene


def shares(scene: Scene, numeral: Numeral) -> Iterator[Candidate]:
    """Percentages: of a total, of another value, of a base that changed, of a count."""
    columns = in_brackets(scene, numeral) or columns_for(scene, numeral)
    options = scene.rows_of(numeral)
    if all(reading.kind != "percent" for reading in numeral.readings):
        yield from _share_differences(scene, columns)
        return
    change = CHANGE.search(scene.between(scene.start, numeral.start)) is not None
    for column in () if change else columns:
        total = scene.facts.of_all(column).sum
        for part in _parts(scene, column, options) if total and not column.is_percent else ():
            yield Candidate(100 * part / total, "percent", None) if total else Candidate(part)
    yield from _counted(scene) if not change else ()
    for pair in pairs(scene, columns, numeral):
        if pair.base and scene.says(DIFFERENCE):
            yield Candidate(100 * (pair.new - pair.base) / abs(pair.base), "percent", None, "difference")
        if pair.new and not pair.ordered and scene.says(DIFFERENCE):
            yield Candidate(100 * (pair.base - pair.new) / abs(pair.new), "percent", None, "difference")
        if pair.base and scene.says(OF) and not change:
            yield Candidate(100 * pair.new / pair.base, "percent")
    if scene.says(OF) and not change:
        yield from ratios(scene, options)
        yield from of_a_row(scene, options) if not _of_a_column(scene, numeral) else ()


def _parts(scene: Scene, column: Column, options: tuple[frozenset[int], ...]) -> Iterator[Decimal]:
    """What may be a share of a column's total."""
    named = [rows for _, rows in subjects(scene)]
    few = list(first_few(scene, column))
    yield from few
    for rows in options or [frozenset({row}) for row in scene.facts.every_row if not few]:
        if (value := value_of(column, rows)) is not None:
            yield value
    if len(named) > 1 and scene.says(SUM) and (value := value_of(column, frozenset.union(*named))) is not None:
        yield value
    total = scene.facts.of_all(column).sum
    if named and total and scene.says(REST) and (value := value_of(column, frozenset.union(*named))) is not None:
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


def _share_differences(scene: Scene, columns: tuple[Column, ...]) -> Iterator[Candidate]:
    """How far apart two shares of a total are."""
    named = [rows for _, rows in subjects(scene)]
    for column in columns:
        total = scene.facts.of_all(column).sum if POINTS.search(scene.text) and not column.is_percent else None
        for rows, others in combinations(named, 2) if total else ():
            one, two = value_of(column, rows), value_of(column, others)
            if one is not None and two is not None and total:
                yield Candidate(100 * (one - two) / total, "points", None, "difference")
