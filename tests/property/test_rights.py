"""No query text reaches a forbidden row or column: what runs gives what the query gives on a database without them.

Queries are grown at random. Each runs twice: written by the guard under the rights on the whole database, and freely on a
reference database that holds only what may be seen. The rows must be the same, whatever the query is.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from random import Random

import pytest

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.guard import check
from ai.sql.rights import Rights
from tests.property.grower import Grower

READABLE = {
    "orders": (("id", "n"), ("customer", "n"), ("region", "t"), ("amount", "n")),
    "customers": (("id", "n"), ("name", "t"), ("email", "t")),
}
WILD = ("secrets", "main.secrets", "sqlite_master", '"SECRETS"', "main.orders", "ORDERS")
WILD_VALUES = (
    "ssn",
    "rowid",
    "email",
    "token",
    "customers.ssn",
    "(SELECT ssn FROM customers LIMIT 1)",
    "(7 IN orders)",
)
COLUMNS = {
    "orders": ("id", "customer", "region", "amount"),
    "customers": ("id", "name", "email", "ssn"),
    "secrets": ("id", "token"),
}
RIGHTS = Rights(
    tables=frozenset({"orders", "customers"}),
    denied={"customers": frozenset({"ssn"})},
    rows={"orders": "region = 'EU'", "customers": "id IN (SELECT customer FROM orders WHERE region = 'EU')"},
    masks={"customers": {"email": "stars"}},
)
EVERY = Catalog(
    "all", "sqlite", tuple(Table(t, tuple(Column(c, "", "other") for c in cs)) for t, cs in COLUMNS.items())
)
FILL = """
CREATE TABLE orders (id INTEGER, customer INTEGER, region TEXT, amount INTEGER);
INSERT INTO orders VALUES (1, 1, 'EU', 10), (2, 2, 'US', 666), (3, 1, 'EU', 30), (4, 3, 'US', 667), (5, 4, 'EU', NULL);
CREATE TABLE customers (id INTEGER, name TEXT, email TEXT, ssn TEXT);
INSERT INTO customers VALUES (1, 'Ada', 'a@x', 'HIDDEN1'), (2, 'HIDDEN2', 'b@x', 'HIDDEN3'), (3, 'HIDDEN4', NULL, 'HIDDEN5'),
  (4, 'Dan', NULL, 'HIDDEN6');
CREATE TABLE secrets (id INTEGER, token TEXT);
INSERT INTO secrets VALUES (1, 'HIDDEN7');
"""
REDUCE = """
DELETE FROM customers WHERE id NOT IN (SELECT customer FROM orders WHERE region = 'EU');
DELETE FROM orders WHERE region <> 'EU';
UPDATE customers SET email = '***' WHERE email IS NOT NULL;
ALTER TABLE customers DROP COLUMN ssn;
DROP TABLE secrets;
"""


def rows(connection: sqlite3.Connection, sql: str) -> list[str] | None:
    """Rows in any order; None when SQLite cannot run this."""
    try:
        return sorted(map(repr, connection.execute(sql).fetchmany(5_000)))
    except sqlite3.Error:
        return None


def database(*scripts: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for script in scripts:
        connection.executescript(script)
    return connection


def judged(queries: Iterator[str]) -> tuple[int, list[str]]:
    """How many queries gave the same on both databases, and those that did not."""
    same, different = 0, []
    with closing(database(FILL)) as whole, closing(database(FILL, REDUCE)) as reference:
        for sql in queries:
            try:
                checked = check(sql, EVERY, RIGHTS)
            except SqlRefused:
                continue
            found = rows(whole, checked.sql)
            if found is not None and found == rows(reference, sql) and "HIDDEN" not in "".join(found):
                same += 1
            elif found is not None:
                different.append(f"{sql} -> {checked.sql}")
    return same, different


def grown(chance: Random) -> Iterator[str]:
    while True:
        yield Grower(chance, READABLE, WILD, WILD_VALUES).query()[0]


@pytest.mark.parametrize(
    ("seed", "tried", "ran"), [(5, 900, 350), pytest.param(6, 5_200, 2_000, marks=pytest.mark.slow)]
)
def test_queries_see_only_what_may_be_seen(seed: int, tried: int, ran: int) -> None:
    same, different = judged(islice(grown(Random(seed)), tried))
    assert different == []
    assert same >= ran


@pytest.mark.fuzz
@pytest.mark.parametrize("_tenth", range(10))
def test_a_hundred_thousand_queries_see_only_what_may_be_seen(_tenth: int) -> None:
    assert judged(islice(grown(Random()), 10_000))[1] == []
