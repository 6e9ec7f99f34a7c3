"""What every kind of database must do behind the one door. One row of `KINDS` per dialect runs the whole suite."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import pytest

from ai.errors import QueryFailed, QueryTimeout, SourceUnavailable, SqlRefused
from ai.results.table import Row
from ai.sql.catalog import ForeignKey
from ai.sql.database import BACKENDS, Database, QueryLimits
from ai.sql.guard import Checked, check

SCRIPT = """
CREATE TABLE teams (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, founded DATE, active BOOLEAN);
INSERT INTO teams VALUES (1, 'Ärzte', '2019-05-01', 1), (2, 'Blue', NULL, 0);
CREATE TABLE apps (id INTEGER PRIMARY KEY, team_id INTEGER REFERENCES teams (id), platform VARCHAR(10), price DECIMAL(8, 2));
INSERT INTO apps VALUES (1, 1, 'iOS', 0.99), (2, 1, 'Android', NULL), (3, 2, 'iOS', 4.5);
"""
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {} FROM n"


@dataclass(frozen=True)
class Kind:
    """One dialect under test: how to make a database of it from a script, and statements it must not run."""

    name: str
    make: Callable[[Path, str], str]
    writes: tuple[str, ...]
    gone: Callable[[Path], str]


def sqlite_url(folder: Path, script: str) -> str:
    with closing(sqlite3.connect(folder / "apps.db")) as connection:
        connection.executescript(script)
    return f"sqlite:///{folder / 'apps.db'}"


KINDS = [
    Kind(
        "sqlite",
        sqlite_url,
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
    )
]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


def opened(kind: Kind, folder: Path, limits: QueryLimits | None = None) -> Database:
    return Database("apps", kind.make(folder, SCRIPT), limits=limits)


def rows_of(database: Database, sql: str) -> list[Row]:
    with database.run(check(sql, database.catalog())) as stream:
        return [row for batch in stream.batches for row in batch]


def unchecked(sql: str) -> Checked:
    """SQL as if the guard had been fooled."""
    return Checked(sql, sql, ())


def test_every_dialect_is_tested() -> None:
    assert {kind.name for kind in KINDS} == BACKENDS.keys()


def test_rows_come_with_their_columns(kind: Kind, tmp_path: Path) -> None:
    database = opened(kind, tmp_path)
    with database.run(check("SELECT id, platform AS id, price FROM apps ORDER BY 1", database.catalog())) as stream:
        assert [column.name for column in stream.columns] == ["id", "id", "price"]
        assert [row for batch in stream.batches for row in batch] == [
            (1, "iOS", 0.99),
            (2, "Android", None),
            (3, "iOS", 4.5),
        ]


def test_literals_arrive_as_they_were_written(kind: Kind, tmp_path: Path) -> None:
    sql = """SELECT '{"k":1}', 'a%', '%s', '%%', ':name', '?', 7 % 4, name FROM teams WHERE name LIKE 'B%'"""
    assert rows_of(opened(kind, tmp_path), sql) == [('{"k":1}', "a%", "%s", "%%", ":name", "?", 3, "Blue")]


def test_the_catalogue_says_what_there_is(kind: Kind, tmp_path: Path) -> None:
    catalog = opened(kind, tmp_path).catalog()
    assert (catalog.source, catalog.dialect) == ("apps", kind.name)
    assert [table.name for table in catalog.tables] == ["teams", "apps"]
    teams, apps = catalog.tables
    assert [column.kind for column in teams.columns] == ["integer", "text", "date", "boolean"]
    assert [column.nullable for column in teams.columns] == [False, False, True, True]
    assert teams.columns[1].values == ("Blue", "Ärzte")
    assert (apps.primary_key, apps.row_estimate) == (("id",), 3)
    assert apps.foreign_keys == (ForeignKey(("team_id",), "teams", ("id",)),)
    assert apps.columns[3].kind == "number"


def test_the_catalogue_is_read_once(kind: Kind, tmp_path: Path) -> None:
    database = opened(kind, tmp_path)
    first = database.catalog()
    assert database.catalog() is first
    assert database.refresh() is not first


def test_a_changed_schema_is_noticed(kind: Kind, tmp_path: Path) -> None:
    database = opened(kind, tmp_path)
    assert database.catalog().table("releases") is None
    kind.make(tmp_path, "CREATE TABLE releases (id INTEGER PRIMARY KEY, version TEXT)")
    assert database.catalog().table("releases") is not None


def test_what_fooled_the_guard_is_stopped_by_the_engine(kind: Kind, tmp_path: Path) -> None:
    database = opened(kind, tmp_path)
    before = sorted(tmp_path.iterdir())
    for statement in kind.writes:
        sql = statement.format(folder=tmp_path)
        with pytest.raises((SqlRefused, QueryFailed)), database.run(unchecked(sql)) as stream:
            list(stream.batches)
    assert rows_of(database, "SELECT count(*), total(price) FROM apps") == [(3, 5.49)]
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("item", ["count(*)", "i"])
def test_a_query_without_end_is_interrupted(kind: Kind, tmp_path: Path, item: str) -> None:
    limits = QueryLimits(seconds=0.2, rows=10**12, bytes=10**15)
    database = opened(kind, tmp_path, limits)
    with pytest.raises(QueryTimeout) as timeout:
        rows_of(database, ENDLESS.format(item))
    assert timeout.value.seconds == 0.2
    assert rows_of(database, "SELECT 1") == [(1,)]


def test_a_query_without_end_is_interrupted_beside_a_busy_thread(kind: Kind, tmp_path: Path) -> None:
    database = opened(kind, tmp_path, QueryLimits(seconds=0.2))
    done = Event()
    busy = Thread(target=lambda: [sum(range(1000)) for _ in iter(done.is_set, True)])
    busy.start()
    try:
        with pytest.raises(QueryTimeout):
            rows_of(database, ENDLESS.format("count(*)"))
    finally:
        done.set()
        busy.join()


def test_one_row_more_than_the_limit_comes_and_then_none(kind: Kind, tmp_path: Path) -> None:
    database = opened(kind, tmp_path, QueryLimits(rows=1000))
    assert len(rows_of(database, ENDLESS.format("i"))) == 1001


def test_bytes_are_bounded_and_batches_small(kind: Kind, tmp_path: Path) -> None:
    database = opened(kind, tmp_path, QueryLimits(rows=10**9, bytes=5_000_000))
    checked = check(ENDLESS.format("hex(zeroblob(50000))"), database.catalog())
    with database.run(checked) as stream:
        sizes = [sum(len(row[0]) for row in batch) for batch in stream.batches]
    assert 4_900_000 < sum(sizes) < 5_200_000
    assert max(sizes) < 1_300_000


def test_a_cell_that_is_too_big_is_an_error_and_not_a_crash(kind: Kind, tmp_path: Path) -> None:
    database = opened(kind, tmp_path, QueryLimits(cell_bytes=100_000))
    with pytest.raises(QueryFailed) as failure:
        rows_of(database, "SELECT hex(randomblob(900000000))")
    assert "too big" in failure.value.detail


def test_what_the_database_says_goes_into_the_detail_only(kind: Kind, tmp_path: Path) -> None:
    with pytest.raises(QueryFailed) as failure, opened(kind, tmp_path).run(unchecked("SELECT nothing FROM apps")):
        raise AssertionError
    assert "nothing" in failure.value.detail
    assert "nothing" not in str(failure.value)


def test_many_threads_ask_at_once(kind: Kind, tmp_path: Path) -> None:
    database = opened(kind, tmp_path)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda n: rows_of(database, f"SELECT {n}, count(*) FROM apps"), range(40)))
    assert answers == [[(n, 3)] for n in range(40)]


def test_rows_need_not_all_be_taken(kind: Kind, tmp_path: Path) -> None:
    database = opened(kind, tmp_path)
    with database.run(check(ENDLESS.format("i"), database.catalog())) as stream:
        assert next(stream.batches)[0] == (1,)
    assert rows_of(database, "SELECT 1") == [(1,)]


def test_the_errors_of_who_takes_the_rows_stay_their_own(kind: Kind, tmp_path: Path) -> None:
    database = opened(kind, tmp_path)
    checked = check("SELECT 1", database.catalog())
    with pytest.raises(sqlite3.OperationalError, match="mine"), database.run(checked):
        raise sqlite3.OperationalError("mine")


def test_a_database_that_is_not_there_is_unavailable_and_not_created(kind: Kind, tmp_path: Path) -> None:
    database = Database("gone", kind.gone(tmp_path))
    for ask in (database.ping, database.catalog, lambda: rows_of(database, "SELECT 1")):
        with pytest.raises(SourceUnavailable):
            ask()
    assert list(tmp_path.iterdir()) == []
    database.close()


def test_a_database_that_answers_pings(kind: Kind, tmp_path: Path) -> None:
    opened(kind, tmp_path).ping()
