"""Who did it, when it came about and how often it happened, on a company whose columns only hint at it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import Reading, read
from ai.sql.database import Database
from ai.sql.guard import check
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Database:
    path = tmp_path_factory.mktemp("company") / "company.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((HERE / "company.sql").read_text("utf-8"))
    return Database("company", f"sqlite:///{path}")


@pytest.mark.parametrize("case", cases(HERE / "company_readings.jsonl"))
def test_what_columns_hint_at_is_read(case: dict[str, Any], company: Database) -> None:
    found = read(case["asked"], company.catalog(), TODAY)
    assert isinstance(found, Reading), found
    with company.run(check(found.sql, company.catalog())) as stream:
        rows = [list(row) for batch in stream.batches for row in batch]
    assert sorted(map(repr, rows)) == sorted(map(repr, case["rows"])), found.sql
