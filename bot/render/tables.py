"""Rows become a Slack table of at most 99 rows, 20 columns and 10,000 characters. Omissions are counted in words.

More rows than a page become a `data_table`, to be sorted and paged; `table` serves a Slack without it. Cells are raw.
"""

import math
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from ai.agents.port import TableEvent
from ai.results.cells import Block as Rows
from ai.results.csv import header, lines
from ai.results.table import ResultTable, Row
from bot.render.text import Block, cut, visible

PAGE = 10  # rows
CAPTION = 150
MAX_ROWS = 99
MAX_COLUMNS = 20
MAX_CHARACTERS = 10_000
CELL_LENGTH = 200
LARGEST = 2**53
GRID_NOTE = 40  # characters kept for the line of omitted rows
NUMBERS = (int, float, Decimal)


def headings(event: TableEvent) -> tuple[str, ...]:
    """Return the heads of the columns in words, else their names."""
    return event.headings or tuple(column.name for column in event.table.columns)


def texts(event: TableEvent) -> tuple[tuple[str, ...], ...]:
    """Return the cells as people read them."""
    return event.cells or tuple(tuple(cell_text(value) for value in row) for row in event.table.rows)


def data_block(event: TableEvent) -> Block:
    """Return a table to sort and page, or a plain one where all rows fit on a page."""
    cells = _fitting(event)
    if len(cells) <= PAGE:
        return table_block(event)
    heads = [_raw_text(head) for head in headings(event)[:MAX_COLUMNS]]
    names = ", ".join(head["text"] for head in heads)
    return {
        "type": "data_table",
        "caption": cut(f"{len(cells)} rows: {names}", CAPTION),
        "page_size": PAGE,
        "rows": [heads, *cells],
    }


def table_block(event: TableEvent) -> Block:
    heads = [_raw_text(head) for head in headings(event)[:MAX_COLUMNS]]
    cells = _fitting(event)
    rows = event.table.rows[: len(cells)]
    return {
        "type": "table",
        "column_settings": [{"align": "right" if _numeric(rows, index) else "left"} for index in range(len(heads))],
        "rows": [heads, *cells],
    }


def left_out(event: TableEvent) -> str:
    """Return the omissions of the table block in words, "" without any."""
    table, shown = event.table, len(_fitting(event))
    notes = []
    if shown < table.row_count:
        notes.append(f"the first {shown:,} of {table.row_count:,} rows")
    if len(table.columns) > MAX_COLUMNS:
        notes.append(f"the first {MAX_COLUMNS} of {len(table.columns)} columns")
    return f"Shown are {' and '.join(notes)}; “export this as csv” gives all." if notes else ""


def grid(event: TableEvent, most: int, rows: int | None = None) -> str:
    """Return the first rows in aligned columns of at most `most` characters; a last line counts the omitted rows."""
    lines = [[visible(text) for text in line] for line in (headings(event), *texts(event)[:rows])]
    numeric = [_numeric(event.table.rows[:rows], index) for index in range(len(event.table.columns))]
    widths = [max(len(line[index]) for line in lines) for index in range(len(event.table.columns))]
    shown, used = list[str](), GRID_NOTE
    for line in lines:
        cells = zip(line, widths, numeric, strict=True)
        text = "  ".join(cell.rjust(width) if number else cell.ljust(width) for cell, width, number in cells).rstrip()
        used += len(text) + 1
        if shown and used > most:
            break
        shown.append(text[:most])
    if (told := len(shown) - 1) < event.table.row_count:
        shown.append(f"… and {event.table.row_count - told:,} more rows")
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


def _fitting(event: TableEvent) -> list[list[Block]]:
    """Return the cells of as many rows as a block takes."""
    used = sum(len(_raw_text(head)["text"]) for head in headings(event)[:MAX_COLUMNS])
    found: list[list[Block]] = []
    for row, written in zip(event.table.rows[:MAX_ROWS], texts(event), strict=False):
        cells = list(map(_cell, row[:MAX_COLUMNS], written))
        used += sum(len(cell["text"]) for cell in cells)
        if used > MAX_CHARACTERS:
            break
        found.append(cells)
    return found


def _numeric(rows: Sequence[Row], index: int) -> bool:
    values = [row[index] for row in rows if row[index] is not None]
    return bool(values) and all(isinstance(value, NUMBERS) and not isinstance(value, bool) for value in values)


def _cell(value: Any, text: str) -> Block:
    if isinstance(value, NUMBERS) and not isinstance(value, bool) and _plain_number(value):
        return {"type": "raw_number", "value": float(value) if isinstance(value, Decimal) else value, "text": text}
    return _raw_text(text)


def _plain_number(value: float | Decimal) -> bool:
    is_finite = value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)
    return is_finite and -LARGEST <= value <= LARGEST


def _raw_text(text: str) -> Block:
    words = visible(text) or " "
    return {"type": "raw_text", "text": words if len(words) <= CELL_LENGTH else words[: CELL_LENGTH - 1] + "…"}
