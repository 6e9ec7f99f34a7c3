"""A star schema without definitions: dimensions, facts and bridges, keys that are numbers, kinds instead of names."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import Doubt, Reading, read
from ai.sql.database import Database
from ai.sql.guard import check
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def star(tmp_path_factory: pytest.TempPathFactory) -> Database:
    path = tmp_path_factory.mktemp("star") / "star.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((HERE / "star.sql").read_text("utf-8"))
    return Database("star", f"sqlite:///{path}")


@pytest.mark.parametrize("case", cases(HERE / "star_readings.jsonl"))
def test_a_star_schema_is_read(case: dict[str, Any], star: Database) -> None:
    found = read(case["asked"], star.catalog(), TODAY)
    if "says" in case:
        assert isinstance(found, Doubt), found
        assert found.reason == case["says"]
        return
    assert isinstance(found, Reading), found
    with star.run(check(found.sql, star.catalog())) as stream:
        rows = [list(row) for batch in stream.batches for row in batch]
    assert sorted(map(repr, rows)) == sorted(map(repr, case["rows"])), found.sql
