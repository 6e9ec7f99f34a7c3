"""Count the attacks of a public corpus that each layer stops alone.

Databases are throwaway copies of the corpus's fixtures.

    python -m benchmarks.layers   # prints the tables of docs/security.md
"""

import json
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from ai.errors import DatathreadError, QueryFailed, QueryTimeout
from ai.sql.corpus import judge_from
from ai.sql.database import Database, QueryLimits
from ai.sql.grammars import OWN, grammar_of
from ai.sql.guard import Checked
from benchmarks.report.rows import MissingPart, Row
from tests.mariadb import mariadb
from tests.paths import SHARED_DATA
from tests.postgres import postgres

GUARD = SHARED_DATA / "guard"
SECONDS = 2  # the sleeps of the corpus are of three
LAYERS = ("L0", "L1", "L2", "L3", "L4", "L6")
Urls = Iterator[tuple[str, str]]  # the engine with its login, and the URL


@contextmanager
def sqlite_urls(folder: Path) -> Iterator[Urls]:
    with closing(sqlite3.connect(folder / "shop.db")) as connection:
        connection.executescript(script("fixture.sqlite"))
    yield iter([("SQLite, read-only with authorizer", f"sqlite:///{folder / 'shop.db'}")])


@contextmanager
def duckdb_urls(folder: Path) -> Iterator[Urls]:
    with closing(duckdb.connect(folder / "shop.duckdb")) as connection:
        connection.execute(script("fixture.duckdb"))
    yield iter([("DuckDB, sandbox in a child process", f"duckdb:///{folder / 'shop.duckdb'}")])


@contextmanager
def postgres_urls(_: Path) -> Iterator[Urls]:
    with postgres() as server:
        with server.connect() as session:
            session.execute(b"CREATE DATABASE shop")
        with server.connect("shop") as session:
            session.execute(script("fixture.postgres").encode())
            session.execute(script("roles.postgres").encode())
        where = f"127.0.0.1:{server.port}/shop"
        yield iter(
            [
                ("PostgreSQL, superuser in a read-only transaction", f"postgresql://postgres@{where}"),
                ("PostgreSQL, least-privilege role", f"postgresql://agent_ro@{where}"),
            ]
        )


@contextmanager
def mysql_urls(_: Path) -> Iterator[Urls]:
    with mariadb() as server:
        for name in ("fixture.mysql", "roles.mysql"):  # by the client, which knows DELIMITER
            client = [
                "mariadb",
                "--protocol=tcp",
                "--host=127.0.0.1",
                f"--port={server.port}",
                "--user=root",
                "--force",
                "shop",
            ]
            subprocess.run(client[: -1 if name == "fixture.mysql" else None], input=script(name).encode(), check=True)
        where = f"127.0.0.1:{server.port}/shop"
        yield iter(
            [
                ("MariaDB, root", f"mysql://root@{where}"),
                ("MariaDB, least-privilege user", f"mysql://agent_ro:x@{where}"),
            ]
        )


ENGINES: dict[str, Callable[[Path], Any]] = {
    "sqlite": sqlite_urls,
    "postgres": postgres_urls,
    "mysql": mysql_urls,
    "duckdb": duckdb_urls,
}


def script(name: str) -> str:
    return (GUARD / f"{name}.sql").read_text("utf-8")


def attacks(dialect: str) -> list[dict[str, str]]:
    lines = map(json.loads, (GUARD / "public.jsonl").read_text("utf-8").splitlines())
    return [case for case in lines if case["dialect"] == dialect and case["expect"] == "reject"]


def speaking(dialect: str) -> Counter[str]:
    judge = judge_from(dialect, json.loads((GUARD / "policy.json").read_text("utf-8")), None)
    verdicts = map(json.loads, judge.verdicts(map(json.dumps, attacks(dialect))))
    return Counter(verdict["layer"] for verdict in verdicts)


def sent(database: Database, sql: str) -> str:
    try:
        with database.run(Checked(sql, sql, ())) as stream:
            for _ in stream.batches:
                pass
    except QueryTimeout:
        return "timeout"
    except QueryFailed:
        return "failed"
    except DatathreadError:
        return "refused"
    return "ran"


def fired(dialect: str, url: str, seconds: int = SECONDS) -> tuple[Counter[str], Counter[str]]:
    fates, rules = Counter[str](), Counter[str]()
    with closing(Database("shop", url, limits=QueryLimits(seconds=seconds))) as database:
        for case in attacks(dialect):
            tries = (sent(database, case["sql"]) for _ in range(4))  # a busy machine may be slow
            fate = next((fate for fate in tries if fate != "timeout"), "timeout")
            fates[fate] += 1
            rules[case["rule"]] += fate == "ran"
    return fates, +rules


def by_guard() -> Iterator[str]:
    for dialect, grammar in zip(OWN, map(grammar_of, OWN), strict=True):
        found = speaking(dialect)
        yield f"| {grammar.label} | {' | '.join(str(found[layer]) for layer in LAYERS)} | {found['']} |"


def by_engine(dialect: str) -> Iterator[str]:
    with TemporaryDirectory() as folder, ENGINES[dialect](Path(folder)) as logins:
        for label, url in logins:
            fates, rules = fired(dialect, url)
            by_rule = ", ".join(f"{rule}: {number}" for rule, number in sorted(rules.items()))
            stopped, of = fates["refused"] + fates["failed"], fates.total()
            yield f"| {label} | {stopped} of {of} | {fates['timeout']} | {fates['ran']} ({by_rule}) |"


def rows(seconds: int) -> Iterator[Row]:
    """Measure with so many seconds for a query; the sleeps of the corpus are of three."""
    if not GUARD.exists():
        raise MissingPart("the public corpus of attacks is absent")
    for dialect, grammar in zip(OWN, map(grammar_of, OWN), strict=True):
        of = len(attacks(dialect))
        yield Row(f"{grammar.label}: of {of} attacks the guard lets through", speaking(dialect)[""], limit=0.0)
    for dialect, engine in ENGINES.items():
        with TemporaryDirectory() as folder, engine(Path(folder)) as logins:
            for label, url in logins:
                yield Row(f"{label}: ran, with the guard off", fired(dialect, url, seconds)[0]["ran"])


def main() -> None:
    print(f"| Dialect | {' | '.join(LAYERS)} | Passed |\n|{'---|' * (len(LAYERS) + 2)}")
    print(*by_guard(), sep="\n")
    print("\n| Engine and login | Refused or failed | Ended by the time limit | Ran, by rule |\n|---|---|---|---|")
    for dialect in ENGINES:
        print(*by_engine(dialect), sep="\n")


if __name__ == "__main__":
    main()
