"""Rows with several days, things not recorded, parts of an amount, and means of rows."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import read
from ai.sql.database import Database
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY, assert_gives, open_store

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def canteen(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("canteen"), HERE / "canteen.sql")


@pytest.mark.parametrize("case", cases(HERE / "canteen_readings.jsonl"))
def test_a_question_about_canteens_is_read(case: dict[str, Any], canteen: Database) -> None:
    assert_gives(case, read(case["asked"], canteen.catalog(), TODAY), canteen)
