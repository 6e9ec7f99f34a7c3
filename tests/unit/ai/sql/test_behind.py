"""The query for the rows behind a figure: all columns of what is added up, the named ones of the rest, or none at all."""

from pathlib import Path

import pytest

from ai.sql.behind import rows_behind
from ai.sql.catalog import Catalog
from tests.cases import cases
from tests.unit.ai.sql.test_bindings import TABLES


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("behind.jsonl")))
def test_the_rows_behind_a_figure(case: dict[str, str | None]) -> None:
    assert rows_behind(str(case["sql"]), Catalog("x", "sqlite", TABLES)) == case["behind"]
