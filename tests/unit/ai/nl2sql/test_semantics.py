"""What the semantics file changes: the same real database, read with metrics, synonyms and wordings."""

from pathlib import Path
from typing import Any

import pytest
from sqlglot import exp

from ai.nl2sql.reader import Doubt, Reading, read
from ai.nl2sql.writer.metrics import metric_sql
from ai.sql.database import Database
from ai.sql.semantics import NO_SEMANTICS, Metric, Semantics, fitting, read_semantics
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY, assert_read_as, read_thread

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def semantics(store: Database) -> Semantics:
    file = read_semantics(HERE / "semantics.yaml")
    assert list(file.problems(store.catalog())) == []
    return fitting(file.semantics, store.catalog())


@pytest.mark.parametrize("case", cases(HERE / "semantic_readings.jsonl"))
def test_definitions_are_read(case: dict[str, Any], store: Database, semantics: Semantics) -> None:
    catalog = store.catalog()
    found = read_thread(case["asked"], catalog, semantics)
    if "says" in case:
        assert isinstance(found, Doubt), found
        assert found.reason == case["says"]
        return
    assert_read_as(case, found, store)


def test_a_follow_up_on_a_metric_that_is_no_longer_defined_is_no_follow_up(
    store: Database, semantics: Semantics
) -> None:
    before = read_thread(["revenue per install by platform"], store.catalog(), semantics)
    assert isinstance(before, Reading)
    found = read("only iOS", store.catalog(), TODAY, before.meaning, NO_SEMANTICS)
    assert isinstance(found, Doubt)


@pytest.mark.parametrize(
    ("expression", "sql"),
    [
        ("SUM(a)", "SUM(CASE WHEN t.k = 1 THEN t.a END)"),
        ("COUNT(*)", "COUNT(CASE WHEN t.k = 1 THEN 1 END)"),
        ("COUNT(DISTINCT a)", "COUNT(DISTINCT CASE WHEN t.k = 1 THEN t.a END)"),
        ("SUM(a) / COUNT(b)", "SUM(CASE WHEN t.k = 1 THEN t.a END) / COUNT(CASE WHEN t.k = 1 THEN t.b END)"),
    ],
)
def test_a_condition_is_inside_each_aggregate(expression: str, sql: str) -> None:
    found = metric_sql(Metric("m", "t", expression, "k = 1"), exp.to_table("t"), "postgres")
    assert found.sql(dialect="postgres").replace("CAST(", "").replace(" AS DOUBLE PRECISION)", "") == sql
