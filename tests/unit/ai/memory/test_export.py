"""A thread written out for programs."""

import json
from pathlib import Path

from ai.memory.keeping import as_json
from tests.memories import THREAD, ask, opened


def test_a_written_thread_keeps_its_fields(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        ask(memory, 1, "how many?")
        memory.store_sql_query(THREAD, "SELECT 1", "how many?", {"success": True, "data": [{"n": 1}]})
        written = json.loads(as_json(THREAD, memory.archives.everything(THREAD), memory.queries(THREAD)))
    (message,), (query,) = written["messages"], written["queries"]
    assert message.keys() == {"turn_id", "role", "author", "content", "tokens", "created_at"}
    said = {name: query[name] for name in ("sql", "status", "row_count", "headline")}
    assert said == {"sql": "SELECT 1", "status": "ok", "row_count": 1, "headline": "1"}
