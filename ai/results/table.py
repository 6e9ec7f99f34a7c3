"""A result as it is held in memory: column names, their types, and tuples of exact values.

Owns no storage and no rendering. Rows are tuples because data frames turn 2^53+1 beside NULL into another number and
drop the second of two columns of the same name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Row: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """Name as the query gave it (names may repeat) and the database's own type name, "" where it tells none."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The first rows of a result. `row_count` counts all stored rows; `truncated` says that the query had even more."""

    columns: tuple[ResultColumn, ...]
    rows: tuple[Row, ...]
    row_count: int
    truncated: bool = False


def titles(columns: Sequence[ResultColumn]) -> list[str]:
    """The column names, a repeated one with `_2`, `_3` … behind it, whichever of those no other column is called."""
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
