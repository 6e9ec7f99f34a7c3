"""The steps that a stored result is changed by, one after another; columns count from 0. Pure."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

Comparison: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Sort:
    """Order the rows by a column, NULL last."""

    column: int
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep rows by comparing a cell with a value; texts without regard to case."""

    column: int
    comparison: Comparison
    value: str | Decimal


@dataclass(frozen=True, slots=True)
class OneOf:
    """Keep rows whose text is one of `values`, or `without` those, without regard to case."""

    column: int
    values: tuple[str, ...]
    without: bool = False


@dataclass(frozen=True, slots=True)
class First:
    count: int


@dataclass(frozen=True, slots=True)
class Columns:
    """Keep these columns, in this order."""

    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rename:
    column: int
    title: str


@dataclass(frozen=True, slots=True)
class Share:
    """Add each row's share of the column's total, in percent."""

    column: int


@dataclass(frozen=True, slots=True)
class Pivot:
    """Sum `value` by `down` as rows and `across` as columns."""

    down: int
    across: int
    value: int


Step: TypeAlias = Sort | Keep | OneOf | First | Columns | Rename | Share | Pivot
