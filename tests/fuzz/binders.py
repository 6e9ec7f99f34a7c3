"""Which columns of which tables a query reads, as the engine's own binder says: `Read` gives None where it refuses.

SQLite shows its program, PostgreSQL notes what a view depends on, MariaDB writes the query out with whole names, and
DuckDB plans a scan of the columns left after unused ones are taken out.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Any

import duckdb
import psycopg
import pymysql  # type: ignore[import-untyped]
from sqlalchemy.engine import make_url

Pairs = frozenset[tuple[str, str]]  # of table and column
Read = Callable[[str], Pairs | None]
DEPENDS = """
SELECT t.relname, a.attname FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class v ON v.oid = r.ev_class
JOIN pg_class t ON t.oid = d.refobjid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
WHERE v.relname = 'seen' AND d.refclassid = 'pg_class'::regclass AND d.refobjsubid <> 0
"""
COLUMNS = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
ROW = re.compile(r"\.\*::(\w+)")  # a whole row, of which a view notes the table alone
# Optimizers that would drop a condition that is never true, and the columns in it.
KEPT_OUT = (
    "expression_rewriter,filter_pullup,filter_pushdown,empty_result_pullup,cte_filter_pusher,in_clause,join_order,"
    "statistics_propagation,common_subexpressions,limit_pushdown,join_filter_pushdown,late_materialization"
)


@contextmanager
def sqlite_binder(url: str) -> Iterator[Read]:
    """Read the columns out of the program for a query: the authorizer is asked for more, and not for those of USING."""
    with closing(sqlite3.connect(str(make_url(url).database))) as session:
        roots = dict(session.execute("SELECT rootpage, name FROM sqlite_schema WHERE type = 'table'"))
        columns = {name: [row[1] for row in session.execute(f"PRAGMA table_info({name})")] for name in roots.values()}

        def read(sql: str) -> Pairs | None:
            try:
                steps = session.execute(f"EXPLAIN {sql}").fetchall()
            except sqlite3.Error:
                return None
            opened = {step[2]: roots[step[3]] for step in steps if step[1] == "OpenRead" and step[3] in roots}
            done = (step for step in steps if step[1] == "Column" and step[2] in opened)
            return frozenset((opened[step[2]], columns[opened[step[2]]][step[3]]) for step in done)

        yield read


@contextmanager
def postgres_binder(url: str) -> Iterator[Read]:
    with psycopg.connect(url, autocommit=True, prepare_threshold=None) as session:
        columns: dict[str, list[str]] = {}
        for table, column in session.execute(COLUMNS.encode()):
            columns.setdefault(str(table), []).append(str(column))

        def read(sql: str) -> Pairs | None:
            session.execute("BEGIN")
            try:
                session.execute(f"CREATE TEMP VIEW seen AS SELECT 1 AS one WHERE EXISTS ({sql})".encode())
                depends = {(str(table), str(column)) for table, column in session.execute(DEPENDS.encode())}
                (written,) = session.execute(b"SELECT pg_get_viewdef('seen'::regclass)").fetchone() or ("",)
                rows = [(table, column) for table in ROW.findall(str(written)) for column in columns.get(table, ())]
                return frozenset(depends.union(rows))
            except psycopg.Error:
                return None
            finally:
                session.execute("ROLLBACK")

        yield read


@contextmanager
def mysql_binder(url: str) -> Iterator[Read]:
    where = make_url(url)
    column = re.compile(rf"`{where.database}`\.`([^`]+)`\.`([^`]+)`")
    table = re.compile(rf"`{where.database}`\.`([^`]+)`(?!\.)(?: `([^`]+)`)?")
    session = pymysql.connect(host=where.host, port=where.port or 0, user=where.username, database=where.database)
    with closing(session), session.cursor() as cursor:

        def read(sql: str) -> Pairs | None:
            try:
                cursor.execute(f"EXPLAIN EXTENDED {sql}")
                cursor.execute("SHOW WARNINGS")
            except pymysql.MySQLError:
                return None
            written = str(list(cursor.fetchall())[-1][2])
            called: dict[str, set[str]] = {}
            for name, alias in table.findall(written):
                called.setdefault(alias or name, set()).add(name)
            pairs = ((called.get(alias, set()), name.lower()) for alias, name in column.findall(written))
            return frozenset((min(tables), name) for tables, name in pairs if len(tables) == 1)

        yield read


@contextmanager
def duckdb_binder(url: str) -> Iterator[Read]:
    with closing(duckdb.connect(str(make_url(url).database), read_only=True)) as session:
        session.execute(f"SET disabled_optimizers = '{KEPT_OUT}'")

        def read(sql: str) -> Pairs | None:
            try:
                plans = session.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall()
            except duckdb.Error:
                return None
            return frozenset(pair for _, plan in plans for node in json.loads(plan) for pair in _scanned(node))

        yield read


def _scanned(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what the scans of a plan read."""
    told = node.get("extra_info") or {}
    table, columns = str(told.get("Table", "")).rpartition(".")[2].lower(), told.get("Projections") or ()
    if table:
        yield from ((table, column.lower()) for column in ([columns] if isinstance(columns, str) else columns))
    for child in node.get("children") or ():
        yield from _scanned(child)


BINDERS: Mapping[str, Callable[[str], AbstractContextManager[Read]]] = {
    "sqlite": sqlite_binder,
    "postgres": postgres_binder,
    "mysql": mysql_binder,
    "duckdb": duckdb_binder,
}
