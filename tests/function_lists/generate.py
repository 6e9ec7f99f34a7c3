"""Make the lists of functions: `python -m tests.function_lists.generate NAME [URL]`.

NAME is sqlite, duckdb, postgres, mysql or strict; postgres and mysql need the URL of a server. A list holds the
functions its engine calls pure, less those about the server, plus those known to its grammar alone.
"""

import re
import sqlite3
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import duckdb
from sqlalchemy import create_engine

from tests.paths import ROOT

BY_HAND = Path(__file__).parent / "by_hand"
LISTS = ROOT / "ai/sql/functions"
DETERMINISTIC, DIRECT_ONLY, INNOCUOUS = 0x800, 0x80000, 0x200000
PLAIN = re.compile(r"[a-z][a-z0-9_]*")


def words(name: str) -> frozenset[str]:
    lines = (BY_HAND / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines for word in line.partition("#")[0].split())


def without(names: Iterable[str], patterns: Iterable[str]) -> set[str]:
    refused = re.compile("|".join(patterns))
    return {name for name in names if PLAIN.fullmatch(name) and not refused.fullmatch(name)}


def sqlite_functions(connection: sqlite3.Connection) -> list[str]:
    """List built-in functions, innocuous or deterministic."""
    rows = connection.execute("SELECT name, flags FROM pragma_function_list WHERE builtin")
    pure = {name for name, flags in rows if flags & (DETERMINISTIC | INNOCUOUS) and not flags & DIRECT_ONLY}
    return sorted(without(pure, words("sqlite.refused")) | words("sqlite.added"))


def duckdb_functions() -> list[str]:
    """List built-in functions, consistent within a query."""
    rows = duckdb.connect().execute(
        "SELECT function_name FROM duckdb_functions() WHERE database_name = 'system'"
        " AND function_type IN ('scalar', 'aggregate', 'macro')"
        " GROUP BY 1 HAVING bool_and(coalesce(stability, 'CONSISTENT') <> 'VOLATILE')"
        " AND NOT bool_or(coalesce(has_side_effects, false))"
    )
    return sorted(without((name for (name,) in rows.fetchall()), words("duckdb.refused")) | words("duckdb.added"))


def postgres_functions(url: str) -> list[str]:
    """List functions of pg_catalog without a volatile variant."""
    return _asked(
        "postgres",
        url,
        "SELECT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind <> 'p' GROUP BY 1"
        " HAVING bool_and(provolatile <> 'v') AND NOT bool_or('internal'::regtype = ANY (proargtypes)"
        " OR prorettype IN ('internal'::regtype, 'cstring'::regtype, 'trigger'::regtype, 'event_trigger'::regtype))",
    )


def mysql_functions(url: str) -> list[str]:
    """List MariaDB's native functions; the impure ones are a list by hand."""
    return _asked("mysql", url, "SELECT lower(function) FROM information_schema.sql_functions")


def _asked(name: str, url: str, sql: str) -> list[str]:
    with create_engine(url).connect() as connection:
        rows = connection.execution_options(no_parameters=True).exec_driver_sql(sql)
        return sorted(without((row[0] for row in rows), words(f"{name}.refused")) | words(f"{name}.added"))


def _sqlite() -> list[str]:
    with sqlite3.connect(":memory:") as connection:
        return sqlite_functions(connection)


def _strict() -> list[str]:
    held = [set((LISTS / f"{name}.txt").read_text("utf-8").splitlines()) for name in MAKERS if name != "strict"]
    shared = {
        name for name in set[str]().union(*held) if PLAIN.fullmatch(name) and sum(name in one for one in held) > 2
    }
    return sorted(shared | words("strict.added"))


MAKERS: dict[str, Callable[..., list[str]]] = {
    "sqlite": _sqlite,
    "duckdb": duckdb_functions,
    "postgres": postgres_functions,
    "mysql": mysql_functions,
    "strict": _strict,
}


def main(name: str, *url: str) -> None:
    head = f"# Made by tests/function_lists for {name}; do not edit.\n"
    (LISTS / f"{name}.txt").write_text(head + "\n".join(MAKERS[name](*url)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
