"""What a stored result holds, column by column, in a few words: what analysts and prompts may see instead of its rows.

One pass over the blocks in flat memory. Different values are counted up to a bound; what cannot be ordered has neither a
smallest nor a largest value.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow.compute as pc

from ai.results.cells import Block
from ai.results.csv import plain
from ai.results.store import ResultStore
from ai.results.table import ResultColumn, ResultTable

MOST_DISTINCT = 1_000
SAMPLE, SAMPLE_LENGTH = 3, 40
ORDERED = frozenset({"integer", "number", "text", "date", "datetime", "moment", "decimal"})


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """One column. `distinct` is None when there are more different values than are counted; `sample` shows a few."""

    name: str
    kind: str
    nulls: int
    distinct: int | None
    smallest: Any
    largest: Any
    sample: tuple[str, ...]


@dataclass(slots=True)
class _Tally:
    """What is known of a column so far."""

    kind: str
    nulls: int = 0
    seen: dict[str, None] = field(default_factory=dict)
    smallest: Any = None
    largest: Any = None

    def add(self, block: Block, place: int) -> None:
        way, array = block.ways[place], block.arrays[place]
        self.nulls += array.null_count
        if len(self.seen) <= MOST_DISTINCT:
            self.seen.update(dict.fromkeys(plain(v) for v in way.read(pc.unique(array)) if v is not None))
        if way.name in ORDERED:
            self._reach(way.read(array) if way.name == "decimal" else _ends(block, place))

    def sample(self) -> tuple[str, ...]:
        return tuple(text[:SAMPLE_LENGTH] for text in list(self.seen)[:SAMPLE])

    def _reach(self, values: Iterable[Any]) -> None:
        known = [v for v in (*values, self.smallest, self.largest) if v is not None and v == v]  # NaN is not itself
        if known:
            self.smallest, self.largest = min(known), max(known)


def profile(store: ResultStore, handle: str) -> tuple[ColumnProfile, ...]:
    """The columns of a result in order; `NoResult` when it is not kept."""
    return _profiles(store.describe(handle).columns, store.blocks(handle))


def profile_table(table: ResultTable) -> tuple[ColumnProfile, ...]:
    """The columns of the rows at hand, in order."""
    return _profiles(table.columns, [Block.of(table.rows)] if table.rows else [])


def _profiles(columns: Sequence[ResultColumn], blocks: Iterable[Block]) -> tuple[ColumnProfile, ...]:
    tallies = [_Tally("nothing") for _ in columns]
    for block in blocks:
        for place, tally in enumerate(tallies):
            tally.kind = block.ways[place].name
            tally.add(block, place)
    return tuple(map(_profiled, columns, tallies))


def _profiled(column: ResultColumn, tally: _Tally) -> ColumnProfile:
    distinct = len(tally.seen) if len(tally.seen) <= MOST_DISTINCT else None
    return ColumnProfile(column.name, tally.kind, tally.nulls, distinct, tally.smallest, tally.largest, tally.sample())


def _ends(block: Block, place: int) -> list[Any]:
    """The smallest and the largest value of a block, exact; without NaN."""
    found = pc.min_max(block.arrays[place])
    ends = [value for value in (found["min"].as_py(), found["max"].as_py()) if value is not None]
    read = block.ways[place].from_arrow
    return ends if read is None else [read(value) for value in ends]
