"""Questions about a company whose schema declares no keys, keeps numbers as text, and compares columns of one row."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import read
from ai.sql.database import Database
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY, assert_gives, open_store

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def bureau(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("bureau"), HERE / "bureau.sql")


@pytest.mark.parametrize("case", cases(HERE / "bureau_readings.jsonl"))
def test_what_no_key_declares_is_read(case: dict[str, Any], bureau: Database) -> None:
    assert_gives(case, read(case["asked"], bureau.catalog(), TODAY), bureau)
