"""No query text reaches a forbidden row or column: what runs gives what the query gives on a database without them.

Queries are grown at random. Each runs twice: written by the guard under the rights on the whole database, and freely on a
reference database that holds only what may be seen. The rows must be the same, whatever the query is.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from random import Random

import pytest

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.guard import check
from ai.sql.rights import Rights

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


class Grower:
    """Grows queries: `depth` bounds how far, `chance` is the only source of choices."""

    def __init__(self, chance: Random) -> None:
        self.pick = chance.choice
        self.roll = chance.random

    def query(self, depth: int = 3) -> str:
        kinds = [self.select, self.select, self.select, self.compound, self.entry] if depth else [self.select]
        return self.pick(kinds)(depth)

    def select(self, depth: int) -> str:
        where = self.pick(["", f" WHERE {self.condition(depth)}"])
        tail = self.pick(["", "", " GROUP BY 1", f" ORDER BY {self.value(0)}, 1", " GROUP BY 1 HAVING count(*) > 0"])
        return f"SELECT {self.items(depth)} FROM {self.sources(depth)}{where}{tail}"

    def compound(self, depth: int) -> str:
        words = self.pick(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])
        return f"SELECT {self.value(0)} FROM {self.table()} {words} SELECT {self.value(0)} FROM {self.table()}"

    def entry(self, depth: int) -> str:
        name = self.pick(["x", "orders", "customers", "secrets"])
        words = self.pick(["WITH", "WITH RECURSIVE"])
        return f"{words} {name} AS ({self.query(depth - 1)}) {self.query(depth - 1)}"

    def items(self, depth: int) -> str:
        return self.pick(
            ["*", "id", "id", f"{self.value(depth)} AS a, {self.value(0)}", "count(*)", f"sum({self.value(0)})", "a.*"]
        )

    def table(self) -> str:
        name = self.pick([*["orders", "customers"] * 4, "x", "secrets", "main.orders", "ORDERS"])
        return f"{name}{self.pick(['', '', ' AS a', ' AS b'])}"

    def sources(self, depth: int) -> str:
        if not depth or self.roll() < 0.4:
            return self.table()
        inner = f"({self.query(depth - 1)}) AS {self.pick('abx')}"
        words = self.pick([", ", " JOIN ", " LEFT JOIN ", " NATURAL JOIN ", " CROSS JOIN "])
        on = f" ON {self.condition(0)}" if words in (" JOIN ", " LEFT JOIN ") else ""
        return self.pick([self.table(), inner, f"{self.table()}{words}{self.table()}{on}", f"{inner}, {self.table()}"])

    def value(self, depth: int) -> str:
        plain = [
            *["id"] * 10,
            "amount",
            "region",
            "name",
            "email",
            "customer",
            "a.id",
            "b.id",
            "a.email",
            "ssn",
            "rowid",
            "1",
            "a",
        ]
        if not depth:
            return self.pick(plain)
        return self.pick([*plain, f"max({self.value(0)})", f"({self.query(depth - 1)})", f"upper({self.value(0)})"])

    def condition(self, depth: int) -> str:
        left = self.value(0)
        simple = [f"{left} > 5", f"{left} = {self.value(0)}", f"{left} IS NOT NULL", f"{left} LIKE '%1%'"]
        if not depth:
            return self.pick(simple)
        nested = [f"{left} IN ({self.query(depth - 1)})", f"EXISTS ({self.query(depth - 1)})", f"{left} IN orders"]
        return self.pick([*simple, *nested])


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


def test_three_thousand_queries_see_only_what_may_be_seen() -> None:
    grower = Grower(Random(5))
    same, different = judged(grower.query() for _ in range(3_000))
    assert different == []
    assert same > 350


@pytest.mark.fuzz
def test_a_hundred_thousand_queries_see_only_what_may_be_seen() -> None:
    grower = Grower(Random())
    assert judged(grower.query() for _ in range(100_000))[1] == []
