"""What a real engine says that a query reads, from an account that may read only what the guard should let through."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pymysql  # type: ignore[import-untyped]
from psycopg import errors
from sqlalchemy.engine import make_url

from tests.databases import Databases

READABLE = {
    "orders": (("id", "n"), ("customer", "n"), ("region", "t"), ("amount", "n")),
    "customers": (("id", "n"), ("name", "t"), ("email", "t")),
}
SCRIPT = """
CREATE TABLE orders (id INTEGER, customer INTEGER, region VARCHAR(20), amount INTEGER);
INSERT INTO orders VALUES (1, 1, 'EU', 10), (2, 2, 'US', 20), (3, 1, 'EU', 30);
CREATE TABLE customers (id INTEGER, name VARCHAR(20), email VARCHAR(20), ssn VARCHAR(20));
INSERT INTO customers VALUES (1, 'Ada', 'a@x', '1'), (2, 'Bo', NULL, '2');
CREATE TABLE secrets (id INTEGER, token VARCHAR(20));
CREATE VIEW peeking AS SELECT id, token FROM secrets;
"""
GRANTED = "GRANT SELECT ON orders TO {0}; GRANT SELECT (id, name, email) ON customers TO {0};"
DENIED_BY_MARIADB = {1044, 1142, 1143, 1356, 1370}
NAMED_BY_MARIADB = re.compile(r"`([^`]+)`\.`([^`]+)` (?!\()")


class Forbidden(Exception):
    """The engine itself would not let the account run this."""


Read = Callable[[str], set[str] | None]  # the tables that a query reads; None when the engine cannot run it


@dataclass(frozen=True)
class Engine:
    """One engine: `url` is for the guard's catalogue, `read` its oracle; what is `wild` there has to be refused or harmless."""

    url: str
    read: Read
    wild: tuple[str, ...]
    wild_values: tuple[str, ...]


@contextmanager
def postgres(databases: Databases, folder: Path) -> Iterator[Engine]:
    url = databases.make("postgres", folder, SCRIPT)
    where = make_url(url)
    with psycopg.connect(
        host=where.host, port=where.port, user="postgres", dbname=where.database, autocommit=True
    ) as session:
        session.execute(
            b"DROP ROLE IF EXISTS fuzz_reader; CREATE ROLE fuzz_reader; " + GRANTED.format("fuzz_reader").encode()
        )
        session.execute(b"SET ROLE fuzz_reader")

        def read(sql: str) -> set[str] | None:
            try:
                (plan,) = session.execute(f"EXPLAIN (VERBOSE, FORMAT JSON) {sql}".encode()).fetchone() or (None,)
            except errors.InsufficientPrivilege as error:
                raise Forbidden(str(error)) from error
            except psycopg.Error:
                return None
            return set(_relations(json.loads(plan) if isinstance(plan, str) else plan))

        wild = (
            "secrets",
            "peeking",
            "pg_class",
            "public.orders",
            "pg_catalog.pg_authid",
            '"Orders"',
            "generate_series(1, 2)",
        )
        values = (
            "ssn",
            "ctid",
            "customers",
            "customers.*::text",
            "token",
            "current_user",
            "(SELECT max(ssn) FROM customers)",
        )
        try:
            yield Engine(url, read, wild, values)
        finally:
            session.execute(b"RESET ROLE; DROP OWNED BY fuzz_reader; DROP ROLE fuzz_reader")


@contextmanager
def mysql(databases: Databases, folder: Path) -> Iterator[Engine]:
    url = databases.make("mysql", folder, SCRIPT)
    where = make_url(url)
    databases.make("mysql", folder, "CREATE USER fuzz_reader@'%'; " + GRANTED.format("fuzz_reader@'%'"))
    session = pymysql.connect(host=where.host, port=where.port or 0, user="fuzz_reader", database=where.database)
    with closing(session):

        def read(sql: str) -> set[str] | None:
            with session.cursor() as cursor:
                try:
                    cursor.execute(f"EXPLAIN EXTENDED {sql}")
                    cursor.execute("SHOW WARNINGS")
                except pymysql.MySQLError as error:
                    if error.args[0] in DENIED_BY_MARIADB:
                        raise Forbidden(str(error)) from error
                    return None
                notes = " ".join(str(row[2]) for row in cursor.fetchall())
            return {table for schema, table in NAMED_BY_MARIADB.findall(notes) if schema == where.database}

        wild = (
            "secrets",
            "peeking",
            "information_schema.tables",
            "mysql.user",
            f"{where.database}.orders",
            "ORDERS",
            "dual",
        )
        values = ("ssn", "token", "@@version", "customers.ssn", "user()", "(SELECT max(ssn) FROM customers)", "`ssn`")
        try:
            yield Engine(url, read, wild, values)
        finally:
            databases.make("mysql", folder, "DROP USER fuzz_reader@'%';")


@contextmanager
def duck(databases: Databases, folder: Path) -> Iterator[Engine]:
    url = databases.make("duckdb", folder, SCRIPT)
    with closing(duckdb.connect(folder / "apps.duckdb", read_only=True)) as session:

        def read(sql: str) -> set[str] | None:
            try:
                return set(session.get_table_names(sql)) if session.execute(f"EXPLAIN {sql}") else None
            except duckdb.Error:
                return None

        wild = ("secrets", "peeking", "duckdb_tables()", "main.orders", "'/etc/passwd'", "range(3)", "sqlite_master")
        values = ("ssn", "customers", "rowid", "COLUMNS('s.*')", "token", "x1.*", "(SELECT max(ssn) FROM customers)")
        yield Engine(url, read, wild, values)


ENGINES = {"postgres": postgres, "mysql": mysql, "duckdb": duck}


def _relations(plan: Any) -> Iterator[str]:
    """The names of all relations in a plan; those of other schemas with their schema."""
    if isinstance(plan, dict):
        if name := plan.get("Relation Name"):
            yield name if plan.get("Schema", "public") == "public" else f"{plan['Schema']}.{name}"
        plan = list(plan.values())
    if isinstance(plan, list):
        for part in plan:
            yield from _relations(part)
