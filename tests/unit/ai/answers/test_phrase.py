"""Results in words."""

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.answers.phrase import Asked, figure, literal, phrase
from ai.results.table import ResultColumn, ResultTable
from tests.cases import cases


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("phrases.jsonl")))
def test_phrases(case: dict[str, Any]) -> None:
    rows = tuple(tuple(row) for row in case["rows"])
    width = len(rows[0]) if rows else 1
    columns = tuple(ResultColumn(f"c{number}") for number in range(width))
    result = ResultTable(columns, rows, case.get("row_count", len(rows)), case.get("truncated", False))
    asked = Asked(**{**case["asked"], "figures": tuple(case["asked"].get("figures", ()))})
    assert "".join(phrase(asked, result)) == case["says"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Decimal("1234.50"), "1,234.50"),
        (2**53 + 1, "9,007,199,254,740,993"),
        (1e21, "1,000,000,000,000,000,000,000"),
        (True, "yes"),
        (-0.5, "-0.5"),
    ],
)
def test_figures_keep_their_value(value: Any, said: str) -> None:
    assert figure(value) == said


@settings(deadline=None)
@given(st.text())
def test_a_literal_has_no_bare_markup_and_loses_nothing_visible(text: str) -> None:
    escaped = literal(text)
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_`\[\]<>@&|#~]", escaped)
    assert "\n" not in escaped
    assert literal(re.sub(r"\\(.)", r"\1", escaped)) == escaped
