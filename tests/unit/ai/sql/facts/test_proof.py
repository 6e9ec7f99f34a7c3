"""Queries that make up their answer."""

from pathlib import Path
from typing import Any

import pytest

from ai.sql.facts import unproven
from tests.cases import cases


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("proof.jsonl")))
def test_proof(case: dict[str, Any]) -> None:
    found = unproven(case["sql"], case.get("dialect", "sqlite"))
    assert bool(found) == case["refused"], found
