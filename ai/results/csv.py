"""CSV: RFC 4180 with a header, streamed, exact, and harmless in a spreadsheet.

NULL is an empty field, the empty text `""`. Text looking like a formula gets an apostrophe before it. A database that
writes the same lines sends them as `Lines`.
"""

import json
import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pyarrow as pa

from ai.results import computing as pc
from ai.results.cells import Block, Way
from ai.results.table import ResultColumn, Row, titles

Texts: TypeAlias = "pa.Array[Any]"
LINE_END = "\r\n"
MARK = "\ufeff"
NEEDS_QUOTES = r'[",\r\n]|^$'
# What spreadsheets take for the start of a formula, also behind blanks and invisible characters, and in full width.
SIGNS = "=+@\uff1d\uff0b\uff0d\uff20-"
INVISIBLE = (  # separators, controls, formats and private use, as ranges for the regular expressions of databases
    "\x01-\x20\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u1680\u180e\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\ue000-\uf8ff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f\U000f0000-\U0010fffd"
)
FORMULA = f"^(?:[\\x00{INVISIBLE}]*[{SIGNS}]|[\\t\\r\\n\\x00])"
# Where `;`, a tab or a line end separates, a cell is cut in two whatever its quotes, and the rest begins a cell.
REST = f'([;\\t\\r\\n][\\x00{INVISIBLE}"]*)([{SIGNS}])'
DISARMED_REST = r"\1'\2"
SIGNED_NUMBER = "^[+-][0-9]+([.,][0-9]+)?$"
ZERO, SMALL, LARGE = pa.scalar(0.0), pa.scalar(1e-4), pa.scalar(1e10)
DUSTY, DUST = 17, 4  # characters of a number that may end in the dust of binary fractions, and that lose it
AT_ONCE = 8192  # rows; bounds the memory that one step of the writing takes


@dataclass(frozen=True, slots=True)
class Lines:
    """Rows written by a database as `lines` would; `ends` are their ends in the text."""

    text: bytes
    ends: Sequence[int]

    @property
    def row_count(self) -> int:
        return len(self.ends)

    @property
    def size(self) -> int:
        return len(self.text)

    def fitting(self, size: int) -> int:
        """Count the first rows within so many bytes."""
        return bisect_right(self.ends, size)

    def part(self, first: int, end: int) -> "Lines":
        """Return the rows from `first` to before `end`."""
        begin, *ends = (0, *self.ends)[first : end + 1]
        return Lines(self.text[begin : (ends or [begin])[-1]], [place - begin for place in ends])

    def joined(self) -> bytes:
        if self.text.count(b"\n") == self.row_count:  # no cell has a line feed
            return self.text.replace(b"\n", LINE_END.encode())
        rows = (self.text[begin : end - 1] for begin, end in pairwise((0, *self.ends)))
        return LINE_END.encode().join((*rows, b""))


def write_csv(
    path: Path,
    columns: Sequence[ResultColumn],
    batches: Iterable[Sequence[Row]],
    *,
    formula_guard: bool = True,
    bom: bool = False,
) -> int:
    """Write a file and return its number of rows. `bom` marks it as UTF-8 for old spreadsheets."""
    written = 0
    with path.open("wb") as file:
        file.write(header(columns, formula_guard=formula_guard, bom=bom))
        for batch in batches:
            for start in range(0, len(batch), AT_ONCE):
                file.write(lines(Block.of(batch[start : start + AT_ONCE]), formula_guard=formula_guard))
            written += len(batch)
    return written


def header(columns: Sequence[ResultColumn], *, formula_guard: bool = True, bom: bool = False) -> bytes:
    names = _fields(pa.array([_encodable(title) for title in titles(columns)], pa.string()), formula_guard)
    return ((MARK if bom else "") + ",".join(map(str, names.to_pylist())) + LINE_END).encode()


def lines(block: Block, *, formula_guard: bool = True) -> memoryview:
    fields: list[Any] = [
        _written(way, array, formula_guard) for way, array in zip(block.ways, block.arrays, strict=True)
    ]
    if len(fields) == 1:  # a line without anything would be no row
        fields = [pc.fill_null(fields[0], '""')]
    fields[-1] = _joined(fields[-1], pa.scalar(""), LINE_END)
    whole = _joined(*fields, ",")
    first, last = whole.offset, whole.offset + len(whole)
    offsets = memoryview(whole.buffers()[1] or b"\0" * 8).cast("i")
    return memoryview(whole.buffers()[2] or b"")[offsets[first] : offsets[last]]


