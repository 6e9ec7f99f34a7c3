"""What engines call a type, and what becomes of their faults; no server is asked."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pytest
from pymysql import err  # type: ignore[import-untyped]
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ai.errors import ConfigError, ConnectionLost, DatathreadError, SourceUnavailable
from ai.results.cells import Block
from ai.sql.catalog import Catalog, Column, ForeignKey, Table
from ai.sql.engines.duckdb import catalog as duckdb_catalog
from ai.sql.engines.duckdb.engine import DuckDBBackend
from ai.sql.engines.mysql import catalog as mysql_catalog
from ai.sql.engines.mysql.engine import MySQLBackend
from ai.sql.engines.mysql.engine import quoted as mysql_quoted
from ai.sql.engines.pool import without_password
from ai.sql.engines.port import QueryLimits
from ai.sql.engines.postgres import catalog as postgres_catalog
from ai.sql.engines.postgres.engine import PostgresBackend
from ai.sql.engines.postgres.values import sized
from ai.sql.engines.rights.drift import differences, refusal
from ai.sql.engines.sqlite.engine import SqliteBackend
from ai.sql.engines.texts import column_of
from tests.cases import cases

CASES = cases(Path(__file__).with_name("engines.jsonl"))
URLS = {"mysql": "mysql://bot:s3cret@db.test/shop", "postgres": "postgresql://bot:s3cret@db.test/shop"}
KINDS: Mapping[str, Callable[..., str]] = {
    "mysql": mysql_catalog.kind_of,
    "duckdb": duckdb_catalog.kind_of,
    "postgres": postgres_catalog.kind_of,
}


@pytest.mark.parametrize("case", [case for case in CASES if "kind" in case.values[0]])
def test_a_type_has_a_kind(case: dict[str, Any]) -> None:
    assert KINDS[case["engine"]](*case["declared"]) == case["kind"]


def _mysql(case: dict[str, Any]) -> DatathreadError:
    fault = err.OperationalError(case["fault"], "s3cret is not it")
    return MySQLBackend(URLS["mysql"], QueryLimits())._error(DBAPIError("", (), fault), ConnectionLost)


def _postgres(case: dict[str, Any]) -> DatathreadError:
    fault = psycopg.errors.lookup(case["fault"])("s3cret is not it")
    return PostgresBackend(URLS["postgres"], QueryLimits())._error(DBAPIError("", (), fault), ConnectionLost)


def _duckdb(case: dict[str, Any]) -> DatathreadError:
    return DuckDBBackend("duckdb:///shop.duckdb", QueryLimits())._error(case["fault"], case["detail"])


def _sqlite(case: dict[str, Any]) -> DatathreadError:
    return SqliteBackend("sqlite:///shop.db", QueryLimits())._named(case["fault"])


FAULTS = {"mysql": _mysql, "postgres": _postgres, "duckdb": _duckdb, "sqlite": _sqlite}


@pytest.mark.parametrize("case", [case for case in CASES if "fault" in case.values[0]])
def test_a_fault_of_a_server_has_an_error_that_tells_no_password(case: dict[str, Any]) -> None:
    error = FAULTS[case["engine"]](case)
    assert type(error).__name__ == case["error"]
    assert "s3cret" not in f"{error} {getattr(error, 'detail', '')}"
    assert case.get("says", "") in str(error)


def test_a_query_that_is_taken_back_is_none_that_took_too_long() -> None:
    fault = psycopg.errors.QueryCanceled("canceling statement due to user request")
    error = PostgresBackend(URLS["postgres"], QueryLimits())._error(fault, ConnectionLost)
    assert type(error).__name__ == "QueryCancelled"


def test_keys_of_several_columns_are_put_together() -> None:
    primary, foreign = mysql_catalog._keys(
        [
            ("lines", "PRIMARY", "bill", None, None),
            ("lines", "PRIMARY", "number", None, None),
            ("lines", "fk_bill", "bill", "bills", "id"),
            ("lines", "fk_bill", "year", "bills", "year"),
            ("lines", "fk_app", "app", "apps", "id"),
        ]
    )
    assert primary["lines"] == ["bill", "number"]
    assert foreign["lines"] == [
        ForeignKey(("bill", "year"), "bills", ("id", "year")),
        ForeignKey(("app",), "apps", ("id",)),
    ]
    found = duckdb_catalog.tables(
        "shop",
        [("lines", 7, None, 0)],
        [("lines", "bill", "INTEGER", False, "of which"), ("lines", "note", "VARCHAR", True, None)],
        [("lines", "PRIMARY KEY", ["bill"], None, None), ("lines", "FOREIGN KEY", ["bill"], "bills", ["id"])],
    )
    (table,) = found.tables
    assert (table.primary_key, table.row_estimate, table.comment) == (("bill",), 7, "")
    assert table.foreign_keys == (ForeignKey(("bill",), "bills", ("id",)),)
    assert [(c.name, c.kind, c.nullable, c.comment) for c in table.columns] == [
        ("bill", "integer", False, "of which"),
        ("note", "text", True, ""),
    ]


ORDERS = Table(
    "orders",
    (Column("id", "int(11)", "integer", nullable=False), Column("note", "text", "text", comment="of the buyer")),
    ("id",),
    (ForeignKey(("id",), "bills", ("number",)),),
    7,
    "what was ordered",
)


def test_the_catalogue_of_mysql_is_made_of_what_it_answers() -> None:
    answers: dict[str, list[tuple[Any, ...]]] = {
        mysql_catalog.COLUMNS: [
            ("orders", "id", "int(11)", "int", 0, ""),
            ("orders", "note", "text", "text", 1, "of the buyer"),
            ("recent", "id", "int(11)", "int", 1, None),
        ],
        mysql_catalog.KEYS: [("orders", "PRIMARY", "id", None, None), ("orders", "fk", "id", "bills", "number")],
        mysql_catalog.RELATIONS: [("orders", 7, "what was ordered"), ("recent", None, None)],
    }
    recent = Table("recent", (Column("id", "int(11)", "integer"),))
    assert mysql_catalog.tables("shop", "db", answers.__getitem__) == Catalog("shop", "mysql", (ORDERS, recent), "db")


def test_the_catalogue_of_postgresql_is_made_of_what_it_answers() -> None:
    answers: dict[str, list[tuple[Any, ...]]] = {
        "SELECT coalesce(current_schema(), '')": [("public",)],
        postgres_catalog.COLUMNS: [
            (1, "id", 23, -1, False, 1),
            (1, "note", 25, -1, True, 2),
            (2, "number", 23, -1, False, 1),
        ],
        postgres_catalog.TYPES: [(23, -1, "int(11)", "int4", "N"), (25, -1, "text", "text", "S")],
        postgres_catalog.COMMENTS: [(1, 2, "of the buyer"), (2, 7, "of nothing")],
        postgres_catalog.RELATIONS: [(1, "orders", 7, "what was ordered"), (2, "bills", -1, ""), (3, "bare", 0, "")],
        postgres_catalog.KEYS: [
            (1, "p", 0, ["id"], []),
            (1, "f", 2, ["id"], ["number"]),
            (1, "f", 9, ["note"], ["hidden"]),
        ],
    }
    bills = Table("bills", (Column("number", "int(11)", "integer", nullable=False),))
    found = postgres_catalog.tables("shop", answers.__getitem__)
    assert found == Catalog("shop", "postgres", (ORDERS, bills), "public")


@pytest.mark.parametrize(
    ("fault", "away", "says"),
    [
        (
            PoolTimeout("none free"),
            ConnectionLost,
            "mysql+pymysql://bot:***@db.test/shop cannot be reached now (none free)",
        ),
        (err.InterfaceError(0, ""), SourceUnavailable, "cannot be reached now (); try again later."),
        (err.OperationalError(1142, "no"), ConnectionLost, "The database server itself refused the query: no."),
        (err.OperationalError(1969, "no"), ConnectionLost, "stopped after 30 seconds"),
    ],
)
def test_a_fault_of_mysql_is_a_sentence(fault: Exception, away: type[SourceUnavailable], says: str) -> None:
    error = MySQLBackend(URLS["mysql"], QueryLimits())._error(fault, away)
    assert says in str(error)
    assert not isinstance(error, SourceUnavailable) or type(error) is away


def test_mysql_needs_the_name_of_a_database() -> None:
    with pytest.raises(ConfigError, match="ends with the name of the database"):
        MySQLBackend("mysql://bot@db.test", QueryLimits())


@pytest.mark.parametrize(("name", "quoted"), [("a", "`a`"), ("a`b", "`a``b`")])
def test_mysql_quotes_names_in_its_own_way(name: str, quoted: str) -> None:
    assert mysql_quoted(name) == quoted


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("password s3/cr is wrong", "password *** is wrong"),
        ("at mysql://bot:s3%2Fcr@db", "at mysql://bot:***@db"),
        ("xs3/cr and s3/crx", "xs3/cr and s3/crx"),
    ],
)
def test_a_password_is_left_out_however_it_is_spelled(said: str, told: str) -> None:
    assert without_password(said, make_url("mysql://bot:s3%2Fcr@db.test/shop")) == told
    assert without_password(said, make_url("mysql://bot@db.test/shop")) == said


def test_what_a_server_holds_is_compared_with_the_rights() -> None:
    found, wanted = {"role b": "", "view a": "1", "view c": "1"}, {"role b": "", "view a": "2", "view d": ""}
    assert [*differences(found, wanted)] == ["changed  view a", "beyond   view c", "missing  view d"]
    assert str(refusal("MariaDB", ValueError("no s3cret here"), make_url(URLS["mysql"]))) == (
        "MariaDB did not take the rights: no *** here"
    )


@pytest.mark.parametrize(
    ("texts", "kind", "values"),
    [
        (["1", None], "integer", ["1", None]),
        (["12345678901234567890"], "integer", ["12345678901234567890"]),
        (["1.5"], "number", ["1.5"]),
        (["t", "f", None], "boolean", ["True", "False", None]),
        (["a"], "text", ["a"]),
        (["2026-01-02"], "date", ["2026-01-02"]),
        (["2026-01-02 10:11:12.5"], "datetime", ["2026-01-02 10:11:12.500000"]),
        (["2026-01-02 10:11:12+02:00"], "moment", ["2026-01-02 08:11:12+00:00"]),
        (["7", None], "", ["7", None]),
    ],
)
def test_texts_are_read_as_the_column_that_they_are(
    texts: list[str | None], kind: str, values: list[str | None]
) -> None:
    block = Block.of_columns([column_of(pa.array(texts, pa.string()), kind, int)])
    assert [None if cell is None else str(cell) for (cell,) in block.rows()] == values
    assert all(type(cell) is not str or kind == "text" for (cell,) in block.rows())


@pytest.mark.parametrize(
    ("kinds", "cell_bytes", "measured"),
    [
        ([23, 1700], 150_000, []),
        ([23, 1700], 149_999, ["octet_length(CAST(c1 AS text))"]),
        ([25, 17, 114], 10, ["octet_length(c0)", "octet_length(c1)", "octet_length(CAST(c2 AS text))"]),
    ],
)
def test_postgresql_is_asked_to_stop_at_a_row_and_at_a_cell(
    kinds: list[int], cell_bytes: int, measured: list[str]
) -> None:
    described = [("same", kind) for kind in kinds]
    sql = sized("SELECT 1", described, QueryLimits(rows=5, cell_bytes=cell_bytes))
    names = ", ".join(f"c{place}" for place in range(len(kinds)))
    cut, _, rest = sql.partition(" WHERE ")
    assert cut == f"SELECT * FROM (SELECT * FROM (SELECT 1) AS a LIMIT 6) AS q({names})"
    biggest = f"greatest({', '.join(measured)})"
    assert rest == (
        f"CASE WHEN {biggest} > {cell_bytes} THEN CAST('a cell is too big: ' || {biggest} || ' bytes' AS boolean)"
        " ELSE true END"
        if measured
        else ""
    )
