"""Results are compared row by row, line by line of data."""

from pathlib import Path
from typing import Any

import pytest

from ai.results.differences import Rows, difference
from ai.results.table import ResultColumn
from tests.cases import cases

HERE = Path(__file__).parent


def rows(cells: list[list[Any]], names: list[str] | None) -> Rows:
    given = names or [f"c{place}" for place in range(len(cells[0]) if cells else 1)]
    return Rows(tuple(map(ResultColumn, given)), tuple(map(tuple, cells)))


@pytest.mark.parametrize("case", cases(HERE / "differences.jsonl"))
def test_a_difference(case: dict[str, Any]) -> None:
    names = case.get("names", [None, None])
    found = difference(rows(case["before"], names[0]), rows(case["after"], names[1]))
    assert found.same == case["same"]
    assert [list(row) for row in found.missing] == case.get("missing", [])
    assert [list(row) for row in found.extra] == case.get("extra", [])
    assert [[cell.column, cell.before, cell.after] for cell in found.changed] == case.get("changed", [])
    assert found.columns == case.get("columns", "")
    assert found.is_none == (not case.keys() & {"missing", "extra", "changed", "columns"})
