"""Related words as WordNet has them."""

from pathlib import Path
from typing import Any

import pytest

from ai.language.thesaurus import related
from tests.cases import cases


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("related.jsonl")))
def test_related_words(case: dict[str, Any]) -> None:
    assert dict(related(case["phrase"])).get(case["word"]) == case["distance"]
