"""What each database answers when it is asked for the cost of a query, as its documentation shows it, and how it is read."""

import json
from pathlib import Path
from typing import Any

import pytest

from ai.results.table import Row
from ai.sql.dialects import DIALECTS
from ai.sql.preflight import PREFLIGHTS, cost_of

CASES = [json.loads(line) for line in Path(__file__).with_name("preflight.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[f"{number}-{case['dialect']}" for number, case in enumerate(CASES)])
def test_the_cost_is_read(case: dict[str, Any]) -> None:
    asked: list[str] = []

    def run(statement: str) -> list[Row]:
        asked.append(statement)
        return [tuple(row) for row in case["rows"]]

    cost = cost_of(case["dialect"], "SELECT 1", run)
    assert (cost and str(cost)) == case["cost"]
    assert asked == ([case["statement"]] if case["statement"] else [])


def test_every_database_that_tells_a_cost_is_one_of_ours_and_has_a_case() -> None:
    assert PREFLIGHTS.keys() == {dialect.name for dialect in DIALECTS} - {"sqlite"}
    assert PREFLIGHTS.keys() <= {case["dialect"] for case in CASES}
