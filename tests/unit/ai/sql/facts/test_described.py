"""What facts say of a query: its figures, rows, days, groups and order, without what is as usual."""

from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ai.sql.catalog import Catalog, Column, ForeignKey, Kind, Table
from ai.sql.facts import Origin, facts_of
from ai.sql.semantics import Metric, Semantics
from tests.cases import cases

TODAY = date(2026, 11, 22)
KINDS: dict[str, Kind] = {"on": "date", "at": "datetime", "id": "integer", "total": "number", "paid": "boolean"}


def table(name: str, columns: str, key: str = "id", **parents: str) -> Table:
    """A table whose columns have kinds by the ends of their names; only what ends with _on may be empty."""
    made = tuple(
        Column(each, "", KINDS.get(each.rpartition("_")[2], "text"), nullable=each.endswith("_on"))
        for each in columns.split()
    )
    keys = tuple(ForeignKey((column,), to, ("id",)) for column, to in parents.items())
    return Table(name, made, (key,) if key else (), keys)


TABLES = (
    table("customers", "id name country joined_on left_on"),
    table(
        "orders",
        "id customer_id store_id ordered_on paid_at total status paid fiscal_year day",
        customer_id="customers",
    ),
    table("items", "order_id product quantity price", "", order_id="orders"),
    table("stores", "id city"),
)
DEFINED = Semantics(
    metrics=(
        Metric("revenue", "orders", "SUM(total)", "status = 'paid'"),
        Metric("late revenue", "orders", "SUM(total)", "status = 'paid' AND store_id = 7"),
        Metric("order value", "orders", "SUM(total) / COUNT(*)"),
        Metric("paid share", "orders", "AVG(status = 'paid')"),
        Metric("signups", "customers", "COUNT(*)", "left_on IS NULL"),
    )
)


def told(value: object) -> Any:
    """Write facts down as JSON does, without the text of outputs and what has its usual value."""
    if isinstance(value, tuple | frozenset):
        return [told(each) for each in value]
    if isinstance(value, Origin | date):
        return str(value)
    if not is_dataclass(value):
        return value
    shown = {
        field.name: getattr(value, field.name) for field in fields(value) if getattr(value, field.name) != field.default
    }
    if "query" in shown or "function" in shown or "origins" in shown or "operator" not in shown:
        shown.pop("sql", None)
    return {name: told(part) for name, part in shown.items() if part not in ("", ())}


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("described.jsonl")))
def test_what_is_said_of_a_query(case: dict[str, Any]) -> None:
    catalog = Catalog("shop", case.get("dialect", "sqlite"), TABLES)
    found = facts_of(case["sql"], catalog, TODAY, DEFINED if case.get("defined") else Semantics())
    assert told(found) == case["facts"]
