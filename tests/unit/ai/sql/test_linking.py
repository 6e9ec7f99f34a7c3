"""Linking: what a question is about in a large schema, within a budget, and how well on public sets."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ai.analysts.prompts.prompts import BUDGETS
from ai.analysts.prompts.schema import SchemaText
from ai.errors import ConfigError
from ai.sql.catalog import Catalog, Column, ForeignKey, Linked, Linker, Table, read_schema
from ai.tokens import TokenCounter
from tests.cases import cases
from tests.paths import SHARED_DATA

HERE = Path(__file__).parent
count = TokenCounter(patience=60)


def table(name: str, columns: str, *keys: ForeignKey) -> Table:
    return Table(name, tuple(Column(c, "INTEGER", "integer") for c in columns.split()), ("id",), keys)


SHOP = Catalog(
    "shop",
    "sqlite",
    (
        table("customers", "id name country"),
        table(
            "orders",
            "id customer_id amount ordered_at",
            ForeignKey(("customer_id",), "customers", ("id",)),
        ),
        table("wind_turbines", "id height blades"),
        *(table(f"events_2024{month:02}", "id kind") for month in range(1, 13)),
    ),
)


def linked(question: str, budget: int = 1000) -> Linked:
    return Linker(SHOP, count).link(question, budget)


def test_what_is_asked_for_comes_first() -> None:
    assert linked("How many blades has each turbine?").tables[0] == "wind_turbines"


def test_a_table_that_a_key_leads_to_comes_along() -> None:
    assert linked("total amount ordered", budget=32).tables[:2] == ("orders", "customers")


def test_the_text_is_within_the_budget_and_its_size_is_told() -> None:
    for budget in range(0, 200, 10):
        found = linked("orders of customers by country", budget)
        assert found.tokens == count(found.text) <= budget


def test_lines_show_columns_with_their_types() -> None:
    assert "customers(id INTEGER, name INTEGER, country INTEGER)" in linked("customers").text.splitlines()


def test_tables_that_differ_in_digits_are_one_line() -> None:
    found = linked("events of each kind")
    assert len([name for name in found.tables if name.startswith("events")]) == 12
    assert found.text.splitlines()[0] == "events_202401 … events_202412(id INTEGER, kind INTEGER)"


def test_a_copy_of_a_table_stands_behind_it() -> None:
    catalog = Catalog("x", "sqlite", (table("shadow_orders", "id amount"), table("orders", "id amount")))
    found = Linker(catalog, count).link("orders", 100)
    assert found.tables == ("orders", "shadow_orders")
    assert found.text.startswith("orders … shadow_orders(")


def test_tables_beyond_the_budget_are_named() -> None:
    assert linked("orders of customers", budget=30).others == ("events_202401",)


def test_a_question_without_words_still_gets_tables() -> None:
    assert linked("?").tables[0] == "customers"


def test_an_empty_schema_links_to_nothing() -> None:
    assert Linker(Catalog("x", "sqlite", ()), count).link("orders", 100) == Linked((), (), "", 0)


@pytest.mark.parametrize("case", cases(HERE / "linking.jsonl"))
def test_the_tables_and_columns_of_a_question(case: dict[str, Any]) -> None:
    """Letters are counted, in place of tokens: so each column is seen to be worth its place."""
    catalog = read_schema(HERE / "linking.json")
    found = Linker(catalog, len).link(case["question"], case["budget"])
    assert (found.text.splitlines(), [*found.others[:3]]) == (case["lines"], case["next"])
    assert {name for name, _ in found.columns} == {name for name in found.tables if name != "visits_2025"}


def test_a_schema_is_read_with_its_keys_words_and_comments() -> None:
    catalog = read_schema(HERE / "linking.json")
    orders, old = catalog.table("ORDERS"), catalog.table("archive.orders_old")
    assert orders is not None
    assert old is not None
    assert (catalog.source, catalog.dialect, orders.primary_key) == ("linking", "", ("order_id",))
    assert orders.foreign_keys[0] == ForeignKey(("customer_id",), "customers", ("customer_id",))
    assert old.columns == orders.columns
    total = orders.column("Total")
    assert total == Column("total", "DECIMAL(10,2)", "other", comment="what was paid in euros, with taxes")
    assert orders.columns[5].values == ("web", "phone", "counter")


@pytest.mark.parametrize("content", ["", "[]", '{"t": 1}', '{"t": {"same_as": "u"}}', '{"t": {"columns": [{}]}}'])
def test_a_file_that_is_no_schema_is_named(content: str, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(content, "utf-8")
    with pytest.raises(ConfigError, match="is not a schema"):
        read_schema(path)


@pytest.mark.parametrize(
    ("name", "budget", "tables", "columns"),
    [
        ("beaver", 4000, 1.0, 0.88),
        ("bird", 4000, 1.0, 1.0),
        ("bird", 1000, 0.99, 0.9),
        pytest.param("spider2snow", 4000, 0.95, 0.88, marks=pytest.mark.deep),
    ],
)
def test_what_public_questions_need_is_found(name: str, budget: int, tables: float, columns: float) -> None:
    linkers: dict[str, Linker] = {}
    found = Counter[str]()
    items = public(name)
    for item, catalog in items:
        linker = linkers.setdefault(catalog.source, Linker(catalog, count))
        given = linker.link(item["question"], budget)
        found["tables"] += gold_tables(item, catalog) <= {name.lower() for name in given.tables}
        found["columns"] += gold_columns(item, catalog) <= {(t.lower(), c.lower()) for t, c in given.columns}
    assert found["tables"] / len(items) >= tables
    assert found["columns"] / len(items) >= columns


def test_the_first_prompt_names_the_tables_of_public_questions() -> None:
    texts, usual, found = SchemaText(count, private=False), BUDGETS["usual"], 0
    items = public("beaver")
    for item, catalog in items:
        text = texts.show(catalog, item["question"], usual.full, usual.linked).text
        assert count(text) <= max(usual.full, usual.linked)
        found += gold_tables(item, catalog) <= set(re.findall(r"[\w.$]+", text.lower()))
    assert found / len(items) >= 0.7


def public(name: str) -> list[tuple[dict[str, Any], Catalog]]:
    """The items of a public set, each with its schema."""
    folder = SHARED_DATA / "linking"
    if not folder.is_dir():
        pytest.skip(f"the public linking sets are not at {folder}")
    items = [json.loads(line) for line in (folder / f"{name}.public.jsonl").read_text("utf-8").splitlines()]
    sources = {item.get("merged") or item["db"] for item in items}
    catalogs = {source: read_schema(next((folder / "schemas").glob(f"{source}.json*"))) for source in sources}
    return [(item, catalogs[item.get("merged") or item["db"]]) for item in items]


def gold_tables(item: dict[str, Any], catalog: Catalog) -> set[str]:
    return {name.lower() for name in item["gold_tables"]} & {table.name.lower() for table in catalog.tables}


def gold_columns(item: dict[str, Any], catalog: Catalog) -> set[tuple[str, str]]:
    known = {(table.name.lower(), column.name.lower()) for table in catalog.tables for column in table.columns}
    return {(table.lower(), column.lower()) for table, column in item["gold_columns"]} & known
