"""States beside days, revenue without a column called so, people by one name, cheap figures, and who is behind a thing."""

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
def academy(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("academy"), HERE / "academy.sql")


@pytest.fixture(scope="module")
def semantics(academy: Database) -> Semantics:
    return fitting(read_semantics(HERE / "academy.yaml").semantics, academy.catalog())


@pytest.mark.parametrize("case", cases(HERE / "academy_readings.jsonl"))
def test_a_school_is_asked_about(case: dict[str, Any], academy: Database, semantics: Semantics) -> None:
    found = read_thread(case["asked"], academy.catalog(), semantics)
    if "says" in case:
        assert isinstance(found, Doubt), found
        assert found.reason == case["says"]
    else:
        assert_read_as(case, found, academy)
