"""The semantics file: what it says is read, what it gets wrong is named with line and field, what fits goes on working."""

from pathlib import Path
from typing import Any

import pytest

from ai.errors import ConfigError
from ai.nl2sql.semantics_draft import draft
from ai.sql.catalog import Catalog, Column, ForeignKey, Table
from ai.sql.database import Database
from ai.sql.semantics import (
    Metric,
    NonAdditive,
    Synonym,
    Term,
    Unit,
    Wording,
    fitting,
    inline_semantics,
    parse_semantics,
    read_semantics,
    to_yaml,
    visible,
)
from tests.cases import cases
from tests.unit.ai.sql.cautions.corpus import open_databases

HERE = Path(__file__).parent
WORDS = """\
version: 3
metrics:
  revenue:
    table: ORDERS
    expression: SUM(total)
    condition: status = 'paid'
    synonyms: [sales, turnover]
    unit: EUR
synonyms: {client: customers, reach: Orders.Channel}
display: {orders: id}
dates: {Order_Items: orders.ordered_on}
values:
  orders.status: {paid: [settled, done]}
hidden: [tags]
rules: [Revenue is of paid orders only.]
fiscal_year_start: April
"""
LATER_KEYS = """\
metrics:
  shipped weight:
    table: Shipments
    expression: SUM(weight_kg)
    condition: order_id IN (SELECT id FROM orders WHERE status = 'paid')
    date: SHIPPED_ON
  balance: {table: accounts, expression: SUM(balance), non_additive: {over: month, take: none}}
terms:
  buyer: {table: CUSTOMERS, condition: id IN (SELECT customer_id FROM orders), synonyms: [client], description: Ordered.}
joins: [Daily_Stats.orders = orders.id]
units: {products.WEIGHT_KG: {unit: g, scale: 1000}, orders.total: {unit: EUR}}
non_additive: {daily_stats.visits: {over: day, take: mean}}
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_databases(tmp_path_factory.mktemp("shop"))["shop"]


def test_every_section_is_read() -> None:
    found = parse_semantics(WORDS, "words.yaml").semantics
    assert found.metrics == (
        Metric("revenue", "ORDERS", "SUM(total)", "status = 'paid'", "", ("sales", "turnover"), "EUR"),
    )
    assert found.synonyms == (Synonym("client", "customers"), Synonym("reach", "Orders.Channel"))
    assert found.wordings == tuple(Wording(word, "orders", "status", "paid") for word in ("settled", "done"))
    assert (found.display, found.dates) == ({"orders": "id"}, {"Order_Items": "orders.ordered_on"})
    assert (found.rules, found.version) == (("Revenue is of paid orders only.",), 3)
    assert found.hidden == {"tags"}


@pytest.mark.parametrize("text", ["", "\n", "metrics:\nrules: []\n", "# nothing yet\n"])
def test_an_empty_file_defines_nothing(text: str) -> None:
    assert parse_semantics(text, "words.yaml").semantics == parse_semantics("{}", "words.yaml").semantics


@pytest.mark.parametrize("case", cases(HERE / "semantics_errors.jsonl"))
def test_what_cannot_be_read_is_named_with_its_line(case: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as error:
        parse_semantics(case["yaml"], "words.yaml")
    assert str(error.value) == case["says"]


@pytest.mark.parametrize("case", cases(HERE / "semantics_problems.jsonl"))
def test_what_does_not_fit_the_database_is_named_with_its_line(case: dict[str, Any], shop: Database) -> None:
    (said,) = parse_semantics(case["yaml"], "words.yaml").problems(shop.catalog())
    assert case["contains"] in said if "contains" in case else said == case["says"]


def test_what_fits_is_spelt_as_the_database_does_and_the_rest_is_left_out(shop: Database) -> None:
    file = parse_semantics(WORDS + "  # gone\n", "words.yaml")
    broken = parse_semantics(WORDS.replace("customers", "clients").replace("paid:", "payed:"), "words.yaml")
    found = fitting(file.semantics, shop.catalog())
    assert list(file.problems(shop.catalog())) == []
    assert (found.metrics[0].table, found.synonyms[1].target) == ("orders", "orders.channel")
    assert found.dates == {"order_items": "orders.ordered_on"}
    left = fitting(broken.semantics, shop.catalog())
    assert (left.metrics, left.synonyms, left.wordings) == (found.metrics, found.synonyms[1:], ())


def test_terms_joins_units_and_grains_are_read_and_spelt(shop: Database) -> None:
    file = parse_semantics(LATER_KEYS, "words.yaml")
    assert list(file.problems(shop.catalog())) == []
    found = fitting(file.semantics, shop.catalog())
    assert (found.metrics[0].date, found.metrics[1].non_additive) == (
        "shipments.shipped_on",
        NonAdditive("month", "none"),
    )
    assert found.terms == (
        Term("buyer", "customers", "id IN (SELECT customer_id FROM orders)", ("client",), "Ordered."),
    )
    assert found.units == {"products.weight_kg": Unit("g", 1000.0), "orders.total": Unit("EUR", 1.0)}
    assert found.non_additive == {"daily_stats.visits": NonAdditive("day", "mean")}


def test_a_declared_join_is_a_key_of_the_catalogue_once(shop: Database) -> None:
    semantics = fitting(parse_semantics(LATER_KEYS, "words.yaml").semantics, shop.catalog())
    joined = visible(visible(shop.catalog(), semantics), semantics).table("daily_stats")
    assert joined is not None
    assert joined.foreign_keys == (ForeignKey(("orders",), "orders", ("id",)),)


@pytest.mark.parametrize(
    ("join", "keys"),
    [
        ("DAILY_STATS.Orders = ORDERS.Id", (ForeignKey(("orders",), "orders", ("id",)),)),
        ("daily_stats.ordres = orders.id", ()),
        ("daily_stats.orders = orders.number", ()),
    ],
)
def test_a_declared_join_names_columns_of_the_catalogue(
    join: str, keys: tuple[ForeignKey, ...], shop: Database
) -> None:
    joined = visible(shop.catalog(), parse_semantics(f"joins: [{join}]", "words.yaml").semantics)
    table = joined.table("daily_stats")
    assert table is not None
    assert table.foreign_keys == keys


@pytest.mark.parametrize("text", [WORDS, LATER_KEYS])
def test_definitions_are_written_as_they_are_read(text: str) -> None:
    semantics = parse_semantics(text, "words.yaml").semantics
    assert parse_semantics(to_yaml(semantics), "again.yaml").semantics == semantics


def test_hidden_tables_are_not_in_the_catalogue_that_analysts_see(shop: Database) -> None:
    semantics = parse_semantics("hidden: [Tags]", "words.yaml").semantics
    assert visible(shop.catalog(), semantics).table("tags") is None
    assert visible(shop.catalog(), semantics).table("orders") is not None


def test_definitions_within_another_file_are_named_by_their_place() -> None:
    with pytest.raises(ConfigError, match=r"^sources\.shop\.semantics, metrics\.revenue: write a mapping"):
        inline_semantics({"metrics": {"revenue": 3}}, "sources.shop.semantics")
    assert inline_semantics({"hidden": ["tags"]}, "here").semantics.hidden == {"tags"}


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read; give a YAML file"):
        read_semantics(tmp_path / "none.yaml")


@pytest.mark.parametrize("name", ["clinic", "shop", "trade"])
def test_a_draft_loads_back_and_fits(name: str, tmp_path: Path) -> None:
    catalog = open_databases(tmp_path)[name].catalog()
    file = parse_semantics(draft(catalog), f"{name}.yaml")
    assert list(file.problems(catalog)) == []
    assert file.semantics.dates or file.semantics.display


def test_a_draft_proposes_what_names_and_values_tell(shop: Database) -> None:
    text = draft(shop.catalog())
    assert "  customers: name\n" in text
    assert "  orders: ordered_on\n" in text
    assert "  # total: {table: orders, expression: SUM(total)}\n" in text
    assert "  accounts.balance: {over" not in text  # it has no dates to be summed over
    assert "  shipments.weight_kg: {unit: kg}\n" in text


def test_a_draft_proposes_what_does_not_add_up_and_keys_that_are_missing() -> None:
    days = (
        Column("day", "DATE", "date"),
        Column("active_users", "INTEGER", "integer"),
        Column("app_id", "INTEGER", "integer"),
    )
    apps = Table("apps", (Column("id", "INTEGER", "integer"), Column("price_cents", "INTEGER", "integer")), ("id",))
    levels = Table("stock_levels", (Column("month_end", "DATE", "date"), Column("stock", "INTEGER", "integer")))
    text = draft(Catalog("store", "sqlite", (Table("daily", days, ("day", "app_id")), apps, levels)))
    assert "  daily.active_users: {over: day, take: none}  #" in text
    assert "  stock_levels.stock: {over: month, take: last}  #" in text
    assert "  # - daily.app_id = apps.id\n" in text
    assert "  apps.price_cents: {scale: 0.01}  #" in text
