"""How cells of any Python type become Arrow and come back exactly as they were: one row per way of writing a column.

A column is written as Arrow's own type where that loses nothing. Everything else, and every column whose values are of
several types (SQLite allows that), is text: each cell tagged with its type, as JSON.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pyarrow as pa

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


def _tag(value: Any) -> str:
    for kind, (name, write, _) in TAGS.items():
        if type(value) is kind:
            return json.dumps([name, write(value)], ensure_ascii=True, separators=(",", ":"))
    return json.dumps(["s", str(value)], ensure_ascii=True, separators=(",", ":"))


def _untag(text: str) -> Any:
    name, value = json.loads(text)
    return UNTAG[name](value)


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
    list: ("j", list, list),
    dict: ("j", dict, dict),
}
UNTAG: dict[str, Callable[[Any], Any]] = {name: read for name, _, read in TAGS.values()} | {"j": lambda value: value}

MIXED = Way("mixed", pa.string(), object, to_arrow=_tag, from_arrow=_untag)
WAYS: tuple[Way, ...] = (
    Way("integer", pa.int64(), int, lambda values: min(values) in INT64 and max(values) in INT64),
    Way("number", pa.float64(), float),
    Way("text", pa.string(), str),
    Way("boolean", pa.bool_(), bool),
    Way("binary", pa.binary(), bytes),
    Way("date", pa.date32(), date),
    Way("datetime", pa.timestamp("us"), datetime, lambda values: all(value.tzinfo is None for value in values)),
    Way("decimal", pa.string(), Decimal, to_arrow=str, from_arrow=Decimal),
    MIXED,
)
BY_NAME = {way.name: way for way in WAYS}


def way_for(values: Sequence[Any]) -> Way:
    """The way that holds all these values exactly; `MIXED` when no single one does, or when all are None."""
    present = [value for value in values if value is not None]
    kinds = set(map(type, present))
    if len(kinds) == 1:
        for way in WAYS:
            if way.python in kinds and way.fits(present):
                return way
    return MIXED


def fits(way: Way, values: Sequence[Any]) -> bool:
    """Whether the way can hold these values too. None fits everywhere."""
    return way is MIXED or all(value is None for value in values) or way_for(values) is way
