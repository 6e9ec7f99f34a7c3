"""The words that names of schemas stand for."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.identifiers import name_parts
from tests.cases import cases


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("identifiers.jsonl")))
def test_words_of_a_name(case: dict[str, Any]) -> None:
    assert list(name_parts(case["name"])) == case["words"]
