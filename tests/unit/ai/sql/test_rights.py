"""Rights behind the door: what a database with rights shows, runs and refuses; and what a file of rights may say."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ai.errors import ConfigError, Masked, SqlRefused
from ai.results.table import Row
from ai.sql.catalog import Catalog, Column, ForeignKey, Table
from ai.sql.database import Database
from ai.sql.rights import Rights, rights_from, visible

RIGHTS = {
    "tables": {"orders": ["id", "region", "customer"], "customers": ["id", "name", "email", "ssn"]},
    "denied_columns": {"customers": ["ssn"]},
    "rows": {"orders": "region = 'EU'"},
    "masks": {"customers": {"email": "stars"}},
}
Ask = Callable[[str], list[Row]]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.executescript("""
            CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT, customer INTEGER, cost INTEGER);
            INSERT INTO orders VALUES (1, 'EU', 1, 5), (2, 'US', 2, 6), (3, 'EU', 2, 7);
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT, ssn TEXT);
            INSERT INTO customers VALUES (1, 'Ada', 'a@x', '1'), (2, 'Bo', NULL, '2');
            CREATE TABLE payouts (id INTEGER);
        """)
    door = Database("x", f"sqlite:///{tmp_path / 'x.db'}", rights=rights_from(RIGHTS, "sqlite"))
    yield door
    door.close()


@pytest.fixture
def ask(database: Database) -> Ask:
    def rows(sql: str) -> list[Row]:
        with database.run(database.check(sql)) as stream:
            return [row for batch in stream.batches for row in batch]

    return rows


def test_the_catalogue_shows_what_may_be_read(database: Database) -> None:
    catalog = database.catalog()
    shown = {table.name: [column.name for column in table.columns] for table in catalog.tables}
    assert shown == {"customers": ["id", "name", "email"], "orders": ["id", "region", "customer"]}
    words = {column.name: column.values for table in catalog.tables for column in table.columns}
    assert (words["region"], words["email"]) == ((), ())


def test_keys_name_only_columns_that_may_be_read() -> None:
    tables = (
        Table("a", (Column("id", "", "text"), Column("b", "", "text")), ("id",), (ForeignKey(("b",), "b", ("code",)),)),
        Table("b", (Column("code", "", "text"), Column("a", "", "text")), ("code",), (ForeignKey(("a",), "a", ()),)),
    )
    catalog = Catalog("x", "sqlite", tables)
    told = visible(catalog, Rights(denied={"B": frozenset({"Code"})}))
    assert [(table.primary_key, table.foreign_keys) for table in told.tables] == [
        (("id",), ()),
        ((), (ForeignKey(("a",), "a", ()),)),
    ]
    assert [table.foreign_keys for table in visible(catalog, Rights(tables=frozenset({"b"}))).tables] == [()]


def test_rows_are_filtered_and_masked_wherever_they_are_read(ask: Ask) -> None:
    assert ask("SELECT count(*) FROM orders") == [(2,)]
    assert ask("WITH o AS (SELECT id FROM orders) SELECT a.id FROM o a JOIN orders b USING (id) ORDER BY 1") == [
        (1,),
        (3,),
    ]
    assert ask("SELECT name, email FROM customers ORDER BY 1") == [("Ada", "***"), ("Bo", None)]
    with pytest.raises(Masked):
        ask("SELECT count(*) FROM customers WHERE email = 'a@x'")


def test_a_star_shows_the_columns_that_may_be_read(ask: Ask) -> None:
    assert ask("SELECT * FROM customers ORDER BY 1") == [(1, "Ada", "***"), (2, "Bo", None)]
    assert ask("SELECT c.*, o.* FROM customers c JOIN orders o ON o.customer = c.id ORDER BY 1 LIMIT 1") == [
        (1, "Ada", "***", 1, "EU", 1)
    ]


def test_a_checked_query_passes_again(database: Database, ask: Ask) -> None:
    assert ask(database.check("SELECT id FROM orders").sql) == [(1,), (3,)]


@pytest.mark.parametrize(
    "sql",
    ["SELECT cost FROM orders", "SELECT ssn FROM customers", "SELECT * FROM payouts"],
)
def test_what_may_not_be_read_is_refused(database: Database, sql: str) -> None:
    with pytest.raises(SqlRefused):
        database.check(sql)


@pytest.mark.parametrize(
    "document", [[], {"rules": {}}, {"masks": {"a": {"b": "blur"}}}, {"denied_columns": {"a": "b"}}, {"rows": []}]
)
def test_rights_that_do_not_read_are_refused_by_a_sentence(document: object) -> None:
    with pytest.raises(ConfigError, match=r"\.$"):
        rights_from(document, "sqlite")
