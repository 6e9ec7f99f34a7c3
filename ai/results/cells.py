"""Cells of any Python type to Arrow and back, exactly.

A column has Arrow's own type where that loses nothing. Other columns, and those of several types, are text: each cell
tagged with its type, as JSON.
"""

import json
import sys
from base64 import b64decode, b64encode
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pyarrow as pa

from ai.results.table import Row

BLOCK_ROWS, BLOCK_BYTES = 5_000, 1024 * 1024  # of a block that is worth writing and still small in memory
REFUSALS = (OverflowError, UnicodeEncodeError)  # whole numbers beyond 64 bits; half of a surrogate pair


class _NoPandas:
    def find_spec(self, name: str, path: object = None, target: object = None) -> None:  # noqa: ARG002
        if name == "pandas":
            raise ModuleNotFoundError(name, name=name)


def _spare_pandas() -> None:
    """Let Arrow find no pandas at its first value: it loads it there, for nothing. `to_pandas` looks again."""
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, finder := _NoPandas())
        pa.scalar(0)
        sys.meta_path.remove(finder)


_spare_pandas()


@dataclass(frozen=True, slots=True)
class Way:
    """One way of writing a column of the type `python` or None; `fits` judges its values."""

    name: str
    arrow: pa.DataType
    python: type
    fits: Callable[[Iterable[Any]], bool] | None = None
    to_arrow: Callable[[Any], Any] | None = None
    from_arrow: Callable[[Any], Any] | None = None

    def write(self, values: Sequence[Any]) -> "pa.Array[Any]":
        if self.to_arrow is not None:
            values = [None if value is None else self.to_arrow(value) for value in values]
        return pa.array(values, self.arrow, from_pandas=False)

    def tried(self, values: Sequence[Any]) -> "pa.Array[Any] | None":
        """Write the values; None if this way does not hold them exactly."""
        if self.fits is not None and not self.fits(value for value in values if value is not None):
            return None
        try:
            return self.write(values)
        except REFUSALS:
            return None

    def read(self, array: "pa.Array[Any]") -> list[Any]:
        values: list[Any] = array.to_pylist()
        if self.from_arrow is None:
            return values
        return [None if value is None else self.from_arrow(value) for value in values]


def _pair(value: Any) -> list[Any]:
    name, write, _ = TAGS.get(type(value), TAGS[str])
    return [name, None if value is None else write(value)]


def _value(pair: Sequence[Any]) -> Any:
    name, written = pair
    return UNTAG[name](written)


def _tag(value: Any) -> str:
    return json.dumps(_pair(value), ensure_ascii=True, separators=(",", ":"))


def _untag(text: str) -> Any:
    return _value(json.loads(text))


TAGS: dict[type, tuple[str, Callable[[Any], Any], Callable[[Any], Any]]] = {
    str: ("s", str, str),
    int: ("i", str, int),
    float: ("f", repr, float),
    bool: ("b", bool, bool),
    bytes: ("x", lambda value: b64encode(value).decode(), b64decode),
    Decimal: ("d", str, Decimal),
    datetime: ("T", datetime.isoformat, datetime.fromisoformat),
    date: ("D", date.isoformat, date.fromisoformat),
    time: ("t", time.isoformat, time.fromisoformat),
    timedelta: (
        "p",
        lambda value: [value.days, value.seconds, value.microseconds],
        lambda value: timedelta(*value),
    ),
    UUID: ("u", str, UUID),
    list: ("l", lambda value: [*map(_pair, value)], lambda pairs: [*map(_value, pairs)]),
    dict: (
        "o",
        lambda value: [[_pair(key), _pair(item)] for key, item in value.items()],
        lambda pairs: {_value(key): _value(item) for key, item in pairs},
    ),
    type(None): ("n", lambda _: None, lambda _: None),
}
UNTAG: dict[str, Callable[[Any], Any]] = {name: read for name, _, read in TAGS.values()}


def _is_utc(moment: datetime) -> bool:
    return moment.tzinfo is UTC or str(moment.tzinfo) == "UTC"


NOTHING = Way("nothing", pa.null(), type(None))
MIXED = Way("mixed", pa.string(), object, to_arrow=_tag, from_arrow=_untag)
WAYS: tuple[Way, ...] = (
    Way("integer", pa.int64(), int),
    Way("number", pa.float64(), float),
    Way("text", pa.string(), str),
    Way("boolean", pa.bool_(), bool),
    Way("binary", pa.binary(), bytes),
    Way("date", pa.date32(), date),
    Way("datetime", pa.timestamp("us"), datetime, lambda values: all(value.tzinfo is None for value in values)),
    Way(
        "moment",
        pa.timestamp("us"),
        datetime,
        lambda values: all(map(_is_utc, values)),
        to_arrow=lambda value: value.replace(tzinfo=None),
        from_arrow=lambda value: value.replace(tzinfo=UTC),
    ),
    Way("decimal", pa.string(), Decimal, to_arrow=str, from_arrow=Decimal),
    NOTHING,
    MIXED,
)
BY_NAME = {way.name: way for way in WAYS}


