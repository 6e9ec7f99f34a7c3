"""What people type in a hurry: chat forms and common slips say what their whole words say."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import Doubt, Reading
from ai.sql.database import Database
from tests.cases import cases
from tests.unit.ai.nl2sql.store import read_thread

HERE = Path(__file__).parent


@pytest.mark.parametrize("case", cases(HERE / "everyday.jsonl"))
def test_a_hurried_message_says_what_its_whole_words_say(case: dict[str, Any], store: Database) -> None:
    before = [case["before"]] if "before" in case else []
    typed, plain = (read_thread([*before, case[how]], store.catalog()) for how in ("typed", "plain"))
    if isinstance(plain, Doubt):
        assert isinstance(typed, Doubt)
        assert typed.options == plain.options
    else:
        assert isinstance(typed, Reading), typed
        assert typed.meaning == plain.meaning


@pytest.mark.parametrize(
    ("typed", "named"),
    [("wich flurbs", "“flurbs”"), ("gimme b/c installs", "“b/c”")],
)
def test_a_refusal_names_the_words_as_they_were_typed(typed: str, named: str, store: Database) -> None:
    found = read_thread([typed], store.catalog())
    assert isinstance(found, Doubt)
    assert found.reason == f"I cannot read {named} in this question as something that this data holds."
