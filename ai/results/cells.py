"""How cells of any Python type become Arrow and come back exactly as they were: one row per way of writing a column.

A column is written as Arrow's own type where that loses nothing. Everything else, and every column whose values are of
several types (SQLite allows that), is text: each cell tagged with its type, as JSON. A `Block` is some rows so written.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pyarrow as pa

from ai.results.table import Row

INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True, slots=True)
class Way:
    """One way of writing a column. `fits` is asked about the values that are not None, and only then."""

    name: str
    arrow: pa.DataType
    python: type
    fits: Callable[[Sequence[Any]], bool] = lambda _: True
    to_arrow: Callable[[Any], Any] | None = None
    from_arrow: Callable[[Any], Any] | None = None

    def write(self, values: Sequence[Any]) -> "pa.Array[Any]":
        if self.to_arrow is not None:
            values = [None if value is None else self.to_arrow(value) for value in values]
        return pa.array(values, self.arrow, from_pandas=False)

    def read(self, array: "pa.Array[Any]") -> list[Any]:
        values: list[Any] = array.to_pylist()
        if self.from_arrow is None:
            return values
        return [None if value is None else self.from_arrow(value) for value in values]


def _pair(value: Any) -> list[Any]:
    """A value as the name of its type and what JSON can hold of it, which is all of it; of other types, its text."""
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


def _encodes(values: Sequence[str]) -> bool:
    """Whether these texts have a UTF-8 form; half of a surrogate pair has none."""
    try:
        "".join(values).encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_utc(moment: datetime) -> bool:
    return moment.tzinfo is UTC or str(moment.tzinfo) == "UTC"


NOTHING = Way("nothing", pa.null(), type(None))
MIXED = Way("mixed", pa.string(), object, to_arrow=_tag, from_arrow=_untag)
WAYS: tuple[Way, ...] = (
    Way("integer", pa.int64(), int, lambda values: min(values) in INT64 and max(values) in INT64),
    Way("number", pa.float64(), float),
    Way("text", pa.string(), str, _encodes),
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


def way_for(values: Sequence[Any]) -> Way:
    """The way that holds all these values exactly: `NOTHING` when all are None, `MIXED` when no other one does."""
    present = [value for value in values if value is not None]
    kinds = set(map(type, present))
    if not kinds:
        return NOTHING
    if len(kinds) == 1:
        for way in WAYS:
            if way.python in kinds and way.fits(present):
                return way
    return MIXED


def widened(way: Way, values: Sequence[Any]) -> Way:
    """The way that holds what `way` holds, and these values too; mostly `way` itself."""
    new = way_for(values)
    if way in (MIXED, new) or new is NOTHING:
        return way
    return new if way is NOTHING else MIXED


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of a result, column by column, each in its way."""

    ways: tuple[Way, ...]
    arrays: "tuple[pa.Array[Any], ...]"

    @classmethod
    def of(cls, rows: Sequence[Row], ways: Sequence[Way] | None = None) -> "Block":
        """Rows, at least one, written in the given ways; else each column in the one that fits it."""
        values = list(zip(*rows, strict=True))
        chosen = tuple(ways or map(way_for, values))
        return cls(chosen, tuple(way.write(column) for way, column in zip(chosen, values, strict=True)))

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self.arrays[0]) if self.arrays else 0

    def rows(self) -> list[Row]:
        """The rows as they were before they were written."""
        columns = (way.read(array) for way, array in zip(self.ways, self.arrays, strict=True))
        return list(zip(*columns, strict=True))

    def part(self, first: int, end: int) -> "Block":
        """The rows from `first` to before `end`."""
        return Block(self.ways, tuple(array.slice(first, end - first) for array in self.arrays))

    def recast(self, ways: Sequence[Way]) -> "Block":
        """The same rows in wider ways; columns whose way stays are not touched."""
        columns = zip(self.ways, ways, self.arrays, strict=True)
        arrays = (array if old is new else new.write(old.read(array)) for old, new, array in columns)
        return Block(tuple(ways), tuple(arrays))
