"""Twin databases differ only in what is kept back: rows, columns, masked values. No query may tell them apart."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from ai.errors import QueryEnded, QueryFailed, SqlRefused
from ai.sql.database import Database
from ai.sql.rights import Rights
from tests.cases import cases
from tests.databases import databases
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
"""
ONE = {"ssn": "a", "other": "b", "email": "ada", "hidden": "(3, 1, 'US', 30, 'xa'), (4, 3, 'US', 0, '7')"}
TWO = {"ssn": "z", "other": "b", "email": "zoe", "hidden": "(8, 2, 'US', 2147483647, '9')"}
KINDS = ["sqlite", "duckdb", "postgres", pytest.param("mysql", marks=pytest.mark.slow)]


@dataclass(frozen=True)
class Twins:
    one: Database
    two: Database

    def told(self, sql: str) -> tuple[str, str]:
        return _told(self.one, sql), _told(self.two, sql)


def _told(database: Database, sql: str) -> str:
    """Return all that somebody sees of a query: its rows in any order, or the kind and words of its error."""
    try:
        with database.run(database.check(sql)) as stream:
            return repr(sorted(repr(row) for batch in stream.batches for row in batch))
    except (SqlRefused, QueryFailed, QueryEnded) as error:
        return f"{type(error).__name__}: {error}"


@pytest.fixture(scope="module")
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    with databases() as made:
        folders = [tmp_path_factory.mktemp(f"{request.param}{n}") for n in range(2)]
        urls = [
            made.make(request.param, folder, TABLES.format(**kept))
            for folder, kept in zip(folders, (ONE, TWO), strict=True)
        ]
        found = Twins(*(Database("twin", url, rights=RIGHTS) for url in urls))
        yield found
        found.one.close()
        found.two.close()


@pytest.mark.parametrize("twins", KINDS, indirect=True)
@pytest.mark.parametrize("case", cases(Path(__file__).parent / "interference.jsonl"))
def test_what_is_kept_back_changes_nothing(case: dict[str, str], twins: Twins) -> None:
    one, two = twins.told(case["sql"])
    assert one == two


def grown(chance: Random) -> Iterator[str]:
    """Yield queries, some of which fail on values that are kept back."""
    while True:
        grower = Grower(chance, READABLE, ("customers", "secrets"), MISSTEPS, FAILING)
        yield grower.query()[0]


@pytest.mark.parametrize("twins", KINDS, indirect=True)
def test_no_grown_query_tells_twins_apart(twins: Twins) -> None:
    different = [sql for sql in islice(grown(Random(11)), 150) if len(set(twins.told(sql))) > 1]
    assert different == []


@pytest.mark.fuzz
@pytest.mark.parametrize("twins", ["sqlite", "duckdb", "postgres", "mysql"], indirect=True)
def test_no_query_tells_twins_apart_however_long_one_tries(twins: Twins) -> None:
    different = [sql for sql in islice(grown(Random()), 20_000) if len(set(twins.told(sql))) > 1]
    assert different == []
