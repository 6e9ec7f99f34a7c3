"""Receipts that somebody changed behind the memory's back: each is named by its number and turn, and how."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from ai.memory.limits import MemoryLimits
from ai.memory.log.database import writing
from ai.memory.seals import chain_at
from ai.memory_store import open_memory
from ai.results.store import ResultStore
from tests.cases import cases
from tests.memories import THREAD, ask, store_in, turn


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("tampered.jsonl")))
def test_what_was_done_to_receipts_is_named(tmp_path: Path, case: dict[str, Any]) -> None:
    url = store_in(tmp_path)
    chain = chain_at(tmp_path / "key", tmp_path, url)
    memory = open_memory(url, ResultStore(tmp_path / "results"), MemoryLimits(), chain=chain)
    try:
        for number in (1, 2, 3, 4):
            ask(memory, number, f"question {number}")
            memory.add_sealed_reply(THREAD, turn(number), f"answer {number}", {"sql": f"SELECT {number}"})
        with writing(memory.parts.engine) as connection:
            for statement in case["sql"]:
                connection.execute(text(statement.replace(":", r"\:")))
        with memory.receipts.check() as check:
            assert [list(problem) for problem in check.problems()] == case["problems"]
    finally:
        memory.close()
