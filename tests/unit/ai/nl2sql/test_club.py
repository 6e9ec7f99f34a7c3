"""How colleagues type: slips and short forms, words of now, people without a name, names that only the owner knows."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import Doubt, Reading, read
from ai.sql.database import Database
from ai.sql.semantics import Semantics, fitting, read_semantics
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY, assert_gives, assert_read_as, open_store, read_thread

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("club"), HERE / "club.sql")


@pytest.fixture(scope="module")
def semantics(club: Database) -> Semantics:
    return fitting(read_semantics(HERE / "club.yaml").semantics, club.catalog())


@pytest.mark.parametrize("case", cases(HERE / "club_readings.jsonl"))
def test_a_typed_question_is_read(case: dict[str, Any], club: Database, semantics: Semantics) -> None:
    found = read(case["asked"], club.catalog(), TODAY, semantics=semantics, unanswered=tuple(case.get("lost", ())))
    assert_gives(case, found, club)


@pytest.mark.parametrize("case", cases(HERE / "club_offers.jsonl"))
def test_money_is_asked_back_with_the_amounts_there_are(
    case: dict[str, Any], club: Database, semantics: Semantics
) -> None:
    found = read(case["asked"], club.catalog(), TODAY, semantics=semantics)
    assert isinstance(found, Doubt)
    assert case["offers"] in found.options


@pytest.mark.parametrize("case", cases(HERE / "club_threads.jsonl"))
def test_a_typed_thread_is_read(case: dict[str, Any], club: Database, semantics: Semantics) -> None:
    found = read_thread(case["asked"], club.catalog(), semantics)
    if "says" in case:
        assert isinstance(found, Doubt), found
        assert found.reason == case["says"]
    else:
        assert_read_as(case, found, club)


@pytest.mark.parametrize("case", cases(HERE / "club_gaps.jsonl"))
def test_a_step_after_unanswered_questions_goes_on_where_they_left_the_answer_as_it_is(
    case: dict[str, Any], club: Database, semantics: Semantics
) -> None:
    before = read_thread(case["before"], club.catalog(), semantics)
    assert isinstance(before, Reading)
    lost = tuple(case["lost"])
    found = read(case["asked"], club.catalog(), TODAY, before.meaning, semantics, unanswered=lost)
    if case["reading"] is None:
        assert isinstance(found, Doubt), found
    else:
        assert_read_as(case, found, club)
        assert isinstance(found, Reading)
        assert found.assumptions
