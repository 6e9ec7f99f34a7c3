"""The SQL tells which definitions it goes by, line by line."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.definitions_used import definitions_used
from ai.sql.semantics import Metric, Semantics, Wording
from tests.cases import cases

HERE = Path(__file__).parent
SEMANTICS = Semantics(
    metrics=(
        Metric("revenue", "orders", "SUM(total)", "status = 'P'"),
        Metric("turnover", "orders", "SUM(total)"),
        Metric("average order", "orders", "SUM(total) / COUNT(*)"),
    ),
    wordings=(Wording("paid", "orders", "status", "P"), Wording("settled", "orders", "status", "P")),
)


@pytest.mark.parametrize("case", cases(HERE / "definitions_used.jsonl"))
def test_a_query(case: dict[str, Any]) -> None:
    assert list(definitions_used(case["sql"], SEMANTICS, "sqlite")) == case["used"]
