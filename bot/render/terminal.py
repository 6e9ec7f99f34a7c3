"""Reply events for a terminal: plain text, or a JSON record."""

import json
from typing import Any

from ai.agents.port import Answer, CautionEvent, ChartEvent, FileEvent, NoteEvent, ReceiptEvent, TableEvent, said
from ai.language.texts import ENGLISH_TEXTS, Translator
from ai.memory_store import MemoryStore
from bot.render.plain import caution_text, note_text
from bot.render.tables import grid
from bot.render.text import plain
from bot.render.translated import in_language

SHOWN_ROWS = 50
UNLIMITED = 2**31


def as_text(answer: Answer, texts: Translator = ENGLISH_TEXTS, *, receipt: bool = False) -> str:
    """Return an answer as plain text, with its receipt where wanted."""
    parts = []
    for event in (in_language(one, texts) for one in answer.events):
        match event:
            case ReceiptEvent(sql, lines, closing=closing):
                parts.append("\n".join((*lines, sql, *closing)) if receipt else "")
            case TableEvent():
                parts.append(grid(event, UNLIMITED, SHOWN_ROWS))
            case ChartEvent(chart):
                parts.append(texts(f"Chart: {chart.words.title} (`--chart FILE` draws it)"))
            case CautionEvent(text):
                parts.append(caution_text(text))
            case NoteEvent():
                parts.append(texts(note_text(event)))
            case FileEvent(path, _):
                parts.append(texts(f"File: {path}"))
            case _:
                parts.append(plain(said(event)))
    return "\n\n".join(part for part in parts if part)


def as_record(answer: Answer, memory: MemoryStore) -> str:
    """Return JSON with `text, sql, columns, rows, reading, analyst, ms`; without SQL the last six are null."""
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
