"""A change under examination: its study with what was asked already, and the parts every method needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

from ai.analysis.checks import NewName, merged
from ai.analysis.effects import contributions
from ai.analysis.finding import Breakdown, Driver, PartRow, named
from ai.analysis.history import History
from ai.analysis.study import Days, Key, Parts, Segments, Study, figure, over, total

FLAGS = frozenset({"0", "1", "True", "False", None})  # say nothing without their column


@dataclass(frozen=True, slots=True)
class Case:
    """`renamed` are renames per dimension, applied to its segments."""

    study: Study
    history: History
    renamed: Mapping[str, tuple[NewName, ...]] = field(default_factory=dict)
    _segments: dict[str, Segments] = field(default_factory=dict, repr=False)

    @property
    def before(self) -> Fraction:
        return self.history.of(self.study.before)

    @property
    def now(self) -> Fraction:
        return self.history.of(self.study.now)

    @property
    def change(self) -> Fraction:
        return self.now - self.before

    @property
    def first_day(self) -> date:
        return max(self.study.since, min(self.history.daily, default=self.study.since))

    @property
    def loaded(self) -> tuple[str, ...]:
        """Return the dimensions with values that may come in loads of their own: no yes and no."""
        known = {dimension: set(self.segments(dimension)) for dimension in self.study.loaded}
        return tuple(dimension for dimension, keys in known.items() if len(keys) > 1 and not keys <= FLAGS)

    def segments(self, dimension: str) -> Segments:
        if dimension not in self._segments:
            self._segments[dimension] = merged(self.study.segments(dimension), self.renamed.get(dimension, ()))
        return self._segments[dimension]

    def with_renames(self, renamed: Mapping[str, tuple[NewName, ...]]) -> "Case":
        known = {name: merged(segments, renamed.get(name, ())) for name, segments in self._segments.items()}
        return replace(self, renamed=renamed, _segments=known)

    def sides(self, dimension: str) -> tuple[dict[Key, Parts], dict[Key, Parts]]:
        """Return the parts of each value in both periods."""
        return self.of(dimension, self.study.before), self.of(dimension, self.study.now)

    def of(self, dimension: str, days: Days) -> dict[Key, Parts]:
        found = {key: over(daily, days, is_mean=self.study.is_mean) for key, daily in self.segments(dimension).items()}
        return {key: parts for key, parts in found.items() if any(parts)}

    def explained_by(self, dimension: str, key: Key) -> Fraction:
        """Return the part of the change that goes when a value is left out."""
        old, new = (
            figure(total(parts for other, parts in side.items() if other != key), is_ratio=self.study.is_ratio)
            if set(side) - {key}
            else Fraction(0)
            for side in self.sides(dimension)
        )
        return 1 - (new - old) / self.change if self.change else Fraction(0)

    def contribution(self, dimension: str, key: Key) -> Fraction:
        """Return the share of an additive change that is a value's own."""
        found = contributions(*self.sides(dimension)).get(key)
        return found.change / self.change if found and self.change else Fraction(0)

    def driver(self, dimension: str, key: Key) -> Driver:
        share = self.explained_by if self.study.is_ratio else self.contribution
        return Driver(dimension, named(key), share(dimension, key))

    def breakdown(self, dimension: str) -> Breakdown:
        """Return the contributions of all values, the largest first."""
        found = contributions(*self.sides(dimension))
        rows = [PartRow(named(key), part.before, part.now, part.change) for key, part in found.items()]
        return Breakdown(dimension, tuple(sorted(rows, key=lambda row: -abs(row.effect))))
