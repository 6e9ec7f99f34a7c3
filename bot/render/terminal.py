"""Reply events for a terminal: plain text, or one JSON record for programs."""

import json
from typing import Any

from ai.agents.port import Answer, CautionEvent, FileEvent, NoteEvent, ReceiptEvent, TableEvent, said
from ai.memory_store import MemoryStore
from bot.render.message import caution_text, note_text
from bot.render.receipts import receipt_text
from bot.render.tables import headings, texts
from bot.render.text import plain, visible

SHOWN_ROWS = 50


def as_text(answer: Answer) -> str:
    """The answer as a person reads it in a terminal."""
    parts = []
    for event in answer.events:
        match event:
            case TableEvent():
                parts.append(_grid(event))
            case CautionEvent(text):
                parts.append(caution_text(text))
            case NoteEvent():
                parts.append(note_text(event))
            case ReceiptEvent():
                parts.append(receipt_text(event))
            case FileEvent(path, _):
                parts.append(f"File: {path}")
            case _:
                parts.append(plain(said(event)))
    return "\n\n".join(part for part in parts if part)


def as_record(answer: Answer, memory: MemoryStore) -> str:
    """JSON with `text, sql, columns, rows, reading, analyst, ms`; without SQL the last six are null."""
    record: dict[str, Any] = dict.fromkeys(("sql", "columns", "rows", "reading", "analyst", "ms"))
    for note in (event for event in answer.events if isinstance(event, NoteEvent)):
        query = memory.query(note.query_id)
        table = memory.result(query)
        record |= {
            "sql": query.sql,
            "columns": [column.name for column in table.columns],
            "rows": [list(row) for row in table.rows],
            "reading": note.reading,
            "analyst": note.analyst,
            "ms": note.elapsed_ms,
        }
    return json.dumps({"text": plain(answer.text), **record}, ensure_ascii=False, default=str)


def _grid(event: TableEvent) -> str:
    """The first rows in columns as wide as their longest cell."""
    table = event.table
    lines = [[visible(word) for word in words] for words in (headings(event), *texts(event)[:SHOWN_ROWS])]
    widths = [max(len(line[index]) for line in lines) for index in range(len(table.columns))]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    if table.row_count > SHOWN_ROWS:
        shown.append(f"… and {table.row_count - SHOWN_ROWS:,} more rows")
    return "\n".join(shown)
