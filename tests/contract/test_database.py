"""What every kind of database must do behind the one door. One row of `KINDS` per dialect runs the whole suite."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event, Thread

import pytest

from ai.errors import QueryFailed, QueryTimeout, SourceUnavailable, SqlRefused
from ai.results.table import Row
from ai.sql.catalog import ForeignKey
from ai.sql.database import Database, QueryLimits
from ai.sql.dialects import DIALECTS
from ai.sql.engines.kept_catalog import MAX_AGE
from ai.sql.guard import Checked
from tests.databases import Databases
from tests.wait import until

SCRIPT = """
CREATE TABLE teams (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, founded DATE, active BOOLEAN);
INSERT INTO teams VALUES (1, 'Ärzte', '2019-05-01', TRUE), (2, 'Blue', NULL, FALSE);
CREATE TABLE apps (id INTEGER PRIMARY KEY, team_id INTEGER, platform VARCHAR(10), price DECIMAL(8, 2),
                   FOREIGN KEY (team_id) REFERENCES teams (id));
INSERT INTO apps VALUES (1, 1, 'iOS', 0.99), (2, 1, 'Android', NULL), (3, 2, 'iOS', 4.5);
"""
MANY = "abcdefghijklmnopqrstuvwxyz"
RECURSION = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {} FROM n"


Make = Callable[[str], str]
Open = Callable[..., Database]


@dataclass(frozen=True)
class Kind:
    """One dialect under test: how to make a database of it from a script, and statements it must not run.

    `endless` is a query without end over a column `i`, `wide` a cell of thousands of characters, `giant` a query for one cell
    that is too big. `gone` is the address of a database that is not there.
    """

    name: str
    writes: tuple[str, ...]
    gone: Callable[[Path], str]
    endless: str = RECURSION
    wide: str = "repeat('x', 100000)"
    giant: str = "SELECT repeat('x', 15000000)"


KINDS = [
    Kind(
        "sqlite",
        writes=(
            "DELETE FROM apps",
            "UPDATE apps SET price = 0",
            "INSERT INTO apps (id) VALUES (9)",
            "CREATE TEMP TABLE x (i)",
            "DROP TABLE apps",
            "ATTACH DATABASE '{folder}/evil.db' AS evil",
            "VACUUM INTO '{folder}/copy.db'",
            "PRAGMA query_only = OFF",
            "PRAGMA writable_schema = ON",
            "SELECT sql FROM sqlite_master",
            "SELECT * FROM pragma_table_info('apps')",
            "SELECT * FROM dbstat",
            "SELECT load_extension('{folder}/evil.so')",
            "SELECT 1 WHERE 'a' REGEXP '(a+)+$'",
            "BEGIN EXCLUSIVE",
        ),
        gone=lambda folder: f"sqlite:///{folder / 'nowhere.db'}",
        wide="hex(zeroblob(50000))",
        giant="SELECT hex(randomblob(900000000))",
    ),
    Kind(
        "postgres",
        writes=(
            "DELETE FROM apps",
            "UPDATE apps SET price = 0",
            "INSERT INTO apps (id) VALUES (9)",
            "DROP TABLE apps",
            "SELECT 1; DROP TABLE apps",
            "WITH gone AS (DELETE FROM apps RETURNING id) SELECT * FROM gone",
            "SELECT * INTO copy FROM apps",
            "SELECT * FROM apps FOR UPDATE",
            "COPY apps TO '{folder}/copy.csv'",
            "SET TRANSACTION READ WRITE",
            "SELECT set_config('transaction_read_only', 'off', false)",
            "SELECT nextval('counter')",
            "COMMIT",
            "VACUUM",
        ),
        gone=lambda _: "postgresql://bot:hush@127.0.0.1:1/nowhere",
    ),
    Kind(
        "mysql",
        writes=(
            "DELETE FROM apps",
            "UPDATE apps SET price = 0",
            "INSERT INTO apps (id) VALUES (9)",
            "DROP TABLE apps",
            "SELECT 1; DROP TABLE apps",
            "CREATE TABLE copy AS SELECT * FROM apps",
            "ALTER TABLE apps ADD COLUMN x INTEGER",
            "TRUNCATE TABLE apps",
            "RENAME TABLE apps TO old",
            "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE apps",
            "CREATE VIEW v AS SELECT 1",
            "SET SESSION TRANSACTION READ WRITE",
            "COMMIT",
        ),
        gone=lambda _: "mysql://bot:hush@127.0.0.1:1/nowhere",
        endless="SELECT {} FROM (SELECT a.id AS i FROM " + ", ".join(f"apps {name}" for name in MANY) + ") AS n",
    ),
    Kind(
        "duckdb",
        writes=(
            "DELETE FROM apps",
            "UPDATE apps SET price = 0",
            "INSERT INTO apps (id) VALUES (9)",
            "DROP TABLE apps",
            "SELECT 1; DROP TABLE apps",
            "CREATE TEMP TABLE x (i INTEGER)",
            "COPY apps TO '{folder}/copy.csv'",
            "EXPORT DATABASE '{folder}/all'",
            "ATTACH '{folder}/evil.duckdb' AS evil",
            "SET memory_limit = '64GB'",
            "SET enable_external_access = true",
            "INSTALL httpfs",
            "LOAD json",
            "CHECKPOINT",
            "PRAGMA disable_object_cache",
            "SELECT * FROM '{folder}/apps.duckdb'",
            "SELECT * FROM read_text('/etc/hostname')",
            "SELECT * FROM glob('/*')",
            "SELECT * FROM sys",
        ),
        gone=lambda folder: f"duckdb:///{folder / 'nowhere.duckdb'}",
        endless="SELECT {} FROM range(3000000000000) AS n(i)",
        wide="repeat('x', 2000)",
    ),
]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


@pytest.fixture
def make(machine: Databases, kind: Kind, tmp_path: Path) -> Make:
    """Runs a script in the database of this test; its URL."""
    return partial(machine.make, kind.name, tmp_path)


@pytest.fixture
def opened(make: Make) -> Iterator[Open]:
    """Opens the database of this test, with the tables of `SCRIPT` in it."""
    url = make(SCRIPT)
    with ExitStack() as open_ones:

        def open_(**limits: float) -> Database:
            database = Database("apps", url, limits=QueryLimits(**limits))  # type: ignore[arg-type]
            open_ones.callback(database.close)
            return database

        yield open_


def rows_of(database: Database, sql: str) -> list[Row]:
    with database.run(unchecked(sql)) as stream:
        return [row for batch in stream.batches for row in batch]


def unchecked(sql: str) -> Checked:
    """SQL as if the guard had been fooled."""
    return Checked(sql, sql, ())


def test_every_kind_is_tested() -> None:
    assert {kind.name for kind in KINDS} == {dialect.name for dialect in DIALECTS if dialect.backend}


def test_rows_come_with_their_columns(opened: Open) -> None:
    with opened().run(unchecked("SELECT id, platform AS id, price FROM apps ORDER BY 1")) as stream:
        assert [column.name for column in stream.columns] == ["id", "id", "price"]
        rows = [row for batch in stream.batches for row in batch]
    assert [(key, platform, price and float(price)) for key, platform, price in rows] == [
        (1, "iOS", 0.99),
        (2, "Android", None),
        (3, "iOS", 4.5),
    ]


def test_the_cost_of_a_query_is_told_before_it_runs(kind: Kind, opened: Open) -> None:
    database = opened()
    cost = database.cost(unchecked("SELECT platform, count(*) FROM apps WHERE price > 0 GROUP BY platform"))
    assert (cost is None) == (kind.name == "sqlite")
    assert cost is None or cost.amount >= 1


def test_what_costs_more_than_is_usual_is_said(kind: Kind, make: Make) -> None:
    with closing(Database("apps", make(SCRIPT), ceiling=0.5)) as database:
        advice = database.advice("SELECT * FROM apps")
        assert database.advice("SELECT nothing FROM apps") == ""
    assert ("costs about" in advice) == (kind.name != "sqlite")


def test_literals_arrive_as_they_were_written(opened: Open) -> None:
    sql = """SELECT '{"k":1}', 'a%', '%s', '%%', ':name', '?', 7 % 4, name FROM teams WHERE name LIKE 'B%'"""
    assert rows_of(opened(), sql) == [('{"k":1}', "a%", "%s", "%%", ":name", "?", 3, "Blue")]


def test_the_order_that_was_asked_for_is_kept(opened: Open) -> None:
    sql = "SELECT platform, id FROM apps ORDER BY platform DESC, id DESC"
    assert rows_of(opened(), sql) == [("iOS", 3), ("iOS", 1), ("Android", 2)]


def test_a_plan_can_be_asked_for(opened: Open) -> None:
    assert rows_of(opened(), "EXPLAIN SELECT count(*) FROM apps")


def test_the_catalogue_says_what_there_is(kind: Kind, opened: Open) -> None:
    catalog = opened().catalog()
    assert (catalog.source, catalog.dialect) == ("apps", kind.name)
    assert catalog.schema
    assert {table.name for table in catalog.tables} == {"teams", "apps"}
    teams, apps = (catalog.table(name) for name in ("teams", "apps"))
    assert teams is not None
    assert apps is not None
    assert [column.kind for column in teams.columns] == ["integer", "text", "date", "boolean"]
    assert [column.nullable for column in teams.columns] == [False, False, True, True]
    assert teams.columns[1].values == ("Blue", "Ärzte")
    assert (apps.primary_key, apps.row_estimate) == (("id",), 3)
    assert apps.foreign_keys == (ForeignKey(("team_id",), "teams", ("id",)),)
    assert apps.columns[3].kind == "number"


def test_the_catalogue_is_read_once(opened: Open) -> None:
    database = opened()
    first = database.catalog()
    assert database.catalog() is first


def test_other_limits_share_the_catalogue_and_no_connection(opened: Open) -> None:
    database = opened()
    with closing(database.within(QueryLimits(rows=1))) as narrow:
        assert narrow.catalog() is database.catalog()
        with narrow.run(narrow.check("SELECT id FROM apps")) as stream:
            assert sum(len(batch) for batch in stream.batches) == 2  # one more than the limit tells that there are more
    with database.run(database.check("SELECT id FROM apps")) as stream:
        assert sum(len(batch) for batch in stream.batches) == 3


def test_an_old_catalogue_is_given_once_more_and_read_anew_behind_it(make: Make) -> None:
    now = 0.0
    database = Database("apps", make(SCRIPT), clock=lambda: now)
    first = database.catalog()
    make("INSERT INTO teams VALUES (3, 'Green', NULL, TRUE)")
    now = MAX_AGE + 1
    assert database.catalog() is first
    newer = until(lambda: (catalog := database.catalog()) is not first and catalog)
    teams = newer.table("teams") if newer else None
    assert teams is not None
    assert teams.columns[1].values == ("Blue", "Green", "Ärzte")
    database.close()


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TABLE releases (id INTEGER PRIMARY KEY, version VARCHAR(9))",
        "ALTER TABLE teams ADD COLUMN motto VARCHAR(9)",
        "ALTER TABLE apps RENAME COLUMN price TO cost",
        "DROP TABLE apps",
    ],
)
def test_a_changed_schema_is_noticed(opened: Open, make: Make, change: str) -> None:
    database = opened()
    before = database.catalog()
    make(change)
    assert database.catalog() != before


def test_what_fooled_the_guard_is_stopped_by_the_engine(kind: Kind, opened: Open, tmp_path: Path) -> None:
    database = opened()
    before = sorted(tmp_path.iterdir())
    for statement in kind.writes:
        sql = statement.format(folder=tmp_path)
        with pytest.raises((SqlRefused, QueryFailed)), database.run(unchecked(sql)) as stream:
            list(stream.batches)
    assert [(n, float(total)) for n, total in rows_of(database, "SELECT count(*), sum(price) FROM apps")] == [(3, 5.49)]
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("item", ["count(*)", "i"])
def test_a_query_without_end_is_interrupted(kind: Kind, opened: Open, item: str) -> None:
    database = opened(seconds=0.5, rows=10**12, bytes=10**15)
    with pytest.raises(QueryTimeout) as timeout:
        rows_of(database, kind.endless.format(item))
    assert timeout.value.seconds == 0.5
    until(lambda: answers(database), what="the next query to be answered in time")


def answers(database: Database) -> bool:
    with suppress(QueryTimeout):  # on a busy machine half a second may be too short for any query
        return rows_of(database, "SELECT 1") == [(1,)]
    return False


def test_a_query_without_end_is_interrupted_beside_a_busy_thread(kind: Kind, opened: Open) -> None:
    database = opened(seconds=0.5)
    done = Event()
    busy = Thread(target=lambda: [sum(range(1000)) for _ in iter(done.is_set, True)])
    busy.start()
    try:
        with pytest.raises(QueryTimeout):
            rows_of(database, kind.endless.format("count(*)"))
    finally:
        done.set()
        busy.join()


def test_one_row_more_than_the_limit_comes_and_then_none(kind: Kind, opened: Open) -> None:
    assert len(rows_of(opened(rows=1000), kind.endless.format("i"))) == 1001


def test_bytes_are_bounded_and_batches_small(kind: Kind, opened: Open) -> None:
    database = opened(rows=10**9, bytes=5_000_000)
    with database.run(unchecked(kind.endless.format(kind.wide))) as stream:
        sizes = [sum(len(row[0]) for row in batch) for batch in stream.batches]
    assert 4_700_000 < sum(sizes) < 5_200_000
    assert max(sizes) < 1_300_000


def test_a_cell_that_is_too_big_is_an_error_and_not_a_crash(kind: Kind, opened: Open) -> None:
    with pytest.raises(QueryFailed) as failure:
        rows_of(opened(cell_bytes=100_000), kind.giant)
    assert "too big" in failure.value.detail


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name == "duckdb"], ids=["duckdb"])
def test_a_pivot_without_its_values_is_told_what_it_lacks(opened: Open) -> None:
    """Only DuckDB knows PIVOT as a statement."""
    database, pivot = opened(), "PIVOT apps ON platform{} USING count(*) GROUP BY team_id ORDER BY team_id"
    assert rows_of(database, pivot.format(" IN ('iOS', 'Android')")) == [(1, 1, 1), (2, 1, 0)]
    with pytest.raises(QueryFailed) as failure:
        rows_of(database, pivot.format(""))
    assert "must list the values" in failure.value.detail


def test_what_the_database_says_goes_into_the_detail_only(opened: Open) -> None:
    with pytest.raises(QueryFailed) as failure, opened().run(unchecked("SELECT nothing FROM apps")):
        raise AssertionError
    assert "nothing" in failure.value.detail
    assert "nothing" not in str(failure.value)


def test_many_threads_ask_at_once(opened: Open) -> None:
    database = opened()
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda n: rows_of(database, f"SELECT {n}, count(*) FROM apps"), range(40)))
    assert answers == [[(n, 3)] for n in range(40)]


def test_rows_need_not_all_be_taken(kind: Kind, opened: Open) -> None:
    database = opened()
    with database.run(unchecked(kind.endless.format("i"))) as stream:
        assert next(stream.batches)
    assert rows_of(database, "SELECT 1") == [(1,)]


def test_the_errors_of_who_takes_the_rows_stay_their_own(opened: Open) -> None:
    with pytest.raises(sqlite3.OperationalError, match="mine"), opened().run(unchecked("SELECT 1")):
        raise sqlite3.OperationalError("mine")


def test_a_database_that_is_not_there_is_unavailable_and_not_created(kind: Kind, tmp_path: Path) -> None:
    database = Database("gone", kind.gone(tmp_path))
    for ask in (database.ping, database.catalog, lambda: rows_of(database, "SELECT 1")):
        with pytest.raises(SourceUnavailable) as away:
            ask()
        assert "hush" not in str(away.value)
    assert list(tmp_path.iterdir()) == []
    database.close()


def test_a_database_that_answers_pings(opened: Open) -> None:
    opened().ping()
