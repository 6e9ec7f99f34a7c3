"""Why a distinct count moved: who came and who went. Its parts by other columns do not add up."""

from collections.abc import Sequence
from fractions import Fraction

from ai.analysis.checks import DataGap, gap
from ai.analysis.finding import Breakdown, Driver, Finding, PartRow, named
from ai.analysis.study import ROWS, VALUE, Cell, Study, over

FEW = 3  # names worth telling
ZERO = Fraction(0)


def why_members(study: Study, dimension: str) -> Finding | None:
    """Set those of one period only beside those of both; None where there are too many to compare."""
    daily = study.daily()
    cells = [cell for cell in study.cells((dimension,)) if cell.values[0] is not None]
    came = [cell for cell in cells if cell.now[VALUE] and not cell.before[VALUE]]
    went = [cell for cell in cells if cell.before[VALUE] and not cell.now[VALUE]]
    stayed = Fraction(sum(bool(cell.now[VALUE] and cell.before[VALUE]) for cell in cells))
    before, now = stayed + len(went), stayed + len(came)
    for days in (study.now, study.before):
        if not over(daily, days)[ROWS]:
            empty = DataGap(None, days.days, ZERO)
            return Finding("data gap", before, now, gap=empty, newest=max(daily, default=None))
    if not cells:
        return None
    rows = (
        PartRow("came", ZERO, Fraction(len(came)), Fraction(len(came))),
        PartRow("went", Fraction(len(went)), ZERO, -Fraction(len(went))),
        PartRow("in both", stayed, stayed, ZERO),
    )
    missing = gap(None, daily, study.now, min(daily))
    drivers = (*_drivers(dimension, "came", came, now - before), *_drivers(dimension, "went", went, before - now))
    return Finding("members", before, now, drivers, breakdown=Breakdown("members", rows), gap=missing)


def _drivers(dimension: str, word: str, cells: Sequence[Cell], change: Fraction) -> tuple[Driver, ...]:
    """Return a driver for each of a few, else one for all."""
    if not change or not cells:
        return ()
    if len(cells) > FEW:
        return (Driver(dimension, word, len(cells) / change),)
    return tuple(Driver(dimension, named(cell.values[0]), 1 / change) for cell in cells)
