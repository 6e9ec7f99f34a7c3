"""Columns from cells written as text: by Arrow where exact, else cell by cell."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pyarrow as pa

from ai.results import computing as pc
from ai.results.cells import BY_NAME, Way, written

Array: TypeAlias = "pa.Array[Any]"
Load: TypeAlias = Callable[[str], Any]


def column_of(texts: Array, kind: str, load: Load) -> tuple[Way, Array]:
    """Read texts as a column of a kind, or cell by cell for "" and what Arrow cannot read."""
    if kind:
        try:
            return BY_NAME[kind], READ[kind](texts)
        except pa.ArrowInvalid:
            pass
    return written([None if text is None else load(text) for text in texts.to_pylist()])


def _moments(texts: Array) -> Array:
    return texts.cast(pa.timestamp("us", "UTC")).cast(pa.timestamp("us"))


READ: Mapping[str, Callable[[Array], Array]] = {
    "integer": lambda texts: texts.cast(pa.int64()),
    "number": lambda texts: texts.cast(pa.float64()),
    "boolean": lambda texts: pc.equal(texts, pa.scalar("t")),
    "text": lambda texts: texts,
    "decimal": lambda texts: texts,
    "date": lambda texts: texts.cast(pa.date32()),
    "datetime": lambda texts: texts.cast(pa.timestamp("us")),
    "moment": _moments,
}
