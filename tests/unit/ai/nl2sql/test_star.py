"""A star schema without definitions: dimensions, facts and bridges, keys that are numbers, kinds instead of names."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import read
from ai.sql.database import Database
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY, assert_gives, open_store

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def star(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("star"), HERE / "star.sql")


@pytest.mark.parametrize("case", cases(HERE / "star_readings.jsonl"))
def test_a_star_schema_is_read(case: dict[str, Any], star: Database) -> None:
    found = read(case["asked"], star.catalog(), TODAY)
    assert_gives(case, found, star)
