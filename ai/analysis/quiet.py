"""A figure that hardly moved: the missing load it hides, or two parts that cancel out."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from ai.analysis.case import Case
from ai.analysis.checks import DataGap, gaps, newcomers
from ai.analysis.finding import Finding, PartRow, named
from ai.analysis.history import History
from ai.analysis.study import ROWS, VALUE, Days, Key, Parts, over

ZERO = Fraction(0)
HIDING, MOSTLY = Fraction(1, 100), Fraction(1, 2)  # of the whole and of the change, for a loss worth telling
REPLACED = Fraction(1, 2)  # of a loss, in rows of new values
LEFT = 2  # times what is left of two parts that cancel out
STRONG = Fraction(1, 20)  # of the whole, for each of two parts that cancel out


def quiet(case: Case) -> Finding:
    """Return "no change" with what it hides, or a gap at least half as large as the change."""
    nothing = Finding("no change", case.before, case.now)
    known = sorted(_gaps(case), key=lambda each: -abs(each[1].loss))
    for dimension, missing in known:
        if _hides(case, missing):
            return replace(nothing, cause="data gap", gap=missing, gap_in=dimension, is_hidden=True)
    nothing = replace(nothing, crossed=crossed(case))
    own = [each for each in known if each[1].days[0] >= case.study.now.start]
    return replace(nothing, gap=own[0][1], gap_in=own[0][0]) if own else nothing


def _gaps(case: Case) -> Iterator[tuple[str, DataGap]]:
    """Yield silent values by dimension, apart from days on which all are silent."""
    for dimension in case.loaded:
        segments = case.segments(dimension)
        for days in (case.study.now, case.study.before):
            for missing in gaps(segments, days, case.first_day):
                is_own = any(day in case.history.daily for day in missing.days)
                if is_own and not _is_replaced(case, dimension, missing, days):
                    loss = missing.loss / days.length if case.study.is_mean else missing.loss
                    yield dimension, replace(missing, loss=loss)


def _is_replaced(case: Case, dimension: str, missing: DataGap, days: Days) -> bool:
    """Whether new values came in the place of a silent one."""
    segments = case.segments(dimension)
    new = newcomers(segments, Days(missing.days[0], days.end), case.study.since)
    rows = sum((over(segments[key], days)[ROWS] for key in new), ZERO)
    own = segments[missing.value].values()
    usual = sum((parts[ROWS] for parts in own), ZERO) / max(len(own), 1)
    return rows >= REPLACED * usual * len(missing.days)


def _hides(case: Case, missing: DataGap) -> bool:
    least = max(HIDING * case.before, MOSTLY * abs(case.change))
    return not case.study.is_ratio and abs(missing.loss) >= least


def crossed(case: Case) -> tuple[str, PartRow, PartRow] | None:
    """Return a dimension with the values that rose and fell most, each unusually and more than the whole."""
    found = [] if case.study.is_ratio else [each for name in case.study.dimensions if (each := _pair(case, name))]
    return max(found, key=lambda each: min(each[1].effect, -each[2].effect), default=None)


def _pair(case: Case, dimension: str) -> tuple[str, PartRow, PartRow] | None:
    before, now = case.sides(dimension)
    moved = [row for key in {**before, **now} if (row := _moved(case, dimension, key, before, now))]
    up, down = (max(moved, key=lambda row: sign * row.effect, default=None) for sign in (1, -1))
    if not (up and down and up.effect > 0 > down.effect):
        return None
    return (dimension, up, down) if min(up.effect, -down.effect) >= LEFT * abs(case.change) else None


def _moved(case: Case, dimension: str, key: Key, before: dict[Key, Parts], now: dict[Key, Parts]) -> PartRow | None:
    """Return the figures of a value with a strong and unusual change."""
    old, new = (side[key][VALUE] if key in side else ZERO for side in (before, now))
    own = History(case.segments(dimension)[key], is_ratio=False, is_mean=case.study.is_mean)
    is_strong = abs(new - old) >= STRONG * abs(case.before)
    return (
        PartRow(named(key), old, new, new - old)
        if is_strong and own.is_unusual(case.study.before, case.study.now)
        else None
    )
