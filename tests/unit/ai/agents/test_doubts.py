"""Results that ran and still look wrong."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ai.agents.querying.doubts import doubt
from ai.results.table import ResultColumn, ResultTable
from ai.sql.catalog import Catalog, Column, Table
from tests.cases import cases

COLUMNS = (Column("name", "TEXT", "text"), Column("platform", "TEXT", "text", values=("Android", "iOS")))
CATALOG = Catalog("shop", "sqlite", (Table("apps", COLUMNS),))


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("doubts.jsonl")))
def test_doubt(case: dict[str, Any]) -> None:
    rows = tuple(map(tuple, case["rows"]))
    table = ResultTable((ResultColumn("name"),), rows, len(rows))
    sql = case.get("sql", "SELECT name FROM apps")
    assert doubt(case["expects"], sql, table, CATALOG, date(2026, 11, 22)) == case["doubt"]
