"""Which columns a number of a sentence may be of, and whether it must be of all rows together."""

import re

from ai.answers.cues import AGGREGATE, AGGREGATES, ENDS, OVERALL, RANGES, THAN
from ai.answers.facts import Column
from ai.answers.fitting import fits, from_cell
from ai.answers.numerals import Numeral
from ai.answers.pairs import value_of
from ai.answers.scene import Scene
from ai.answers.units import same_family


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
    strict = scene.says_column_directly(numeral) or THAN.match(scene.between(numeral.end, scene.end))
    return named or before if strict else tuple(dict.fromkeys((*(named or before), *scene.unnamed)))


def in_brackets(scene: Scene, numeral: Numeral) -> tuple[Column, ...]:
    """The columns of the number that a percentage in brackets goes with: "1,078 (47 %)"."""
    at = next((n for n in scene.numerals if scene.between(n.end, numeral.start).strip() == "("), None)
    rows = scene.rows_of(at) if at else ()
    values = [(c, value) for c in scene.facts.measures for some in rows if (value := value_of(c, some)) is not None]
    return tuple(dict.fromkeys(c for c, value in values if at and any(fits(at, said) for said in from_cell(value, c))))


def is_of_all(scene: Scene, numeral: Numeral, column: Column) -> bool:
    """Whether a number that is said of no row must be of all rows: "17 in total", "the median fare is 17"."""
    if scene.facts.held < 2:
        return False
    earlier = max((n.end for n in scene.numerals if n.end <= numeral.start), default=scene.start)
    said = AGGREGATE.search(scene.between(earlier, numeral.start))
    if scene.says(OVERALL) and not scene.says(ENDS):
        return True
    if said is not None:
        return not next(alike for alike in AGGREGATES if said[1].lower() in alike) & set(column.words)
    return _in_range(scene, numeral)


def _in_range(scene: Scene, numeral: Numeral) -> bool:
    """Whether a number is an end of a range: "ranging from 5 to 9"."""
    if RANGES.search(scene.between(scene.start, numeral.start)):
        return True
    other = max((n for n in scene.numerals if n.end <= numeral.start), key=lambda n: n.end, default=None)
    joined = other and re.fullmatch(r"\s*(?:to|and|[–-])\s*[$€£]?", scene.between(other.end, numeral.start))
    return bool(other and joined and RANGES.search(scene.between(scene.start, other.start)))
