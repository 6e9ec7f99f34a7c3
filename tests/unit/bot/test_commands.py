"""What commands of the command line tell and write: lines of `commands.jsonl`; `tests/commands.py` runs them."""

from pathlib import Path
from typing import Any

import pytest

from tests.cases import cases
from tests.commands import COMMANDS, told


@pytest.mark.parametrize("case", cases(COMMANDS))
def test_a_command_does_what_it_says(case: dict[str, Any], tmp_path: Path) -> None:
    found = told(case, tmp_path)
    assert found.status == case.get("status", 0), found.text
    assert found.text == case["tells"] if "tells" in case else "says" in case
    assert [text for text in case.get("says", []) if text not in found.text] == [], found.text
    assert [pattern for pattern in case.get("leaves", []) if not [*tmp_path.glob(pattern)]] == []
    assert [*found.written] == case.get("writes", [])
