"""What people ask of a shop: sales, best sellers, customers, what was never sold."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import read
from ai.sql.database import Database
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY, assert_gives, open_store

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def bookshop(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("bookshop"), HERE / "bookshop.sql")


@pytest.mark.parametrize("case", cases(HERE / "bookshop_readings.jsonl"))
def test_a_question_about_a_bookshop_is_read(case: dict[str, Any], bookshop: Database) -> None:
    assert_gives(case, read(case["asked"], bookshop.catalog(), TODAY), bookshop)
