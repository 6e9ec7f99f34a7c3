"""What engines call a type, and what becomes of their faults; no server is asked."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pymysql import err  # type: ignore[import-untyped]
from sqlalchemy.exc import DBAPIError

from ai.errors import ConnectionLost, DatathreadError
from ai.sql.catalog import ForeignKey
from ai.sql.engines.duckdb import catalog as duckdb_catalog
from ai.sql.engines.duckdb.engine import DuckDBBackend
from ai.sql.engines.mysql import catalog as mysql_catalog
from ai.sql.engines.mysql.engine import MySQLBackend
from ai.sql.engines.port import QueryLimits
from ai.sql.engines.postgres import catalog as postgres_catalog
from ai.sql.engines.postgres.engine import PostgresBackend
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
    return PostgresBackend(URLS["postgres"], QueryLimits())._error(fault, ConnectionLost)


def _duckdb(case: dict[str, Any]) -> DatathreadError:
    return DuckDBBackend("duckdb:///shop.duckdb", QueryLimits())._error(case["fault"], case["detail"])


FAULTS = {"mysql": _mysql, "postgres": _postgres, "duckdb": _duckdb}


@pytest.mark.parametrize("case", [case for case in CASES if "fault" in case.values[0]])
def test_a_fault_of_a_server_has_an_error_that_tells_no_password(case: dict[str, Any]) -> None:
    error = FAULTS[case["engine"]](case)
    assert type(error).__name__ == case["error"]
    assert "s3cret" not in f"{error} {getattr(error, 'detail', '')}"


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
