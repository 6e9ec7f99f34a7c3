"""The door to a database: who sees what behind it, what a query costs there, and where its answer ends."""

from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from ai.errors import QueryFailed, SqlRefused
from ai.sql.database import Database, QueryLimits
from ai.sql.engines.kept_catalog import MAX_AGE
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from tests.unit.ai.sql.shop import build_database
from tests.wait import until

EU = Rights(rows={"orders": "status = 'paid'"})
SPARING = Rights(denied={"customers": frozenset({"country"})}, masks={"orders": {"amount": "null"}})
TOLD = Rights(rows={"customers": "country = 'DE'"})


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return build_database(tmp_path_factory.mktemp("door") / "shop.db")


def opened(url: str, rights: SourceRights | Rights) -> Database:
    return Database("shop", url, rights=rights)


@pytest.mark.parametrize(
    ("rights", "restricted", "has"),
    [
        (EVERYTHING, False, False),
        (EU, True, True),
        (SourceRights(EVERYTHING, (("finance", EU),)), False, True),
        (SourceRights(EU, (("finance", EVERYTHING),)), True, True),
    ],
)
def test_whether_anything_is_kept_back(url: str, rights: SourceRights | Rights, *, restricted: bool, has: bool) -> None:
    with closing(opened(url, rights)) as database:
        assert (database.is_restricted, database.has_rights) == (restricted, has)


def test_a_view_has_the_rights_of_its_roles_and_leaves_the_others_theirs(url: str) -> None:
    with closing(opened(url, SourceRights(EU, (("finance", EVERYTHING),)))) as database:
        view = database.seen_by(("finance",))
        assert (view.is_restricted, database.is_restricted) == (False, True)
        assert database.right_of(("finance",)) != database.right_of(())
        assert view.check("SELECT id FROM orders").mark == ""
        assert database.check("SELECT id FROM orders").mark


@pytest.mark.parametrize(
    ("rights", "sql", "opens"),
    [
        (EVERYTHING, "SELECT id FROM orders", True),
        (EVERYTHING, "SELECT id FROM nowhere", False),
        (EU, "SELECT id FROM orders", False),
        (EU, "SELECT id FROM customers", True),
        (SPARING, "SELECT id FROM orders", True),
        (SPARING, "SELECT amount FROM orders", False),
        (SPARING, "SELECT country FROM customers", False),
        (SPARING, "SELECT id FROM customers", True),
        (SourceRights(SPARING, (("finance", TOLD),)), "SELECT id FROM customers", False),
        (SourceRights(SPARING, (("finance", TOLD),)), "SELECT id FROM orders", True),
    ],
)
def test_whether_a_query_reads_only_what_is_open(
    url: str, rights: SourceRights | Rights, sql: str, *, opens: bool
) -> None:
    with closing(opened(url, rights)) as database:
        assert database.opens(sql) is opens


def test_a_refusal_is_heard_of_by_its_layer(url: str) -> None:
    heard = list[str]()
    with closing(Database("shop", url, on_refusal=heard.append)) as database:
        database.check("SELECT id FROM orders")
        with pytest.raises(SqlRefused):
            database.check("DELETE FROM orders")
    assert heard == ["L1"]


def test_rights_that_fit_no_table_are_listed_and_nothing_is_read(url: str) -> None:
    with closing(opened(url, Rights(rows={"order": "id > 1"}))) as database:
        assert [str(one) for one in database.misfits()] == [
            "rights.rows.order: there is no table order; did you mean orders?"
        ]


def test_words_that_age_are_read_anew_each_time(tmp_path: Path) -> None:
    now = [0.0]
    with closing(Database("shop", build_database(tmp_path / "shop.db"), clock=lambda: now[0])) as database:
        known = [database.catalog()]
        for _ in range(2):
            now[0] += MAX_AGE
            assert database.catalog() is known[-1]
            now[0] += 1
            until(lambda: database.catalog() is not known[-1], what="the words to be read again")
            known.append(database.catalog())


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("door") / "numbers.duckdb"
    with closing(duckdb.connect(path)) as connection:
        connection.execute("CREATE TABLE numbers AS SELECT range AS n FROM range(1000)")
    return f"duckdb:///{path}"


@pytest.mark.parametrize(
    ("ceiling", "rights", "says"),
    [
        (999.0, EVERYTHING, "This query costs about 1,000 rows, more than the 999 that are usual here."),
        (1000.0, EVERYTHING, ""),
        (9.0, Rights(rows={"numbers": "n < 9"}), ""),
    ],
)
def test_a_dear_query_is_told(numbers: str, ceiling: float, rights: Rights, says: str) -> None:
    with closing(Database("numbers", numbers, ceiling=ceiling, rights=rights)) as database:
        assert database.advice("FROM numbers") == says


@pytest.mark.parametrize(("rows", "comes"), [(1000, 1000), (999, 1000), (998, 999), (32, 33), (31, 32), (0, 1)])
def test_one_row_more_than_fits_tells_that_there_are_more(url: str, rows: int, comes: int) -> None:
    sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n"
    with (
        closing(Database("shop", url, limits=QueryLimits(rows=rows))) as database,
        database.run(database.check(sql)) as stream,
    ):
        assert sum(len(batch) for batch in stream.batches) == comes


def test_a_row_that_fails_fails_the_query_and_letters_that_are_none_do_not(url: str) -> None:
    with closing(Database("shop", url)) as database:
        broken = database.check("SELECT abs(column1) FROM (VALUES (1), (-9223372036854775807 - 1), (2))")
        with pytest.raises(QueryFailed, match="could not run"), database.run(broken) as stream:
            list(stream.batches)
        odd = database.check("SELECT column1 FROM (VALUES ('a'), (CAST(x'62ff' AS TEXT)), ('c'))")
        with database.run(odd) as stream:
            assert [row for batch in stream.batches for row in batch] == [("a",), ("b\ufffd",), ("c",)]
