"""Rows become a Slack table of at most 99 rows, 20 columns and 10,000 characters. Omissions are counted in words.

Cells are raw text or raw numbers, shown by Slack as they are.
"""

import math
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from ai.results.cells import Block as Rows
from ai.results.csv import header, lines
from ai.results.table import ResultColumn, ResultTable, Row
from bot.render.text import Block, visible

MAX_ROWS = 99
MAX_COLUMNS = 20
MAX_CHARACTERS = 10_000
CELL_LENGTH = 200
LARGEST = 2**53
GRID_NOTE = 40  # characters kept for the line of omitted rows
NUMBERS = (int, float, Decimal)


def table_block(table: ResultTable) -> Block:
    columns = table.columns[:MAX_COLUMNS]
    rows = _fitting(table.rows, columns)
    header = [_raw_text(column.name) for column in columns]
    return {
        "type": "table",
        "column_settings": [{"align": "right" if _numeric(rows, index) else "left"} for index in range(len(columns))],
        "rows": [header, *([_cell(value) for value in row[: len(columns)]] for row in rows)],
    }


def left_out(table: ResultTable) -> str:
    """Return the omissions of the table block in words, "" without any."""
    columns = min(len(table.columns), MAX_COLUMNS)
    shown = len(_fitting(table.rows, table.columns[:columns]))
    notes = []
    if shown < table.row_count:
        notes.append(f"the first {shown:,} of {table.row_count:,} rows")
    if columns < len(table.columns):
        notes.append(f"the first {columns} of {len(table.columns)} columns")
    return f"Shown are {' and '.join(notes)}; “export this as csv” gives all." if notes else ""


def grid(table: ResultTable, most: int) -> str:
    """Return the rows in aligned columns of at most `most` characters; a last line counts the omitted rows."""
    lines = [[column.name for column in table.columns], *([cell_text(value) for value in row] for row in table.rows)]
    widths = [max(len(line[index]) for line in lines) for index in range(len(table.columns))]
    shown, used = list[str](), GRID_NOTE
    for line in lines:
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        used += len(text) + 1
        if shown and used > most:
            break
        shown.append(text[:most])
    if (rows := len(shown) - 1) < table.row_count:
        shown.append(f"… and {table.row_count - rows:,} more rows")
    return "\n".join(shown)


def csv_of(table: ResultTable) -> bytes:
    return header(table.columns) + bytes(lines(Rows.of(table.rows)))


def cell_text(value: Any) -> str:
    match value:
        case None:
            return "\u2013"
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value)
        case float():
            return f"{value:.10g}"
        case datetime():
            return value.isoformat(sep=" ", timespec="seconds")
        case date():
            return value.isoformat()
        case bytes():
            return f"{len(value)} bytes"
        case _:
            return visible(" ".join(str(value).split()))


def _fitting(rows: Sequence[Row], columns: Sequence[ResultColumn]) -> Sequence[Row]:
    used = sum(len(_raw_text(column.name)["text"]) for column in columns)
    for index, row in enumerate(rows[:MAX_ROWS]):
        used += sum(len(_cell(value)["text"]) for value in row[: len(columns)])
        if used > MAX_CHARACTERS:
            return rows[:index]
    return rows[:MAX_ROWS]


def _numeric(rows: Sequence[Row], index: int) -> bool:
    values = [row[index] for row in rows if row[index] is not None]
    return bool(values) and all(isinstance(value, NUMBERS) and not isinstance(value, bool) for value in values)


def _cell(value: Any) -> Block:
    text = cell_text(value)
    if isinstance(value, NUMBERS) and not isinstance(value, bool) and _plain_number(value):
        return {"type": "raw_number", "value": float(value) if isinstance(value, Decimal) else value, "text": text}
    return _raw_text(text)


def _plain_number(value: float | Decimal) -> bool:
    return math.isfinite(value) and -LARGEST <= value <= LARGEST


def _raw_text(text: str) -> Block:
    words = visible(text) or " "
    return {"type": "raw_text", "text": words if len(words) <= CELL_LENGTH else words[: CELL_LENGTH - 1] + "…"}
