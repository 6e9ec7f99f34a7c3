"""What is found about a change that was planted: lines of `explained.jsonl`; `tests/studies.py` writes them anew."""

from typing import Any

import pytest

from tests.cases import cases
from tests.studies import EXPLAINED, finding_of, told


@pytest.mark.parametrize("line", cases(EXPLAINED))
def test_a_planted_change_is_found(line: dict[str, Any]) -> None:
    assert told(finding_of(line)) == line["found"]
