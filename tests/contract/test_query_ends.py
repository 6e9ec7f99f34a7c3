"""A query that does not finish: its end is told by its own sentence, and no other SQL is tried in its place."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Thread

import pytest

from ai.analysts.port import Draft, Question
from ai.errors import ConnectionLost, QueryCancelled, QueryEnded, QueryLocked, QueryTimeout, SourceUnavailable
from ai.results.table import ResultTable
from ai.sql.database import Database, QueryLimits
from ai.sql.guard import Checked
from tests.desk import open_desk, shop
from tests.fakes import ScriptedAnalyst
from tests.postgres import Postgres
from tests.wait import until

HEAVY = f"SELECT count(*) AS n FROM {', '.join(f'apps AS a{n}' for n in range(18))}"  # 387 million rows
SOON = QueryLimits(lock_seconds=0.1)
SLEEP = "SELECT pg_sleep(600)::text AS n"


@contextmanager
def sqlite_locked(folder: Path) -> Iterator[None]:
    with closing(sqlite3.connect(shop(folder), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


def rows(database: Database, sql: str) -> None:
    with database.run(Checked(sql, sql, ())) as stream:
        list(stream.batches)


def ended(database: Database, sql: str, trouble: Callable[[], object]) -> Exception:
    """Run a query in a thread and make trouble; return how it ended."""
    ends: list[Exception] = []

    def run() -> None:
        try:
            rows(database, sql)
        except (QueryEnded, SourceUnavailable) as error:
            ends.append(error)

    thread = Thread(target=run)
    thread.start()
    until(trouble, what="the trouble to be made")
    thread.join()
    (end,) = ends
    return end


def test_sqlite_tells_a_lock_from_bad_sql(tmp_path: Path) -> None:
    with closing(Database("shop", f"sqlite:///{shop(tmp_path)}", limits=SOON)) as database:
        database.catalog()
        with sqlite_locked(tmp_path), pytest.raises(QueryLocked):
            rows(database, "SELECT name FROM apps")
        rows(database, "SELECT name FROM apps")


@pytest.mark.parametrize(
    ("function", "end"), [("pg_cancel_backend", QueryCancelled), ("pg_terminate_backend", ConnectionLost)]
)
def test_postgresql_tells_who_ended_a_query(server: Postgres, function: str, end: type[Exception]) -> None:
    url = server.new_database()
    kill = f"SELECT {function}(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND state = 'active' AND pid <> pg_backend_pid()"
    with closing(Database("shop", url)) as database, server.connect(url.rpartition("/")[2]) as admin:
        assert isinstance(ended(database, SLEEP, lambda: admin.execute(kill.encode()).fetchall()), end)
        rows(database, "SELECT 1 AS n")


def test_postgresql_tells_a_lock(server: Postgres) -> None:
    url = server.new_database()
    with closing(Database("shop", url)) as database, server.connect(url.rpartition("/")[2]) as admin:
        admin.execute("CREATE TABLE apps (id integer)")
        admin.execute("BEGIN; LOCK TABLE apps IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(QueryLocked):
            rows(database, "SELECT id FROM apps")
        admin.execute("ROLLBACK")
        rows(database, "SELECT id FROM apps")


def test_a_time_limit_is_told_and_not_repaired(tmp_path: Path) -> None:
    analyst = ScriptedAnalyst([Draft(HEAVY, "n"), Draft("SELECT name FROM apps", "names")])
    with open_desk(tmp_path, analyst, QueryLimits(seconds=1.5)) as desk:
        answer = desk.orchestrator.process_message("which apps?", "1.0")
    assert answer.text == str(QueryTimeout(1.5))
    assert len(analyst.script) == 1


def test_a_lock_is_told_and_not_repaired(tmp_path: Path) -> None:
    with ExitStack() as locked:

        class Locking(ScriptedAnalyst):
            def phrase(self, question: Question, draft: Draft, result: ResultTable) -> Iterator[str]:
                locked.enter_context(sqlite_locked(tmp_path))
                return super().phrase(question, draft, result)

        analyst = Locking([Draft("SELECT name FROM apps", "names")] * 3)
        with open_desk(tmp_path, analyst, SOON) as desk:
            desk.orchestrator.process_message("which apps?", "1.0")
            answer = desk.orchestrator.process_message("and which now?", "1.0")
    assert answer.text == str(QueryLocked())
    assert len(analyst.script) == 1
