"""What the guard believes that a query reads, against what a real engine says: any difference is a fault of the guard.

Queries grow at random, with names now and then that may not be read. What the guard lets through is planned by an
account that may read no more than the rights say. Queries that once mattered are lines of data.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.guard import check
from ai.sql.rights import Rights
from tests.cases import cases
from tests.databases import databases
from tests.fuzz.engines import ENGINES, READABLE, Engine
from tests.property.grower import Grower

RIGHTS = Rights(tables=frozenset(READABLE), denied={"customers": frozenset({"ssn"})}, rows={"orders": "amount > 5"})
KINDS = ["postgres", pytest.param("mysql", marks=pytest.mark.slow), pytest.param("duckdb", marks=pytest.mark.slow)]


@pytest.fixture(scope="module")
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with ExitStack() as opened:
        made = opened.enter_context(databases())
        yield opened.enter_context(ENGINES[request.param](made, tmp_path_factory.mktemp(request.param)))


@pytest.fixture(scope="module")
def catalog(engine: Engine) -> Iterator[Catalog]:
    database = Database("fuzz", engine.url)
    yield database.catalog()
    database.close()


def judged(engine: Engine, catalog: Catalog, sql: str) -> str:
    """`refused`, `planned` or `not run`; fails where the guard and the engine see different things."""
    try:
        checked = check(sql, catalog, RIGHTS)
    except SqlRefused:
        return "refused"
    read = engine.read(checked.sql)  # a Forbidden from here is a fault of the guard
    assert read is None or read <= set(checked.tables), (sql, checked.sql)
    return "not run" if read is None else "planned"


def planned(engine: Engine, catalog: Catalog, chance: Random, tried: int) -> int:
    def grown() -> Iterator[str]:
        while True:
            yield Grower(chance, READABLE, engine.wild, engine.wild_values).query()[0]

    return [judged(engine, catalog, sql) for sql in islice(grown(), tried)].count("planned")


@pytest.mark.parametrize("engine", KINDS, indirect=True)
def test_an_engine_reads_what_the_guard_says(engine: Engine, catalog: Catalog) -> None:
    assert planned(engine, catalog, Random(5), 200) >= 80


@pytest.mark.fuzz
@pytest.mark.parametrize("engine", [*ENGINES], indirect=True)
def test_engines_read_what_the_guard_says_however_long_one_tries(engine: Engine, catalog: Catalog) -> None:
    assert planned(engine, catalog, Random(), 20_000) >= 8_000


@pytest.mark.parametrize("engine", KINDS, indirect=True)
@pytest.mark.parametrize("case", cases(Path(__file__).parent / "regressions.jsonl"))
def test_what_mattered_once(case: dict[str, str], engine: Engine, catalog: Catalog) -> None:
    assert judged(engine, catalog, case["sql"]) in case["expect"]


@pytest.mark.parametrize("engine", KINDS, indirect=True)
def test_the_judge_sees_what_is_read(engine: Engine) -> None:
    assert engine.read("SELECT x.id FROM orders x JOIN customers y ON y.id = x.customer") == {"orders", "customers"}
    assert engine.read("SELECT nothing FROM orders") is None
