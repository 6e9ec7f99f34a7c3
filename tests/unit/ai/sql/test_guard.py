"""The guard on a real database: what is legitimate runs unchanged, what is not is refused by the right layer."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.engines.sqlite.engine import SqliteBackend
from ai.sql.guard import check
from tests.cases import cases
from tests.unit.ai.sql.shop import open_shop, without

HERE = Path(__file__).parent
Rows = list[tuple[Any, ...]]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_shop(tmp_path_factory.mktemp("guard"))


@pytest.fixture(scope="module")
def catalog(shop: Database) -> Catalog:
    return without(shop.catalog(), "secrets")


@contextmanager
def watched(database: Database) -> Iterator[tuple[sqlite3.Connection, set[tuple[str, str]]]]:
    """A plain connection to the same file, and the set of what SQLite itself says it reads on it."""
    read: set[tuple[str, str]] = set()

    def note(action: int, table: str | None, column: str | None, *_: str | None) -> int:
        if action == sqlite3.SQLITE_READ and table and column:
            read.add((table.lower(), column.lower()))
        return sqlite3.SQLITE_OK

    assert isinstance(database._backend, SqliteBackend)
    with closing(sqlite3.connect(database._backend.path)) as connection:
        connection.set_authorizer(note)
        yield connection, read


def taken(database: Database, sql: str, catalog: Catalog) -> Rows:
    with database.run(check(sql, catalog)) as stream:
        return [row for batch in stream.batches for row in batch]


@pytest.mark.parametrize("case", cases(HERE / "legitimate.jsonl"))
def test_a_legitimate_query_gives_the_rows_that_were_asked_for(
    case: dict[str, str], shop: Database, catalog: Catalog
) -> None:
    with watched(shop) as (plain, _):
        assert taken(shop, case["sql"], catalog) == plain.execute(case["sql"]).fetchall()


@pytest.mark.parametrize("case", cases(HERE / "legitimate.jsonl"))
def test_the_guard_knows_what_the_engine_reads(case: dict[str, str], shop: Database, catalog: Catalog) -> None:
    checked = check(case["sql"], catalog)
    with watched(shop) as (plain, read):
        plain.execute(checked.sql)
    tables = {table.lower() for table in checked.tables}
    columns = {(table.lower(), column) for table, column in checked.columns}
    if "daily" in tables:
        tables |= {"orders"}
        columns |= {("orders", "paid_at"), ("orders", "amount")}
    real = {(table, column) for table, column in read if catalog.table(table) is not None}
    assert {table for table, _ in real} <= tables
    if "reads" not in case:  # SQLite turns brackets around a join into a query for all columns
        assert real - columns <= row_numbers(catalog)


def row_numbers(catalog: Catalog) -> set[tuple[str, str]]:
    """Columns that are read when `rowid` is: a whole number as the only key is the number of the row."""
    return {(table.name.lower(), table.primary_key[0]) for table in catalog.tables if len(table.primary_key) == 1}


@pytest.mark.parametrize("case", cases(HERE / "refused.jsonl"))
def test_what_is_not_legitimate_is_refused_by_its_layer(case: dict[str, str], catalog: Catalog) -> None:
    with pytest.raises(SqlRefused) as refusal:
        check(case["sql"], catalog)
    assert refusal.value.layer == case["layer"], str(refusal.value)
    assert str(refusal.value).endswith((".", "quotes"))


def test_comments_do_not_run(catalog: Catalog) -> None:
    checked = check("SELECT /* a */ id -- b\nFROM orders /* c */", catalog)
    assert checked.sql == "SELECT id FROM orders"
    assert checked.written == "SELECT /* a */ id -- b\nFROM orders /* c */"
    assert checked.tables == ("orders",)


def test_text_in_double_quotes_runs_as_text(catalog: Catalog) -> None:
    assert check('SELECT id FROM orders WHERE status = "paid"', catalog).sql == (
        "SELECT id FROM orders WHERE status = 'paid'"
    )


def test_a_comma_stays_a_comma(catalog: Catalog) -> None:
    sql = "SELECT count(*) FROM orders AS o, customers AS c WHERE c.id = o.customer_id"
    assert check(sql, catalog).sql == sql


DEEP = {
    "brackets": "SELECT " + "(" * 5000 + "1" + ")" * 5000,
    "subqueries": "SELECT " + "(SELECT " * 4000 + "1" + ")" * 4000,
    "derived tables": "SELECT * FROM " + "(SELECT * FROM " * 2300 + "orders" + ")" * 2300,
    "functions": "SELECT " + "abs(" * 3900 + "1" + ")" * 3900,
    "not": "SELECT " + "NOT " * 10_000 + "1",
    "minus": "SELECT " + "- " * 10_000 + "1",
    "case": "SELECT " + "CASE WHEN " * 1500 + "1" + " THEN 1 END" * 1500,
    "brackets in FROM": "SELECT 1 FROM " + "(" * 5000 + "orders" + ")" * 5000,
    "with": "WITH a AS (" * 1700 + "SELECT 1" + ") SELECT 1" * 1700,
}


@pytest.mark.parametrize("shape", DEEP)
def test_what_is_too_deep_is_refused_with_a_sentence(shape: str, catalog: Catalog) -> None:
    with pytest.raises(SqlRefused, match="nested too deeply"):
        check(DEEP[shape], catalog)


WIDE = {
    "and": "SELECT id FROM orders WHERE id = 1" + " OR id = 1" * 1500,
    "sum": "SELECT 1" + "+1" * 5900,
    "list": "SELECT id FROM orders WHERE id IN (1" + ", 1" * 8000 + ")",
    "longest list": "SELECT id FROM orders WHERE id IN (1" + ", 1" * 11_980 + ")",
    "union": "SELECT 1" + " UNION SELECT 1" * 300,
    "columns": "SELECT " + ", ".join(f"id AS c{n}" for n in range(1500)) + " FROM orders",
}


@pytest.mark.parametrize("shape", WIDE)
def test_what_is_only_wide_passes(shape: str, catalog: Catalog) -> None:
    assert check(WIDE[shape], catalog).sql


TOO_MUCH = {
    "words and signs": ("SELECT id FROM orders GROUP BY GROUPING SETS (()" + ",()" * 11_000 + ")", "words and signs"),
    "sum": ("SELECT 1" + "+1" * 6000, "words and signs"),
    "joins": ("SELECT 1 FROM orders" + " JOIN orders" * 257, "more than 256 joins"),
    "relations": ("SELECT 1 FROM orders" + ", orders" * 256, "more than 256 tables and queries"),
    "columns": (
        "WITH a0 AS (SELECT * FROM orders)"
        + "".join(f", a{n + 1} AS (SELECT * FROM a{n} x, a{n} y)" for n in range(14))
        + " SELECT 1 FROM a14",
        "more than 50,000 columns",
    ),
    "comparisons": ("SELECT id" + " BETWEEN 1 AND 2" * 400 + " FROM orders", "nested too deeply"),
}


@pytest.mark.parametrize("kind", TOO_MUCH)
def test_more_than_can_be_judged_is_refused(kind: str, catalog: Catalog) -> None:
    sql, says = TOO_MUCH[kind]
    with pytest.raises(SqlRefused, match=says):
        check(sql, catalog)


def test_more_text_than_a_person_writes_is_refused(catalog: Catalog) -> None:
    with pytest.raises(SqlRefused, match="longer than 64 KB") as refusal:
        check("SELECT '" + "x" * 70_000 + "'", catalog)
    assert refusal.value.layer == "L0"
