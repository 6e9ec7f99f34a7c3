"""What functions of plain values give: lines of `functions.jsonl`; `tests/calls.py` says how they read."""

from typing import Any

import pytest

from tests.calls import BOT_CALLS, given
from tests.cases import cases


@pytest.mark.parametrize("line", cases(BOT_CALLS))
def test_a_function_gives_what_it_gave(line: dict[str, Any]) -> None:
    assert given(line) == line["gives"]
