"""Questions about companies that declare no keys, keep numbers as text, or have no amount but in their lines."""

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


@pytest.fixture(scope="module")
def depot(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("depot"), HERE / "depot.sql")


@pytest.mark.parametrize("case", cases(HERE / "bureau_readings.jsonl"))
def test_what_no_key_declares_is_read(case: dict[str, Any], bureau: Database) -> None:
    assert_gives(case, read(case["asked"], bureau.catalog(), TODAY), bureau)


@pytest.mark.parametrize("case", cases(HERE / "depot_readings.jsonl"))
def test_what_stands_in_lines_is_read(case: dict[str, Any], depot: Database) -> None:
    assert_gives(case, read(case["asked"], depot.catalog(), TODAY), depot)
