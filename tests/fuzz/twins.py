"""Twin databases that differ only in what is kept back: rows, columns, masked values."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ai.errors import QueryEnded, QueryFailed, SqlRefused
from ai.sql.database import Database
from ai.sql.rights import Rights, SourceRights
from tests.databases import Databases
from tests.property.grower import Grower

RIGHTS = Rights(
    tables=frozenset({"orders", "customers"}),
    denied={"customers": frozenset({"ssn"})},
    rows={
        "orders": "lower(replace(upper(region), ' ', '')) = 'eu'",  # dearer than what a query asks, so that it runs last
        "customers": "id IN (SELECT customer FROM orders WHERE region = 'EU')",
    },
    masks={"customers": {"email": "stars"}},
)
LISTED = Rights(
    tables=frozenset({"orders", "customers"}),
    columns={"customers": frozenset({"id", "name", "email"})},
    rows={"orders": "region <> 'US'", "customers": "id < 3"},
    masks={"customers": {"email": "null"}},
)
READABLE = {
    "orders": (("id", "n"), ("customer", "n"), ("region", "t"), ("amount", "n"), ("note", "t")),
    "customers": (("id", "n"), ("name", "t"), ("email", "t")),
}
MISSTEPS = ("ssn", "rowid", "ctid", "customers", "orders", "token", "(SELECT max(ssn) FROM customers)")
FAILING = ("CAST({0} AS INTEGER)", "1/(CAST({0} AS INTEGER) - 1)", "abs(-9223372036854775807 - CAST({0} AS INTEGER))")
TABLES = """
CREATE TABLE customers (ssn VARCHAR(20), id INTEGER PRIMARY KEY, name VARCHAR(20), email VARCHAR(20));
INSERT INTO customers VALUES ('{ssn}1', 1, 'Ada', '{email}@x'), ('{other}2', 2, 'Bo', NULL), ('{ssn}3', 3, 'Cy', 's@x');
CREATE TABLE orders (id INTEGER, customer INTEGER, region VARCHAR(20), amount INTEGER, note VARCHAR(20));
INSERT INTO orders VALUES (1, 1, 'EU', 10, '1'), (2, 2, 'EU', 20, '2'), {hidden};
CREATE TABLE secrets (id INTEGER, token VARCHAR(20));
INSERT INTO secrets VALUES (1, '{ssn}'), (2, '{email}');
"""
ONE = {"ssn": "a", "other": "b", "email": "ada", "hidden": "(3, 1, 'US', 30, 'xa'), (4, 3, 'US', 0, '7')"}
TWO = {"ssn": "z", "other": "b", "email": "zoe", "hidden": "(8, 2, 'US', 2147483647, '9')"}


@dataclass(frozen=True)
class Twins:
    one: Database
    two: Database

    def told(self, sql: str, *roles: str) -> tuple[str, str]:
        return _told(self.one.seen_by(roles), sql), _told(self.two.seen_by(roles), sql)


@contextmanager
def twins(made: Databases, kind: str, folder: Path) -> Iterator[Twins]:
    """Make both in folders of their own; the role `listed` has other rights that hide the same."""
    rights = SourceRights(RIGHTS, (("listed", LISTED),))
    urls = []
    for number, kept in enumerate((ONE, TWO)):
        (own := folder / str(number)).mkdir()
        urls.append(made.make(kind, own, TABLES.format(**kept)))
    with (
        closing(Database("twin", urls[0], rights=rights)) as one,
        closing(Database("twin", urls[1], rights=rights)) as two,
    ):
        yield Twins(one, two)


def grown(chance: Random) -> Iterator[str]:
    """Yield queries, some of which fail on values that are kept back, and some that ask for a plan."""
    while True:
        grower = Grower(chance, READABLE, ("customers", "secrets"), MISSTEPS, FAILING)
        yield chance.choice(["", "", "", "", "", "", "", "EXPLAIN "]) + grower.query()[0]


def _told(database: Database, sql: str) -> str:
    """Return all that somebody sees of a query: its rows in any order, or the kind and words of its error."""
    try:
        with database.run(database.check(sql)) as stream:
            return repr(sorted(repr(row) for batch in stream.batches for row in batch))
    except (SqlRefused, QueryFailed, QueryEnded) as error:
        return f"{type(error).__name__}: {error} {getattr(error, 'detail', '')}"
