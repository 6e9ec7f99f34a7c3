"""Profiles of a result's columns, shown in prompts instead of rows; one pass in flat memory."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ai.results import computing as pc
from ai.results.cells import Block
from ai.results.csv import plain
from ai.results.store import ResultStore
from ai.results.table import ResultColumn, ResultTable

MOST_DISTINCT = 1_000
SAMPLE, SAMPLE_LENGTH = 3, 40
ORDERED = frozenset({"integer", "number", "text", "date", "datetime", "moment", "decimal"})


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """One column; `distinct` is None beyond the bound, `sample` shows a few values."""

    name: str
    kind: str
    nulls: int
    distinct: int | None
    smallest: Any
    largest: Any
    sample: tuple[str, ...]


@dataclass(slots=True)
class _Tally:
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
    """Profile a stored result, or raise `NoResult`."""
    return _profiles(store.describe(handle).columns, store.blocks(handle))


def profile_table(table: ResultTable) -> tuple[ColumnProfile, ...]:
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
    found = pc.min_max(block.arrays[place])
    ends = [value for value in (found["min"].as_py(), found["max"].as_py()) if value is not None]
    read = block.ways[place].from_arrow
    return ends if read is None else [read(value) for value in ends]
