"""Results whole: as an Arrow table, a pandas data frame, a Parquet file. Types stay exact, equal names stay apart."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ai.results.cells import Block, Way
from ai.results.csv import plain
from ai.results.table import ResultColumn, titles

if TYPE_CHECKING:
    import pandas as pd

DIGITS = 38  # of Arrow's decimals
UTC = pa.timestamp("us", "UTC")
NULLABLE = {"integer": "Int64Dtype", "number": "Float64Dtype", "boolean": "BooleanDtype", "text": "StringDtype"}


@dataclass(frozen=True, slots=True)
class KeptResult:
    """A stored result with all of its rows. Each conversion reads them anew, into memory."""

    columns: tuple[ResultColumn, ...]
    blocks: Callable[[], Iterable[Block]]

    def to_arrow(self) -> pa.Table:
        """Return a table with Arrow's own types; decimals beyond 38 digits and mixed cells are text."""
        return arrow_table(self.columns, self.blocks())

    def to_pandas(self) -> "pd.DataFrame":
        """Return a data frame: nullable integers, floats, booleans and texts; dates, decimals and bytes as objects."""
        import pandas as pd  # few want a data frame

        block = _joined(self.columns, self.blocks())
        columns = [_series(way, array) for way, array in zip(block.ways, block.arrays, strict=True)]
        frame = pd.DataFrame(dict(enumerate(columns)), index=pd.RangeIndex(block.row_count))
        frame.columns = pd.Index([column.name for column in self.columns])
        return frame

    def to_parquet(self, path: Path) -> None:
        """Write a Parquet file; the second of two equal names ends in `_2`."""
        import pyarrow.parquet as pq

        pq.write_table(self.to_arrow(), path)


def arrow_table(columns: Iterable[ResultColumn], blocks: Iterable[Block]) -> pa.Table:
    """Join blocks into a table; names that repeat are numbered."""
    known = tuple(columns)
    block = _joined(known, blocks)
    arrays = [_exact(way, array) for way, array in zip(block.ways, block.arrays, strict=True)]
    return pa.Table.from_arrays(arrays, names=titles(known))


def _joined(columns: tuple[ResultColumn, ...], blocks: Iterable[Block]) -> Block:
    found = list(blocks)
    return Block.joined(found) if found else Block.of([(None,) * len(columns)]).part(0, 0)


def _exact(way: Way, array: "pa.Array[Any]") -> "pa.Array[Any]":
    """Return a column in the narrowest of Arrow's types that holds it."""
    if way.name == "moment":
        return array.cast(UTC)
    if way.name not in ("decimal", "mixed"):
        return array
    values = way.read(array)
    known = [value for value in values if value is not None]
    if known and all(type(value) in (int, Decimal) for value in known):
        exact = [None if value is None else Decimal(value) for value in values]
        if (kind := _decimals([value for value in exact if value is not None])) is not None:
            return pa.array(exact, kind)
    return pa.array([None if value is None else plain(value) for value in values], pa.string())


def _decimals(values: list[Decimal]) -> pa.Decimal128Type | None:
    """Return a type for all of these, None where they have too many digits or are infinite."""
    if not all(value.is_finite() for value in values):
        return None
    places = max(max(0, -int(value.as_tuple().exponent)) for value in values)
    before = max(max(1, value.adjusted() + 1) for value in values)
    return pa.decimal128(before + places, places) if before + places <= DIGITS else None


def _series(way: Way, array: "pa.Array[Any]") -> Any:
    import pandas as pd

    if way.name in NULLABLE:
        return getattr(pd, NULLABLE[way.name])().__from_arrow__(array)
    if way.name in ("datetime", "moment"):
        return (array.cast(UTC) if way.name == "moment" else array).to_pandas()
    return pd.Series(way.read(array), dtype=object)
