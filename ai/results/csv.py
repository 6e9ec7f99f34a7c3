"""CSV from rows: RFC 4180 with a header always, streamed, exact, and harmless when a spreadsheet opens it.

NULL is an empty field and the empty text is `""`, so the two stay apart. Text that a spreadsheet would take for a
formula gets a leading apostrophe; numbers are never touched. Says nothing about where rows come from.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

from ai.results.table import ResultColumn, Row

LINE_END = "\r\n"
NEEDS_QUOTES = re.compile(r'[",\r\n]|^\s|\s$')
# What spreadsheets take for the start of a formula, also behind blanks and invisible characters, and in full width.
FORMULA = re.compile(r"[\s\x00\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n\x00]")
SIGNED_NUMBER = re.compile(r"[+-]\d+([.,]\d+)?")


def write_csv(
    path: Path,
    columns: Sequence[ResultColumn],
    batches: Iterable[Sequence[Row]],
    *,
    formula_guard: bool = True,
    bom: bool = False,
) -> int:
    """Write the file and return how many rows it holds. `bom` marks it as UTF-8 for old spreadsheets."""
    written = 0
    with path.open("w", encoding="utf-8-sig" if bom else "utf-8", errors="replace", newline="") as file:
        header = [_text(title, formula_guard) for title in _titles(columns)]
        file.write(",".join(header) + LINE_END)
        for batch in batches:
            file.writelines(_line(row, formula_guard) for row in batch)
            written += len(batch)
    return written


def _line(row: Row, guard: bool) -> str:
    cells = [_field(value, guard) for value in row]
    return (",".join(cells) if cells != [""] else '""') + LINE_END


def _field(value: Any, guard: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return _text(value, guard)
    write = WRITERS.get(type(value))
    return write(value) if write else _text(str(value), guard)


def _text(text: str, guard: bool) -> str:
    if guard and FORMULA.match(text) and not SIGNED_NUMBER.fullmatch(text):
        text = "'" + text
    if not text or NEEDS_QUOTES.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text


def _titles(columns: Sequence[ResultColumn]) -> list[str]:
    """The column names, a repeated one with _2, _3 … behind it."""
    titles: list[str] = []
    for column in columns:
        title, number = column.name, 1
        while title in titles:
            number += 1
            title = f"{column.name}_{number}"
        titles.append(title)
    return titles


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def _json(value: Any) -> str:
    return _text(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str), guard=False)


WRITERS: dict[type, Callable[[Any], str]] = {
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