def plain(value: Any) -> str:
    """Write a value as the text of its cell, before quotes."""
    return _encodable(PLAIN.get(type(value), str)(value))


def _written(way: Way, array: "pa.Array[Any]", guard: bool) -> Texts:
    return WRITERS.get(way.name, _any)(way, array, guard)


def _joined(*parts: Any, nulls: Literal["replace", "emit_null"] = "replace") -> Texts:
    joined: Texts = pc.binary_join_element_wise(*parts, null_handling=nulls, null_replacement="")
    return joined


def _fields(texts: Texts, guard: bool) -> Texts:
    return _quoted(_disarmed(texts) if guard else texts)


def _disarmed(texts: Texts) -> Texts:
    formulas = pc.match_substring_regex(texts, FORMULA)
    if pc.any(pc.match_substring_regex(texts, REST)).as_py():
        texts = pc.replace_substring_regex(texts, REST, DISARMED_REST)
    if not pc.any(formulas).as_py():
        return texts
    harmless = pc.match_substring_regex(texts, SIGNED_NUMBER)
    disarmed: Texts = pc.if_else(pc.and_not(formulas, harmless), _joined(pa.scalar(""), texts, "'"), texts)
    return disarmed


def _quoted(texts: Texts) -> Texts:
    special = pc.match_substring_regex(texts, NEEDS_QUOTES)
    if not pc.any(special).as_py():
        return texts
    quoted = _joined(pa.scalar(""), pc.replace_substring(texts, '"', '""'), pa.scalar(""), '"')
    fields: Texts = pc.if_else(special, quoted, texts)
    return fields


def _text(_way: Way, array: "pa.Array[Any]", guard: bool) -> Texts:
    return _fields(array, guard)


def _as_it_is(_way: Way, array: "pa.Array[Any]", _guard: bool) -> Texts:
    return pc.cast(array, pa.string())


def _numbers(_way: Way, array: "pa.Array[Any]", _guard: bool) -> Texts:
    size = pc.abs(array)
    alike = pc.or_(pc.equal(size, ZERO), pc.and_(pc.greater_equal(size, SMALL), pc.less(size, LARGE)))
    if pc.all(alike).as_py() is not False:  # Arrow writes the others with exponents of its own
        texts: Any = pc.cast(array, pa.string())
        lengths: Any = pc.fill_null(pc.utf8_length(texts), pa.scalar(0, pa.int32()))
        dusty = pc.greater_equal(lengths, pa.scalar(DUSTY))
        values = [plain(value) for value in pc.filter(array, dusty).to_pylist()]
        cleaned: Texts = pc.replace_with_mask(texts, dusty, pa.array(values, pa.string())) if values else texts
        return cleaned
    return pa.array([None if value is None else plain(value) for value in array.to_pylist()], pa.string())


def _moments(way: Way, array: "pa.Array[Any]", _guard: bool) -> Texts:
    seconds = pc.floor_temporal(array, unit="second")
    texts = pc.cast(pc.cast(seconds, pa.timestamp("s")), pa.string())
    whole = pc.equal(seconds, array)
    if pc.all(whole).as_py() is False:
        texts = pc.if_else(whole, texts, pc.cast(array, pa.string()))
    texts = pc.binary_replace_slice(texts, 10, 11, "T")
    return _joined(texts, pa.scalar("+00:00"), "", nulls="emit_null") if way.name == "moment" else texts


def _any(way: Way, array: "pa.Array[Any]", guard: bool) -> Texts:
    values = way.read(array)
    texts = pa.array([None if value is None else plain(value) for value in values], pa.string())
    may_be = pa.array([type(value) not in PLAIN for value in values])
    return _quoted(pc.if_else(may_be, _disarmed(texts), texts) if guard else texts)


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    exact, short = repr(value).removesuffix(".0"), f"{value:.15g}"
    return short if len(exact) >= DUSTY and len(short) <= len(exact) - DUST else exact


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


WRITERS: "dict[str, Callable[[Way, pa.Array[Any], bool], Texts]]" = {
    "text": _text,
    "integer": _as_it_is,
    "number": _numbers,
    "boolean": _as_it_is,
    "date": _as_it_is,
    "decimal": _as_it_is,
    "datetime": _moments,
    "moment": _moments,
    "nothing": _as_it_is,
}
PLAIN: dict[type, Callable[[Any], str]] = {
    int: str,
    float: _number,
    bool: lambda value: "true" if value else "false",
    bytes: lambda value: f"\\x{value.hex()}",
    Decimal: str,
    datetime: datetime.isoformat,
    date: date.isoformat,
    time: time.isoformat,
    list: _json,
    dict: _json,
}
