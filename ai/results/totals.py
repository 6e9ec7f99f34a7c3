"""Totals of the columns of a stored result, exact, in one pass over all rows."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import duckdb

from ai.results.reshape import SETTINGS, cells_of
from ai.results.store import ResultStore


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals of one column; `numbers` counts its numbers."""

    present: int
    distinct: int
    sum: Decimal | None = None
    smallest: Decimal | None = None
    largest: Decimal | None = None
    median: Decimal | None = None
    numbers: int = 0

    @property
    def mean(self) -> Decimal | None:
        return self.sum / self.numbers if self.sum is not None and self.numbers else None


def totals(store: ResultStore, handle: str) -> tuple[Totals, ...]:
    """Compute the totals of each column, or raise `NoResult`."""
    with closing(duckdb.connect(config=SETTINGS)) as connection:
        return tuple(_totals(connection, name, number) for name, number in cells_of(connection, store, handle))


def _totals(connection: duckdb.DuckDBPyConnection, name: str, number: str | None) -> Totals:
    present, distinct = _row(connection, f"count({name}), count(DISTINCT {name})")
    if number is None:
        return Totals(present, distinct)
    found = _row(connection, f"sum({number}), min({number}), max({number}), median({number}), count({number})")
    total, smallest, largest, middle = map(_exact, found[:4])
    return Totals(present, distinct, total, smallest, largest, middle, found[4])


def _row(connection: duckdb.DuckDBPyConnection, figures: str) -> tuple[Any, ...]:
    found: Iterable[Any] | None = connection.execute(f"SELECT {figures} FROM cells").fetchone()
    return tuple(found or ())


def _exact(value: Any) -> Decimal | None:
    return None if value is None else Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
