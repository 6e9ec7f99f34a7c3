"""One column against another in the same rows: conversion, margin, per order, how many times as many."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import permutations

from ai.answers.belonging import columns_for
from ai.answers.cues import NAMED_RATIO, RATE, WON
from ai.answers.fitting import Candidate
from ai.answers.numerals import Numeral
from ai.answers.pairs import pairs, value_of
from ai.answers.scene import Scene

MOST_COMPARED = 8  # columns
FEW = 3  # columns, among which a ratio needs no name of its own columns


def ratios(scene: Scene, options: tuple[frozenset[int], ...]) -> Iterator[Candidate]:
    """One column as a percentage of another that the sentence names, in the same row or of both totals."""
    measures = [c for c in scene.facts.measures if not c.is_percent][:MOST_COMPARED]
    named = [c for c in measures if scene.names_column(c)]
    loose = scene.says(RATE) and (bool(named) or (len(measures) <= FEW and scene.says(NAMED_RATIO)))
    for rows in options or ([scene.facts.every_row] if scene.facts.held else []):
        for one, two in permutations(measures, 2):
            top, bottom = value_of(one, rows), value_of(two, rows)
            if top is None or not bottom or not (loose or (one in named and two in named)):
                continue
            yield Candidate(100 * top / bottom, "percent")
            if top + bottom and two not in named and scene.says(WON):
                yield Candidate(100 * top / (top + bottom), "percent")


def of_a_row(scene: Scene, options: tuple[frozenset[int], ...]) -> Iterator[Candidate]:
    """One column as a percentage of what a row has in all of them."""
    for rows in options:
        values = [value for column in scene.facts.measures if (value := value_of(column, rows)) is not None]
        if len(values) > 1 and (whole := sum(values, Decimal())):
            yield from (Candidate(100 * value / whole, "percent") for value in values)


def multiples(scene: Scene, numeral: Numeral) -> Iterator[Candidate]:
    """How many times one value another one is."""
    for pair in pairs(scene, columns_for(scene, numeral), numeral):
        if pair.base:
            yield Candidate(pair.new / pair.base, "times")
        if pair.new and (not pair.ordered or scene.direction(numeral) < 0):
            yield Candidate(pair.base / pair.new, "times")
