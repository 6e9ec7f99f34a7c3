"""Words of a question whose names in the schema drop letters."""

from pathlib import Path
from typing import Any

import pytest

from ai.language.shortened import is_short, shortening, spoken
from ai.nl2sql.reader import Doubt
from ai.sql.database import Database
from tests.cases import cases
from tests.unit.ai.nl2sql.store import DOCK, assert_read_as, open_store, read_thread

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def dock(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("dock"), DOCK)


@pytest.mark.parametrize("case", cases(HERE / "dock.jsonl"))
def test_words_are_read_as_their_short_names(case: dict[str, Any], dock: Database) -> None:
    assert_read_as(case, read_thread(case["asked"], dock.catalog()), dock)


@pytest.mark.parametrize(
    "asked", ["how many customers are there?", "list the tokens", "how many passengers are there?"]
)
def test_what_only_looks_alike_is_not_answered(asked: str, dock: Database) -> None:
    assert isinstance(read_thread([asked], dock.catalog()), Doubt)


@pytest.mark.parametrize(
    ("part", "word", "fits"),
    [("dmg", "damage", True), ("veh", "vehicle", True), ("cst", "customer", True), ("svc", "service", True),
     ("xtr", "extra", True), ("mk", "make", True), ("cst", "construction", False), ("rt", "rental", False),
     ("ret", "rental", False), ("plt", "palace", False)],
)  # fmt: skip
def test_how_words_are_shortened(part: str, word: str, fits: bool) -> None:
    assert (shortening(part, word) is not None) is fits


def test_a_word_is_no_short_form() -> None:
    assert [part for part in ("rnt", "pay", "seats", "veh", "rnt2") if is_short(part)] == ["rnt", "veh"]


def test_names_are_said_in_the_words_of_the_question() -> None:
    asked = ["how", "many", "rented", "rentals"]
    assert [spoken(part, asked) for part in ("rnt", "cst")] == ["rental", "cst"]