WAYS_OF = {kind: tuple(way for way in WAYS if way.python is kind) for kind in {way.python for way in WAYS}}


def written(values: Sequence[Any]) -> "tuple[Way, pa.Array[Any]]":
    """Write values in the way holding all exactly, `MIXED` if no other does."""
    kinds = set(map(type, values)) - {type(None)} or {type(None)}
    for way in WAYS_OF.get(kinds.pop(), ()) if len(kinds) == 1 else ():
        if (array := way.tried(values)) is not None:
            return way, array
    return MIXED, MIXED.write(values)


def wider(one: Way, other: Way) -> Way:
    """Return the way holding all that two ways hold."""
    if one is other or other is NOTHING:
        return one
    return other if one is NOTHING else MIXED


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of a result, column by column, each in its way."""

    ways: tuple[Way, ...]
    arrays: "tuple[pa.Array[Any], ...]"

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Block":
        """Write rows, at least one, each column in the way that fits it."""
        # Arrow reads lists almost twice as fast as tuples.
        return cls.of_columns([written(list(column)) for column in zip(*rows, strict=True)])

    @classmethod
    def of_columns(cls, columns: "Iterable[tuple[Way, pa.Array[Any]]]") -> "Block":
        known = tuple(columns)
        return cls(tuple(way for way, _ in known), tuple(array for _, array in known))

    @classmethod
    def joined(cls, blocks: "Sequence[Block]") -> "Block":
        """Join blocks, at least one."""
        if len(blocks) == 1:
            return blocks[0]
        ways = blocks[0].ways
        for block in blocks[1:]:
            ways = tuple(map(wider, ways, block.ways))
        columns = zip(*(block.recast(ways).arrays for block in blocks), strict=True)
        return cls(ways, tuple(pa.concat_arrays(parts) for parts in columns))

    @property
    def row_count(self) -> int:
        return len(self.arrays[0]) if self.arrays else 0

    @property
    def size(self) -> int:
        """Bytes of the cells as written."""
        return sum(array.nbytes for array in self.arrays)

    def fitting(self, size: int) -> int:
        """Count the first rows within so many bytes."""
        if self.size <= size:
            return self.row_count
        return bisect_right(range(1, self.row_count + 1), size, key=lambda count: self.part(0, count).size)

    def rows(self) -> list[Row]:
        """Return the rows as they were before writing."""
        columns = (way.read(array) for way, array in zip(self.ways, self.arrays, strict=True))
        return list(zip(*columns, strict=True))

    def part(self, first: int, end: int) -> "Block":
        """Return the rows from `first` to before `end`."""
        return Block(self.ways, tuple(array.slice(first, end - first) for array in self.arrays))

    def recast(self, ways: Sequence[Way]) -> "Block":
        """Write the rows in wider ways; columns keeping their way are not touched."""
        columns = zip(self.ways, ways, self.arrays, strict=True)
        arrays = (array if old is new else new.write(old.read(array)) for old, new, array in columns)
        return Block(tuple(ways), tuple(arrays))


def gathered_rows(pieces: Iterable[Sequence[Row]], size_of: Callable[[Sequence[Row]], int]) -> Iterator[Block]:
    """Gather rows into blocks, full by rows or by the bytes of `size_of`."""
    held: list[Row] = []
    size = 0
    for piece, new in _small(pieces, size_of):
        if held and (len(held) + len(piece) > BLOCK_ROWS or size + new > BLOCK_BYTES):
            yield Block.of(held)
            held, size = [], 0
        held += piece
        size += new
    if held:
        yield Block.of(held)


def gathered_blocks(pieces: Iterable[Block]) -> Iterator[Block]:
    """Join small blocks."""
    held: list[Block] = []
    rows = size = 0
    for piece in pieces:
        new = piece.size
        if held and (rows + piece.row_count > BLOCK_ROWS or size + new > BLOCK_BYTES):
            yield Block.joined(held)
            held, rows, size = [], 0, 0
        held.append(piece)
        rows, size = rows + piece.row_count, size + new
    if held:
        yield Block.joined(held)


def _small(
    pieces: Iterable[Sequence[Row]], size_of: Callable[[Sequence[Row]], int]
) -> Iterator[tuple[Sequence[Row], int]]:
    """Yield pieces with their sizes, halving those too big for a block."""
    for piece in pieces:
        size, half = size_of(piece), len(piece) // 2
        if size > BLOCK_BYTES and half:
            yield from _small((piece[:half], piece[half:]), size_of)
        else:
            yield piece, size
