"""Which messages want what is kept, told by their words alone."""

from pathlib import Path
from typing import Any

import pytest

from tests.cases import cases
from tests.desk import cards


@pytest.mark.parametrize("line", cases(Path(__file__).with_name("lanes.jsonl")))
def test_the_lane_of_a_message(line: dict[str, Any]) -> None:
    assert cards().is_quick(line["text"]) == line["quick"]
