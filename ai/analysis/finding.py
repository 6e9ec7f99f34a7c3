"""Findings about a change."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Literal

from ai.analysis.checks import DataGap, NewName, Outlier
from ai.analysis.history import Season
from ai.analysis.study import Key

Cause = Literal[
    "segment", "two causes", "mix shift", "price or volume", "new segment", "outlier day", "renamed", "seasonality",
    "data gap", "no change", "members", "unknown",
]  # fmt: skip
Effect = Literal["", "mix", "rate"]


@dataclass(frozen=True, slots=True)
class Driver:
    """A part of the change. `dimension` is "table.column", "price", "volume", "day", or two joined by " & "."""

    dimension: str
    value: str
    share: Fraction
    effect: Effect = ""


@dataclass(frozen=True, slots=True)
class PartRow:
    """A row of the table: the figures of a part in both periods, and its effect on the whole."""

    name: str
    before: Fraction | None
    now: Fraction | None
    effect: Fraction


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All parts of a change by one dimension; the effects add up to the change."""

    dimension: str
    rows: tuple[PartRow, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """`before` and `now` are the whole figures; `breakdown` shows the cause, the other fields its evidence."""

    cause: Cause
    before: Fraction
    now: Fraction
    drivers: tuple[Driver, ...] = ()
    breakdown: Breakdown | None = None
    gap: DataGap | None = None
    gap_in: str = ""  # dimension of the gap, "" for all rows
    is_hidden: bool = False  # the gap hides how the rest moved, rather than making the change
    rename: NewName | None = None
    rename_in: str = ""
    season: Season | None = None
    outlier: Outlier | None = None
    newest: date | None = None
    crossed: tuple[str, PartRow, PartRow] | None = None  # a dimension, and two values of it that cancel out
    per: str = ""  # quantity of a price, as "table.column", "" for rows

    @property
    def change(self) -> Fraction:
        return self.now - self.before


def together(rows: Sequence[PartRow]) -> PartRow:
    before = sum((row.before or Fraction(0) for row in rows), Fraction(0))
    now = sum((row.now or Fraction(0) for row in rows), Fraction(0))
    return PartRow(f"{len(rows)} others", before, now, sum((row.effect for row in rows), Fraction(0)))


def named(key: Key) -> str:
    return "(none)" if key is None else key
