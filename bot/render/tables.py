"""Rows become a Slack table that fits: at most 99 rows and a header, 20 columns, 10,000 characters in all.

Cells are raw text or raw numbers, which Slack shows as they are. What does not fit is counted, never dropped silently.
"""

import math
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from ai.agents.port import TableEvent
from ai.results.table import Row
from bot.render.text import Block, visible

MAX_ROWS = 99
MAX_COLUMNS = 20
MAX_CHARACTERS = 10_000
CELL_LENGTH = 200
LARGEST = 2**53
NUMBERS = (int, float, Decimal)


def headings(event: TableEvent) -> tuple[str, ...]:
    """The heads of the columns in words, else the names of the columns."""
    return event.headings or tuple(column.name for column in event.table.columns)


def texts(event: TableEvent) -> tuple[tuple[str, ...], ...]:
    """The cells as people read them."""
    return event.cells or tuple(tuple(cell_text(value) for value in row) for row in event.table.rows)


def table_block(event: TableEvent) -> Block:
    """The first rows of a result as a table block."""
    heads, written = headings(event)[:MAX_COLUMNS], texts(event)
    shown = _fitting(written, heads)
    rows = event.table.rows[:shown]
    return {
        "type": "table",
        "column_settings": [{"align": "right" if _numeric(rows, index) else "left"} for index in range(len(heads))],
        "rows": [
            [_raw_text(head) for head in heads],
            *(list(map(_cell, row[: len(heads)], said)) for row, said in zip(rows, written, strict=False)),
        ],
    }


def left_out(event: TableEvent) -> str:
    """What the table block does not show, in words; "" when it shows everything."""
    table, columns = event.table, min(len(event.table.columns), MAX_COLUMNS)
    shown = _fitting(texts(event), headings(event)[:columns])
    notes = []
    if shown < table.row_count:
        notes.append(f"the first {shown:,} of {table.row_count:,} rows")
    if columns < len(table.columns):
        notes.append(f"the first {columns} of {len(table.columns)} columns")
    return f"Shown are {' and '.join(notes)}; “export this as csv” gives all." if notes else ""


def cell_text(value: Any) -> str:
    """A value as people read it."""
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


def _fitting(written: Sequence[Sequence[str]], heads: Sequence[str]) -> int:
    """How many rows fit into a block."""
    used = sum(map(len, heads))
    for index, row in enumerate(written[:MAX_ROWS]):
        used += sum(min(len(text), CELL_LENGTH) for text in row[: len(heads)])
        if used > MAX_CHARACTERS:
            return index
    return min(len(written), MAX_ROWS)


def _numeric(rows: Sequence[Row], index: int) -> bool:
    values = [row[index] for row in rows if row[index] is not None]
    return bool(values) and all(isinstance(value, NUMBERS) and not isinstance(value, bool) for value in values)


def _cell(value: Any, text: str) -> Block:
    if isinstance(value, NUMBERS) and not isinstance(value, bool) and _plain_number(value):
        return {"type": "raw_number", "value": float(value) if isinstance(value, Decimal) else value, "text": text}
    return _raw_text(text)


def _plain_number(value: float | Decimal) -> bool:
    """Whether JSON and a spreadsheet's double hold the value: no NaN, no infinity, no integer beyond 2^53."""
    return math.isfinite(value) and -LARGEST <= value <= LARGEST


def _raw_text(text: str) -> Block:
    words = visible(text) or " "
    return {"type": "raw_text", "text": words if len(words) <= CELL_LENGTH else words[: CELL_LENGTH - 1] + "…"}
