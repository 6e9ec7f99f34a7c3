"""A result in memory: column names, their types, and tuples of exact values.

Rows are tuples because data frames change 2^53+1 beside NULL and drop the second of two equally named columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Row: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A name as in the query (names may repeat) and the database's type name, or ""."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The first rows of a result. `row_count` counts all stored rows; the query had more if `truncated`."""

    columns: tuple[ResultColumn, ...]
    rows: tuple[Row, ...]
    row_count: int
    truncated: bool = False


def titles(columns: Sequence[ResultColumn]) -> list[str]:
    """Return the column names, repeated ones with a free `_2`, `_3` … behind them."""
    names = {column.name for column in columns}
    given: set[str] = set()
    told = []
    for column in columns:
        title, number = column.name, 1
        while title in given or (number > 1 and title in names):
            number += 1
            title = f"{column.name}_{number}"
        given.add(title)
        told.append(title)
    return told
