"""Rights behind the door: what a database with rights shows, runs and refuses; and what a file of rights may say."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlglot import exp

from ai.errors import ConfigError, Masked, SqlRefused
from ai.results.table import Row
from ai.sql.catalog import Catalog, Column, ForeignKey, Table
from ai.sql.database import Database
from ai.sql.grammars import grammar_of
from ai.sql.guard import check, permitted_rows
from ai.sql.guard.syntax import read_expression
from ai.sql.restrictions import misfits
from ai.sql.rights import Rights, SourceRights, catalog_from, rights_from, visible
from tests.cases import cases

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


def test_a_catalogue_is_made_of_rights_that_list_columns() -> None:
    listed = {"tables": {"a": ["x", "y"]}, "denied_columns": {"a": ["z", "y"]}}
    (table,) = catalog_from(listed, "sqlite").tables
    assert [column.name for column in table.columns] == ["x", "y", "z"]
    for tables in (None, ["a"]):
        with pytest.raises(ConfigError, match="list the columns of each table"):
            catalog_from({"tables": tables}, "sqlite")


CAPTURED = """
CREATE TABLE orders (id INTEGER, customer INTEGER);
INSERT INTO orders VALUES (1, 2), (2, 1), (3, 2);
CREATE TABLE vip (id INTEGER);
INSERT INTO vip VALUES (2), (5);
CREATE TABLE banned (id INTEGER);
INSERT INTO banned VALUES (2);
CREATE TABLE plain (id INTEGER);
INSERT INTO plain VALUES (7), (NULL);
"""
HELD = Rights(
    tables=frozenset({"orders", "vip", "plain"}),
    rows={"orders": "customer IN (SELECT id FROM banned)", "vip": "id < 3"},
)
TABLES = Catalog(
    "x",
    "sqlite",
    tuple(
        Table(name, tuple(Column(column, "INTEGER", "integer") for column in columns))
        for name, columns in {"orders": ("id", "customer"), "vip": ("id",), "banned": ("id",), "plain": ("id",)}.items()
    ),
)


@pytest.mark.parametrize("line", cases(Path(__file__).with_name("captured.jsonl")))
def test_no_name_takes_the_place_of_a_table_of_a_condition(line: dict[str, Any]) -> None:
    if "refused" in line:
        with pytest.raises(SqlRefused) as refused:
            check(line["sql"], TABLES, HELD)
        assert refused.value.layer == line["refused"]
        return
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(CAPTURED)
        assert [list(row) for row in connection.execute(check(line["sql"], TABLES, HELD).sql)] == line["rows"]


def test_permitted_rows_are_fenced_or_not() -> None:
    fenced, plain = (permitted_rows(TABLES.tables[1], TABLES, HELD, fenced=fenced) for fenced in (True, False))
    assert (fenced.endswith(" LIMIT 4294967295"), plain.endswith("WHERE (id < 3)")) == (True, True)
    assert permitted_rows(TABLES.tables[2], TABLES, HELD, fenced=True) == ""
    nothing = Rights(columns={TABLES.tables[1].name: frozenset()})
    assert permitted_rows(TABLES.tables[1], TABLES, nothing, fenced=True) == ""


def test_a_mark_tells_of_masks_that_are_read(database: Database) -> None:
    marks = [database.check(f"SELECT {column} FROM customers").mark for column in ("name", "email", "name, email")]
    assert (marks[0], bool(marks[1]), marks[1]) == ("", True, marks[2])


def test_the_first_role_held_counts() -> None:
    first, second = Rights(tables=frozenset({"a"})), Rights(tables=frozenset({"b"}))
    rights = SourceRights(roles=(("one", first), ("two", second)))
    assert [rights.of(roles) for roles in ({"two"}, {"two", "one"}, {"other"})] == [second, first, Rights()]
    assert [rights.name_of(roles) for roles in ({"two"}, {"two", "one"}, {"other"})] == ["two", "one", "everybody"]


def test_how_many_rows_are_kept_back_is_not_told() -> None:
    counted = Catalog("x", "sqlite", (Table("vip", (Column("id", "", "text"),), row_estimate=9),))
    held, whole = HELD, Rights(denied={"other": frozenset({"x"})})
    assert [visible(counted, rights).tables[0].row_estimate for rights in (held, whole)] == [None, 9]


def test_columns_named_by_a_condition_of_any_role_are_told_by_rows() -> None:
    rights = SourceRights(Rights(rows={"VIP": "id < 3"}), (("one", Rights(rows={"vip": "Region = 'EU'"})),))
    table = Table("vip", tuple(Column(name, "", "text") for name in ("Id", "region", "name")))
    assert rights.told_by_rows(table) == {"id", "region"}


def test_a_condition_that_says_nothing_shows_nothing() -> None:
    assert read_expression("-- all of them", grammar_of("sqlite")) == exp.false()


def test_a_name_that_fits_nothing_is_told_with_a_near_one_if_there_is_one() -> None:
    catalog = Catalog("shop", "sqlite", (Table("orders", (Column("id", "", "integer"),)),))
    given = {"denied_columns": {"ordrs": ["id"], "zzz": ["id"]}, "rows": {"zzz": "id = 1"}}
    found = [str(one) for one in misfits(SourceRights(rights_from(given, "sqlite")), catalog)]
    assert found == [
        "rights.denied_columns.ordrs: there is no table ordrs; did you mean orders?",
        "rights.denied_columns.zzz: there is no table zzz",
        "rights.rows.zzz: there is no table zzz",
    ]
