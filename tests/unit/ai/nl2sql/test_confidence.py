"""How sure a reading is: its features, and what is asked back of an unsure one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.confidence.asking import doubted
from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.confidence.features import FEATURES
from ai.nl2sql.confidence.judging import PLAIN, asked_below, confidence, is_plain, weighed, weights
from ai.nl2sql.reader import Doubt, derived
from ai.nl2sql.second_look import ThreadMessage, judged
from ai.results.table import ResultColumn, ResultTable
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


@pytest.mark.parametrize("case", cases(HERE / "unsure.jsonl"))
def test_what_is_asked_back_says_what_is_doubtful(case: dict[str, Any], club: Database) -> None:
    doubt = doubted(derivation(case["asked"], club))
    assert doubt.reason == case["says"]
    assert set(case["options"]) <= {*doubt.options}
    assert doubt.options[0] == case["options"][0]


@pytest.mark.parametrize("case", cases(HERE / "results.jsonl"))
def test_features_tell_how_a_result_looks(case: dict[str, Any], club: Database) -> None:
    found = features(replace(derivation(case["asked"], club), result=table(case)))
    assert {name: found[name] for name in case["features"]} == case["features"]


def features(made: Derivation) -> dict[str, float]:
    return {name: float(feature(made)) for name, feature in FEATURES.items()}


def table(case: dict[str, Any]) -> ResultTable | None:
    if "rows" not in case:
        return None
    rows = tuple(map(tuple, case["rows"]))
    columns = tuple(ResultColumn(f"c{at}") for at in range(len(rows[0]) if rows else 1))
    return ResultTable(columns, rows, case.get("of", len(rows)))


def test_the_weights_decide(club: Database) -> None:
    made = replace(
        derivation(["coaches with their left date"], club), result=table({"rows": [["Ada", None], ["Bo", 1]]})
    )
    bias, found = weights("alone")
    without = tuple(weight for weight in found if weight.feature is not FEATURES["shows_open_days"])
    assert len(without) == len(found) - 1
    assert weighed(made, bias, without) > confidence(made)
    assert FEATURES["shows_open_days"](made)


def test_the_same_reading_is_asked_back_by_an_odd_result_only(club: Database) -> None:
    def asked(rows: list[list[Any]], of: int) -> Doubt | None:
        result = table({"rows": rows, "of": of})
        assert result is not None
        return judged(result, ThreadMessage("fans in 2026"), club.catalog(), TODAY)

    assert asked([["Ada"]], 1) is None
    doubt = asked([["Ada"], ["Bo"]], 4_000)
    assert doubt is not None
    assert len(doubt.options) > 1
    assert "4,000 rows" in doubt.reason


def test_a_plain_question_is_answered_whatever_the_weights_say(club: Database) -> None:
    made = derivation(["jobs begun in October"], club)
    assert is_plain(made)
    assert confidence(made) >= PLAIN > asked_below(made)
