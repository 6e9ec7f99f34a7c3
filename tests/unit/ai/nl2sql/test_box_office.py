"""Shortened names and coded states, two figures at once, short names of firms and shows, and what points at nothing."""

from pathlib import Path
from typing import Any

import pytest

from ai.sql.database import Database
from tests.cases import cases
from tests.unit.ai.nl2sql.store import assert_gives, assert_read_as, open_store, read_thread

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def box_office(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("box office"), HERE / "box_office.sql")


@pytest.mark.parametrize("case", cases(HERE / "box_office_readings.jsonl"))
def test_a_box_office_is_asked_about(case: dict[str, Any], box_office: Database) -> None:
    found = read_thread(case["asked"], box_office.catalog())
    if "says" in case:
        assert_gives(case, found, box_office)
    else:
        assert_read_as(case, found, box_office)
