"""Who did it, when it came about and how often it happened, on a company whose columns only hint at it."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import read
from ai.sql.database import Database
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY, assert_gives, open_store

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("company"), HERE / "company.sql")


@pytest.mark.parametrize("case", cases(HERE / "company_readings.jsonl"))
def test_what_columns_hint_at_is_read(case: dict[str, Any], company: Database) -> None:
    found = read(case["asked"], company.catalog(), TODAY)
    assert_gives(case, found, company)
