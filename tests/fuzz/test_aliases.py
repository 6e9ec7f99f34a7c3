"""An alias means to the guard what it means to the engine, at every place of a query and under every name."""

from collections.abc import Iterator
from random import Random

import pytest

from ai.errors import QueryEnded, QueryFailed, SqlRefused
from ai.sql.database import Database
from ai.sql.guard import Checked
from tests.databases import databases
from tests.fuzz.aliases import COLUMNS, SYSTEM, TABLES, AliasQuery, queries

KINDS = ["sqlite", "postgres", "mysql", "duckdb"]
SHORT = ["sqlite", *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS[1:])]


@pytest.fixture(scope="module")
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with databases() as made:
        found = Database("aliases", made.make(request.param, tmp_path_factory.mktemp(request.param), TABLES))
        yield found
        found.close()


def rows(database: Database, sql: str) -> list[str] | None:
    """Run SQL as it is; None for what the engine refuses."""
    try:
        with database.run(Checked(sql, sql, ())) as stream:
            return sorted(repr(row) for batch in stream.batches for row in batch)
    except (QueryFailed, QueryEnded, SqlRefused):
        return None


def fault(database: Database, query: AliasQuery) -> str:
    """Return how the guard and the engine disagree, or ""."""
    given = rows(database, query.sql)
    if given is None:
        return ""
    try:
        checked = database.check(query.sql)
    except SqlRefused as error:
        return "" if query.word in SYSTEM else f"{query.name}: refused, {error}"
    if query.word not in SYSTEM and rows(database, checked.sql) != given:
        return f"{query.name}: {checked.sql} gives other rows"
    is_column = given == rows(database, query.as_column) != rows(database, query.as_alias)
    is_told = query.word in {column for _, column in checked.columns}
    return f"{query.name}: reads a column unseen" if is_column and query.word in COLUMNS and not is_told else ""


def faults(database: Database, tried: list[AliasQuery]) -> list[str]:
    return [found for query in tried if (found := fault(database, query))]


@pytest.mark.parametrize("database", SHORT, indirect=True)
def test_aliases_mean_what_the_engine_takes_them_for(database: Database) -> None:
    assert faults(database, Random(3).sample(list(queries()), 60)) == []


@pytest.mark.fuzz
@pytest.mark.parametrize("database", KINDS, indirect=True)
def test_all_aliases_mean_what_the_engine_takes_them_for(database: Database) -> None:
    assert faults(database, list(queries())) == []
