"""How sure a reading is: its features, and what is asked back of an unsure one."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.confidence.features import features
from ai.nl2sql.reader import derived
from ai.sql.database import Database
from ai.sql.semantics import fitting, read_semantics
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY, open_store

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("club"), HERE / "club.sql")


def derivation(asked: list[str], club: Database) -> Derivation:
    """Return how the last question of a thread was read."""
    semantics = fitting(read_semantics(HERE / "club.yaml").semantics, club.catalog())
    made: list[Derivation] = []
    for question in asked:
        earlier = [each.meaning for each in made]
        found = derived(question, club.catalog(), TODAY, earlier[0] if earlier else None, semantics, earlier[1:])
        assert isinstance(found, Derivation), found
        made.insert(0, found)
    return made[0]


@pytest.mark.parametrize("case", cases(HERE / "confidence.jsonl"))
def test_features_tell_how_a_reading_was_made(case: dict[str, Any], club: Database) -> None:
    found = features(derivation(case["asked"], club))
    assert {name: found[name] for name in case["features"]} == case["features"]
