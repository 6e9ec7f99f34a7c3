"""The search for drivers in a table of combinations: the values that moved, all others moving alike.

A hypothesis names one value, a combination of two, or up to three side by side. It predicts each cell from the figure
before, by one factor for each region it cuts out (the ripple effect of HotSpot, Sun et al. 2018, and Squeeze, Li et
al., ISSRE 2019). Misfit is squared error over the prediction; the step before tells how large it is by chance. A larger
hypothesis must win by more than that, and take half of the rest.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from ai.analysis.study import ROWS, VALUE, Cell, Key

MOST_SINGLES, WIDEST = 14, 3  # values tried in combinations; values side by side
CHANCE = 12.0  # misfit, in units of the noise, that the best of a hundred hypotheses takes by chance
BETTER = 0.5  # of the misfit above noise a larger hypothesis may leave
APART = 0.15  # of the change, beyond its weight, that the values must have
SIMPLER = 1.3  # a combination of two may leave so much more than two side by side: it has half their regions
STEADIEST = 1e-5  # variance of a cell around its prediction, as a part of the prediction squared
PAD = 0.005  # of the mean cell, added to predictions near 0
SPARSE = 5  # rows of the mean cell in a period, below which one row is added


@dataclass(frozen=True, slots=True)
class Value:
    """One value of the dimension at this place."""

    place: int
    key: Key


Conjunction = tuple[Value, ...]  # all of them hold


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Conjunctions that moved, each by its own factor; `left` is the misfit."""

    moved: tuple[Conjunction, ...]
    left: float
    regions: int


def search(cells: Sequence[Cell]) -> tuple[Conjunction, ...]:
    """Return the smallest set of values that explains the cells, () where all moved alike."""
    return _Table(cells).found()


@dataclass(frozen=True)
class _Table:
    cells: Sequence[Cell]

    @cached_property
    def old(self) -> list[float]:
        return [float(cell.before[VALUE]) for cell in self.cells]

    @cached_property
    def new(self) -> list[float]:
        return [float(cell.now[VALUE]) for cell in self.cells]

    @cached_property
    def noise(self) -> float:
        """The misfit of one cell in the step before."""
        earlier = [float(cell.previous[VALUE]) for cell in self.cells]
        freedom = max(sum(map(bool, self.old)) - 1, 1)
        least = STEADIEST * sum(self.old) / max(len(self.old), 1)
        return max(self._misfit([0] * len(earlier), earlier, self.old) / freedom if any(earlier) else 0.0, least)

    @cached_property
    def pad(self) -> float:
        """The amount added to each prediction: where cells are sparse, one without rows before is no wonder."""
        value, count = sum(self.old) + sum(self.new), max(len(self.cells), 1)
        rows = float(sum(cell.before[ROWS] + cell.now[ROWS] for cell in self.cells))
        one_row = value / rows if 0 < rows < 2 * SPARSE * count else 0.0
        return max(PAD * value / count, one_row) or 1.0

    @cached_property
    def members(self) -> dict[Value, frozenset[int]]:
        found = defaultdict[Value, set[int]](set)
        for number, cell in enumerate(self.cells):
            for place, key in enumerate(cell.values):
                found[Value(place, key)].add(number)
        return {value: frozenset(places) for value, places in found.items() if len(places) < len(self.cells)}

    def found(self) -> tuple[Conjunction, ...]:
        alike = Hypothesis((), self._misfit([0] * len(self.old), self.old, self.new), 1)
        singles = sorted((self._tried(((value,),)) for value in self.members), key=lambda each: each.left)
        values = [hypothesis.moved[0][0] for hypothesis in singles[:MOST_SINGLES]]
        pairs = [pair for pair in combinations(values, 2) if pair[0].place != pair[1].place]
        crossed = min((self._tried((pair,)) for pair in pairs), key=lambda each: each.left, default=None)
        best = self._better(alike, [*singles[:1], *filter(None, [crossed])])
        if best is alike or not self._is_apart(best):
            best = self._better(alike, list(filter(None, [self._wider(alike, values)])))
            return best.moved if best is not alike and self._is_apart(best) else ()
        for _ in range(len(best.moved), WIDEST):
            wider = self._wider(best, values)
            if wider is None or self._better(best, [wider]) is best:
                break
            if len(wider.moved) == 2 and crossed and crossed.left <= SIMPLER * wider.left + CHANCE * self.noise:
                wider = crossed
            best = wider
            if best is crossed:
                break
        return best.moved

    def _better(self, best: Hypothesis, rivals: Sequence[Hypothesis]) -> Hypothesis:
        """Return the rival that explains more than chance, with the least left for its size; else `best`."""
        found = best
        for rival in rivals:
            chance = CHANCE * self.noise * max(rival.regions - best.regions, 1)
            is_more = best.left - rival.left > chance and self._excess(rival) <= BETTER * self._excess(best)
            smaller = found is best or rival.left + CHANCE * self.noise < found.left
            if is_more and smaller and (found is best or self._excess(rival) <= BETTER * self._excess(found)):
                found = rival
        if found is best:
            gains = [
                r for r in rivals if best.left - r.left > 2 * CHANCE * self.noise * max(r.regions - best.regions, 1)
            ]
            found = min(gains, key=lambda each: each.left, default=best) if not best.moved else best
        return found

    def _excess(self, hypothesis: Hypothesis) -> float:
        return max(hypothesis.left - self.noise * (len(self.cells) - hypothesis.regions), 0.0)

    def _is_apart(self, hypothesis: Hypothesis) -> bool:
        """Whether the values have much more of the change than their weight."""
        before, now = sum(self.old), sum(self.new)
        apart = 0.0
        for conjunction in hypothesis.moved:
            inside = self._inside(conjunction)
            change = sum(self.new[place] - self.old[place] for place in inside)
            weight = sum(self.old[place] for place in inside) / before if before else 0.0
            apart = max(apart, abs(change - (now - before) * weight))
        return apart >= APART * abs(now - before)

    def _wider(self, best: Hypothesis, values: Iterable[Value]) -> Hypothesis | None:
        if len(best.moved) < 2:
            sets: list[tuple[Conjunction, ...]] = [((one,), (other,)) for one, other in combinations(values, 2)]
        else:
            sets = [(*best.moved, (value,)) for value in values if (value,) not in best.moved]
        return min(map(self._tried, sets), key=lambda each: each.left, default=None)

    def _inside(self, conjunction: Conjunction) -> frozenset[int]:
        return frozenset.intersection(*(self.members[value] for value in conjunction))

    def _tried(self, moved: tuple[Conjunction, ...]) -> Hypothesis:
        regions = [0] * len(self.old)
        for bit, conjunction in enumerate(moved):
            for place in self._inside(conjunction):
                regions[place] |= 1 << bit
        return Hypothesis(moved, self._misfit(regions, self.old, self.new), len(set(regions)))

    def _misfit(self, regions: list[int], old: list[float], new: list[float]) -> float:
        return misfit(regions, old, new, self.pad)


def misfit(regions: list[int], old: list[float], new: list[float], pad: float) -> float:
    """Return the squared errors of one factor for each region, over the predictions."""
    before, now = defaultdict[int, float](float), defaultdict[int, float](float)
    for region, a, b in zip(regions, old, new, strict=True):
        before[region] += a
        now[region] += b
    factor = {region: now[region] / before[region] if before[region] else 0.0 for region in before}
    found = 0.0
    for region, a, b in zip(regions, old, new, strict=True):
        predicted = a * factor[region]
        found += (b - predicted) ** 2 / (predicted * (1 + factor[region]) / 2 + pad)
    return found
