"""Twin databases that differ only in what is kept back: rows, columns, masked values."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from sqlite3 import Error as SqliteError
from sqlite3 import connect

import duckdb
import psycopg
import pymysql  # type: ignore[import-untyped]
from sqlalchemy.engine import make_url

from ai.errors import QueryEnded, QueryFailed, SqlRefused
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.engines.duckdb.child import BLIND
from ai.sql.engines.sqlite.engine import make_blind
from ai.sql.guard import check
from ai.sql.rights import Rights, SourceRights
from tests.databases import Databases
from tests.fuzz.hostile import HostileGrower

RIGHTS = Rights(
    tables=frozenset({"orders", "customers"}),
    denied={"customers": frozenset({"ssn"})},
    rows={
        "orders": "lower(replace(upper(region), ' ', '')) = 'eu'",  # dearer than what a query asks, so that it runs last
        "customers": "id IN (SELECT customer FROM orders WHERE region = 'EU')",
    },
    masks={"customers": {"email": "stars"}},
)
LISTED = Rights(
    tables=frozenset({"orders", "customers"}),
    columns={"customers": frozenset({"id", "name", "email"})},
    rows={"orders": "region <> 'US'", "customers": "id < 3"},
    masks={"customers": {"email": "null"}},
)
READABLE = {
    "orders": (("id", "n"), ("customer", "n"), ("region", "t"), ("amount", "n"), ("note", "t")),
    "customers": (("id", "n"), ("name", "t"), ("email", "t")),
}
PLAIN = {**READABLE, "customers": (("id", "n"), ("name", "t"))}  # without the masked column, or most would be refused
MISSTEPS = ("ssn", "rowid", "ctid", "customers", "orders", "token", "(SELECT max(ssn) FROM customers)")
FAILING = ("CAST({0} AS INTEGER)", "1/(CAST({0} AS INTEGER) - 1)", "abs(-9223372036854775807 - CAST({0} AS INTEGER))")
TABLES = """
CREATE TABLE customers (ssn VARCHAR(20), id INTEGER PRIMARY KEY, name VARCHAR(20), email VARCHAR(20));
INSERT INTO customers VALUES ('{ssn}1', 1, 'Ada', '{email}@x'), ('{other}2', 2, 'Bo', NULL), ('{ssn}3', 3, '{cy}', 's@x');
CREATE TABLE orders (id INTEGER, customer INTEGER, region VARCHAR(20), amount INTEGER, note VARCHAR(20));
INSERT INTO orders VALUES (1, 1, 'EU', 10, '1'), (2, 2, 'EU', 20, '2'), {hidden};
CREATE TABLE secrets (id INTEGER, token VARCHAR(20));
INSERT INTO secrets VALUES (1, '{ssn}'), (2, '{email}');
"""
ONE = {"ssn": "a", "other": "b", "email": "ada", "cy": "Cy", "hidden": "(3, 1, 'US', 30, 'xa'), (4, 3, 'US', 0, '7')"}
MANY = ", ".join(f"({n}, {n % 40}, 'US', {n * 7}, 'x{n}')" for n in range(100, 500))  # else planners choose alike
TWO = {"ssn": "z", "other": "b", "email": "zoe", "cy": "Zed", "hidden": "(8, 2, 'US', 2147483647, '9')"}
EXPLAINS = {"postgres": ("EXPLAIN ", "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ")}
BLINDED = frozenset({"sqlite", "duckdb"})  # kinds whose plans do not depend on statistics of hidden rows


Run = Callable[[str], str]  # a checked query, and its rows in any order or its error
SECONDS = 5  # of a query
STEPS, MOST_STEPS = 1_000_000, 20_000_000  # of SQLite's machine, about a second
BROKEN = frozenset({"InternalException", "FatalException", "InternalError_"})  # an engine came upon itself
INTERNAL = 90  # characters of its words
OWN_NAME = re.compile(r"test_[0-9a-f]+")  # of a database made for a test; servers tell it in their words


@dataclass(frozen=True)
class Twins:
    """`doors` are the whole way to a database; `runs` are connections of the drivers, for many queries a second."""

    doors: tuple[Database, Database]
    runs: tuple[Run, Run]
    catalog: Catalog
    rights: SourceRights

    def told(self, sql: str, *roles: str) -> tuple[str, str]:
        one, two = self.doors
        return _told(one.seen_by(roles), sql), _told(two.seen_by(roles), sql)

    def run(self, sql: str, *roles: str) -> tuple[str, str]:
        """Judge a query once, and run it on both."""
        try:
            checked = check(sql, self.catalog, self.rights.of(roles))
        except SqlRefused as error:
            told = f"{type(error).__name__}: {error}"
            return told, told
        one, two = self.runs
        return one(checked.sql), two(checked.sql)


@contextmanager
def twins(made: Databases, kind: str, folder: Path) -> Iterator[Twins]:
    """Make both in folders of their own; the role `listed` has other rights that hide the same."""
    given = SourceRights(RIGHTS, (("listed", LISTED),))
    urls = []
    for number, kept in enumerate((ONE, TWO)):
        (own := folder / str(number)).mkdir()
        urls.append(made.make(kind, own, TABLES.format(**kept)))
        if kind in BLINDED:
            made.make(kind, own, f"INSERT INTO orders VALUES {MANY};" * number + "ANALYZE;")
    with ExitStack() as opened:
        one, two = (opened.enter_context(closing(Database("twin", url, rights=given))) for url in urls)
        whole = opened.enter_context(closing(Database("twin", urls[0])))
        run = partial(_sqlite, plans=True) if kind == "sqlite" else RUNS[kind]
        runs = tuple(opened.enter_context(run(url)) for url in urls)
        rights = given.within(str(make_url(urls[0]).database) if kind == "mysql" else "")
        yield Twins((one, two), (runs[0], runs[1]), whole.catalog(), rights)


def grown(chance: Random, kind: str) -> Iterator[str]:
    """Yield queries, some of which fail on values that are kept back, and some that ask for a plan."""
    while True:
        tables = chance.choice([READABLE, PLAIN, PLAIN])
        grower = HostileGrower(kind, chance, tables, ("customers", "secrets"), MISSTEPS, FAILING)
        yield chance.choice([*[""] * 19, chance.choice(EXPLAINS.get(kind, ("EXPLAIN ",)))]) + grower.query()[0]


def _told(database: Database, sql: str) -> str:
    """Return all that somebody sees of a query: its rows in any order, or the kind and words of its error."""
    try:
        with database.run(database.check(sql)) as stream:
            return repr(sorted(repr(row) for batch in stream.batches for row in batch))
    except (SqlRefused, QueryFailed, QueryEnded) as error:
        return OWN_NAME.sub("", f"{type(error).__name__}: {error} {getattr(error, 'detail', '')}")


@contextmanager
def _sqlite(url: str, *, plans: bool = False) -> Iterator[Run]:
    """Open a file; with `plans` each answer ends with how SQLite went about it."""
    with closing(connect(f"file:{make_url(url).database}?mode=ro", uri=True)) as session:
        make_blind(session)

        def rows(sql: str) -> list[tuple[object, ...]]:
            left = iter(range(MOST_STEPS // STEPS))
            session.set_progress_handler(lambda: next(left, None) is None, STEPS)  # the same on both, unlike time
            return session.execute(sql).fetchall()

        def told(sql: str) -> str:
            plan = _shown(lambda: [row[-1] for row in rows(f"EXPLAIN QUERY PLAN {sql}")], SqliteError) if plans else ""
            return _shown(lambda: rows(sql), SqliteError) + plan

        yield told


@contextmanager
def _duckdb(url: str) -> Iterator[Run]:
    with closing(DuckSession(str(make_url(url).database))) as session:
        yield lambda sql: _shown(lambda: session.rows(sql), duckdb.Error)


class DuckSession:
    """A connection to DuckDB that is opened anew after an internal error, which leaves the old one useless."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._open()

    def rows(self, sql: str) -> Iterable[object]:
        try:
            return self._session.execute(sql).fetchall()
        except UnicodeDecodeError as error:  # of a text made of bytes
            raise duckdb.DataError(str(error)) from None
        except (duckdb.InternalException, duckdb.FatalException) as error:
            self.close()
            self._open()
            raise type(error)(str(error).partition("\n")[0]) from None  # the rest is a stack of addresses

    def close(self) -> None:
        self._session.close()

    def _open(self) -> None:
        self._session = duckdb.connect(self._path, read_only=True, config={"threads": 1})
        for pin in BLIND:
            self._session.execute(pin)


