"""States that are words of grammar, roles of staff, joins by parents, the worst of a rate, and two figures at once."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import Doubt
from ai.sql.database import Database
from ai.sql.semantics import Semantics, fitting, read_semantics
from tests.cases import cases
from tests.unit.ai.nl2sql.store import assert_read_as, open_store, read_thread

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("bank"), HERE / "bank.sql")


@pytest.fixture(scope="module")
def semantics(bank: Database) -> Semantics:
    return fitting(read_semantics(HERE / "bank.yaml").semantics, bank.catalog())


@pytest.mark.parametrize("case", cases(HERE / "bank_readings.jsonl"))
def test_a_bank_is_asked_about(case: dict[str, Any], bank: Database, semantics: Semantics) -> None:
    found = read_thread(case["asked"], bank.catalog(), semantics)
    if "says" in case:
        assert isinstance(found, Doubt), found
        assert found.reason == case["says"]
    else:
        assert_read_as(case, found, bank)
