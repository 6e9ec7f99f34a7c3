"""No query text reaches a forbidden row or column: what runs gives what the query gives on a database without them.

Queries are grown at random. Each runs twice: written by the guard under the rights of a role on the whole database, and
freely on a reference database that holds only what the role may see. The rows must be the same, whatever the query is.
"""

import json
import sqlite3
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.guard import check
from ai.sql.rights import Rights
from tests.cases import cases
from tests.mutants.forbidden import forbidden_in
from tests.mutants.operators import usual
from tests.mutants.trial import living_with
from tests.property.rights_grower import PRODUCTIONS, RightsGrower

SEED, TRIED = 5, 2_200
MOST_STEPS = 3_000_000  # of SQLite's machine, for a query on the whole database; endless joins grow too
LEAST = 20  # queries of a seed that hold a production and can be judged
ROLES = [json.loads(line) for line in Path(__file__).with_name("roles.jsonl").read_text("utf-8").splitlines()]
COLUMNS = {
    "orders": ("id", "customer", "region", "amount"),
    "customers": ("id", "name", "email", "ssn"),
    "vip": ("customer",),
    "secrets": ("id", "token"),
}
EVERY = Catalog(
    "all", "sqlite", tuple(Table(t, tuple(Column(c, "", "other") for c in cs)) for t, cs in COLUMNS.items())
)
FILL = """
CREATE TABLE orders (id INTEGER, customer INTEGER, region TEXT, amount INTEGER);
INSERT INTO orders VALUES (1, 1, 'EU', 10), (2, 2, 'US', 666), (3, 1, 'EU', 30), (4, 3, 'US', 667), (5, 4, 'EU', NULL);
CREATE TABLE customers (id INTEGER, name TEXT, email TEXT, ssn TEXT);
INSERT INTO customers VALUES (1, 'Ada', 'a@x', 'HIDDEN1'), (2, 'Bo', 'b@x', 'HIDDEN3'), (3, 'Cy', NULL, 'HIDDEN5'),
  (4, 'Dan', NULL, 'HIDDEN6');
CREATE TABLE vip (customer INTEGER);
INSERT INTO vip VALUES (1), (4), (2);
CREATE TABLE secrets (id INTEGER, token TEXT);
INSERT INTO secrets VALUES (1, 'HIDDEN7');
"""


@dataclass(frozen=True)
class Role:
    """What a role may see: its rights, and a database with nothing else in it."""

    tables: tuple[str, ...]
    rights: Rights
    reference: sqlite3.Connection


@dataclass
class Judgement:
    """How many queries were right, and what they held; queries that gave something else than the reference."""

    right: int = 0
    held: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def rights_of(line: dict[str, object]) -> Rights:
    def sets(name: str) -> dict[str, frozenset[str]]:
        return {table: frozenset(columns) for table, columns in line.get(name, {}).items()}  # type: ignore[attr-defined]

    return Rights(
        tables=frozenset(line["tables"]),  # type: ignore[call-overload]
        columns=sets("columns"),
        denied=sets("denied"),
        rows=line.get("rows", {}),  # type: ignore[arg-type]
        masks=line.get("masks", {}),  # type: ignore[arg-type]
    )


def rows(connection: sqlite3.Connection, sql: str, most_steps: int = MOST_STEPS) -> list[str] | None:
    """Rows in any order; None when SQLite cannot run this, or not in so many steps."""
    left = iter(range(most_steps // 10_000))
    connection.set_progress_handler(lambda: next(left, None) is None, 10_000)
    try:
        return sorted(map(repr, connection.execute(sql).fetchmany(5_000)))
    except sqlite3.Error:
        return None


def database(*scripts: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for script in scripts:
        connection.executescript(script)
    return connection


def judged(seed: int | None, tried: int, patience: int = 10**9) -> Judgement:
    """Grow queries of all roles in turn; end early after so many wrong ones."""
    chance, found = Random(seed), Judgement()
    with ExitStack() as opened:
        whole = opened.enter_context(closing(database(FILL)))
        roles = [
            Role((*line["tables"],), rights_of(line), opened.enter_context(closing(database(FILL, *line["reduced"]))))
            for line in ROLES
        ]
        for role in islice((role for _ in iter(int, 1) for role in roles), tried):
            judge(RightsGrower(chance, role.tables).query()[0], role, whole, found)
            if len(found.wrong) > patience:
                break
    return found


def judge(sql: str, role: Role, whole: sqlite3.Connection, found: Judgement) -> None:
    held = [production for production in PRODUCTIONS if production.shows.search(sql)]
    try:
        checked = check(sql, EVERY, role.rights)
    except SqlRefused:
        found.held.update(production.name for production in held if production.is_refused)
        return
    given = rows(whole, checked.sql)
    if given is None:
        return
    if given == rows(role.reference, sql, 20 * MOST_STEPS) and "HIDDEN" not in "".join(given):
        found.right += 1
        found.held.update(production.name for production in held)
    else:
        found.wrong.append(f"{sql} -> {checked.sql}")


@pytest.mark.parametrize(
    ("seed", "tried", "right"), [(SEED, TRIED, 900), pytest.param(6, 12_000, 5_000, marks=pytest.mark.slow)]
)
def test_queries_see_only_what_may_be_seen(seed: int, tried: int, right: int) -> None:
    found = judged(seed, tried)
    assert found.wrong == []
    assert {one.name: found.held[one.name] for one in PRODUCTIONS if found.held[one.name] < LEAST} == {}
    assert found.right >= right


@pytest.mark.fuzz
@pytest.mark.parametrize("_tenth", range(10))
def test_a_hundred_thousand_queries_see_only_what_may_be_seen(_tenth: int) -> None:
    assert judged(None, 10_000).wrong == []


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("defences.jsonl")))
def test_a_defence_that_is_taken_out_is_found(case: dict[str, str]) -> None:
    """Of those behind which no second one stands."""
    path = case["mutant"].partition(":")[0]
    found = (mutant for mutant in (*forbidden_in([path]), *usual([path])) if mutant.name == case["mutant"])
    with living_with(next(found)):
        assert judged(SEED, TRIED, patience=0).wrong
