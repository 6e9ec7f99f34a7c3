"""What the names of a query stand for to each engine, judged without one: what it reads, how it runs, or why it may not."""

from pathlib import Path
from typing import Any

import pytest

from ai.errors import Masked, SqlRefused
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.guard import check
from ai.sql.rights import EVERYTHING, Rights
from tests.cases import cases


def table(name: str, *columns: str) -> Table:
    return Table(name, tuple(Column(column, "TEXT", "text") for column in columns), ("id",))


TABLES = (
    table("customers", "id", "name", "email", "ssn"),
    table("orders", "id", "customer_id", "region", "amount", "Q1", "Q2"),
    table("staff", "id", "email", "boss"),
    table("payouts", "id", "amount"),
)
RIGHTS = {
    "": EVERYTHING,
    "no ssn": Rights(denied={"customers": frozenset({"SSN"})}),
    "no payouts": Rights(tables=frozenset({"Customers", "orders", "staff"})),
    "EU only": Rights(rows={"Orders": "region = 'EU'"}),
    "an empty condition": Rights(rows={"orders": "-- all of them"}),
    "stars": Rights(masks={"customers": {"Email": "stars"}}),
    "some of staff": Rights(rows={"staff": "boss IN (SELECT name FROM customers)"}),
}


def outcome(case: dict[str, Any]) -> dict[str, Any]:
    """Judge a query: what it reads, the text that runs, and whether rights narrow its rows; or its refusal."""
    try:
        checked = check(case["sql"], Catalog("x", case["dialect"], TABLES), RIGHTS[case.get("rights", "")])
    except Masked as masked:
        return {"masked": str(masked)}
    except SqlRefused as refused:
        return {"layer": refused.layer, "says": str(refused)}
    read = [f"{table}.{column}" for table, column in checked.columns]
    written = {} if checked.sql == case["sql"] else {"runs": checked.sql}
    return {"reads": read or list(checked.tables), **written, **({"narrowed": True} if checked.mark else {})}


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("bindings.jsonl")))
def test_names_are_bound_as_the_engine_binds_them(case: dict[str, Any]) -> None:
    given = {name: value for name, value in case.items() if name not in ("case", "dialect", "sql", "rights")}
    assert outcome(case) == given
