"""Whether two results answer alike, however their columns are named and ordered."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from ai.results.table import Row

DIGITS = 9  # significant ones of a figure that is compared


def alike(one: Sequence[Row], other: Sequence[Row]) -> bool:
    """Whether there are as many rows, and all columns of one stand in the other."""
    if len(one) != len(other):
        return False
    few, many = sorted((_columns(one), _columns(other)), key=Counter.total)
    return few <= many


def _columns(rows: Sequence[Row]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(sorted(map(_value, column))) for column in zip(*rows, strict=True))


def _value(cell: object) -> str:
    if isinstance(cell, bool | int | float | Decimal):
        return f"{float(cell):.{DIGITS}g}"
    return "" if cell is None else str(cell)