@contextmanager
def _postgres(url: str) -> Iterator[Run]:
    options = f"-c default_transaction_read_only=on -c statement_timeout={SECONDS}s -c jit=off"
    with psycopg.connect(url, options=options, autocommit=True, prepare_threshold=None) as session:
        yield lambda sql: _shown(lambda: session.execute(sql.encode()).fetchall(), psycopg.Error)


@contextmanager
def _mysql(url: str) -> Iterator[Run]:
    where = make_url(url)
    with (
        closing(
            pymysql.connect(host=where.host, port=where.port or 0, user=where.username, database=where.database)
        ) as session,
        session.cursor() as cursor,
    ):
        cursor.execute("SET SESSION TRANSACTION READ ONLY")
        cursor.execute(f"SET SESSION max_statement_time = {SECONDS}")

        def rows(sql: str) -> list[object]:
            cursor.execute(sql)
            return list(cursor.fetchall())

        yield lambda sql: _shown(lambda: rows(sql), pymysql.MySQLError).replace(str(where.database), "twin")


RUNS = {"sqlite": _sqlite, "duckdb": _duckdb, "postgres": _postgres, "mysql": _mysql}


def kind_of(told: str) -> str:
    """Name what became of a query: the kind of its error, with the first words of an engine's internal one."""
    name, _, words = told.partition(": ")
    return "rows" if told.startswith("[") else f"{name}: {words[:INTERNAL]}" if name in BROKEN else name


def _shown(rows: Callable[[], Iterable[object]], failing: type[Exception]) -> str:
    """Return all that a driver tells."""
    try:
        return repr(sorted(map(repr, rows())))
    except failing as error:
        return f"{type(error).__name__}: {error}"
