"""Corrections that define something are read against the catalogue, kept as JSON, and laid over a file."""

from pathlib import Path

import pytest

from ai.sql.catalog import Catalog, Column, Table
from ai.sql.semantics import (
    Metric,
    Semantics,
    Sentence,
    Synonym,
    Wording,
    as_json,
    change_from,
    defined,
    in_words,
    overlaid,
    parse_semantics,
    to_yaml,
)
from tests.cases import cases

HERE = Path(__file__).parent
USERS = Table("users", (Column("status", "TEXT", "text", values=("A", "X")), Column("year", "INT", "integer")))
ORDERS = Table(
    "orders",
    (Column("total", "REAL", "number"), Column("refunded", "INT", "integer"), Column("year", "INT", "integer")),
)
CATALOG = Catalog("shop", "sqlite", (USERS, ORDERS))
REVENUE = Metric("revenue", "orders", "SUM(total)")
NET = Metric("Revenue", "orders", "SUM(total)", "refunded = 0", synonyms=("sales",))


@pytest.mark.parametrize("case", cases(HERE / "semantics_change.jsonl"))
def test_a_definition(case: dict[str, str]) -> None:
    found = defined(case["term"], case["means"], CATALOG)
    assert (in_words(found) if found else "") == case["said"]


@pytest.mark.parametrize("change", [Sentence("revenue excludes refunds"), NET, Wording("live", "users", "status", "A")])
def test_a_change_comes_back_as_it_was_kept(change: Sentence | Metric | Wording) -> None:
    assert change_from(as_json(change)) == change


@pytest.mark.parametrize("kept", [None, 3, {}, {"kind": "table"}, {"kind": "metric", "name": "x"}])
def test_nothing_else_is_taken_for_a_change(kept: None) -> None:
    assert change_from(kept) is None


def test_changes_lie_over_the_file() -> None:
    file = Semantics(metrics=(REVENUE,), rules=("Prices are net.",), version=3)
    found = overlaid(file, [NET, Sentence("Weeks begin on Sunday.")], 2)
    assert found.metrics == (NET,)
    assert found.rules == ("Prices are net.", "Weeks begin on Sunday.")
    assert found.version == 5
    assert file.metrics == (REVENUE,)


def test_definitions_are_written_as_a_file_that_reads_back() -> None:
    semantics = Semantics(
        metrics=(NET,),
        synonyms=(Synonym("client", "users"),),
        display={"users": "name"},
        dates={"orders": "year"},
        wordings=(Wording("live", "users", "status", "A"), Wording("active", "users", "status", "A")),
        hidden=frozenset({"audit"}),
        rules=("Prices are net: “always”.",),
        version=4,
    )
    assert parse_semantics(to_yaml(semantics), "shown").semantics == semantics
