"""Columns that share a word, ages, the least of each group, keys that are asked for, and orders by a key."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import Reading, read
from ai.sql.database import Database
from ai.sql.guard import check
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY, open_store

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def college(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("college"), HERE / "college.sql")


@pytest.mark.parametrize("case", cases(HERE / "college_readings.jsonl"))
def test_a_question_gives_rows_in_this_order(case: dict[str, Any], college: Database) -> None:
    found = read(case["asked"], college.catalog(), TODAY)
    assert isinstance(found, Reading), found
    with college.run(check(found.sql, college.catalog())) as stream:
        rows = [list(row) for batch in stream.batches for row in batch]
    assert rows == case["rows"], found.sql
