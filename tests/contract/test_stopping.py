"""Saying stop ends a running query on its server, at once, on every engine; the next query is answered."""

from contextlib import closing
from pathlib import Path
from threading import Thread
from time import monotonic

import pytest

from ai.errors import Stopped
from ai.sql.database import Database, QueryLimits
from ai.sql.guard import Checked
from ai.stopping import Stop
from tests.databases import Databases
from tests.wait import until

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) SELECT count(*) FROM n"
SLOW = {
    "sqlite": ENDLESS,
    "postgres": ENDLESS,
    "duckdb": "SELECT count(*) FROM range(4000000000) a, range(4000000000) b WHERE (a.range * b.range) % 7 = 1",
    "mysql": "SELECT count(*) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c",
}
RUNNING = {
    "postgres": "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()"
    " AND backend_type = 'client backend'",
    "mysql": "SELECT count(*) FROM information_schema.processlist WHERE command = 'Query' AND id <> connection_id()",
}
SAFETY_SECONDS = 20.0  # the query itself would take minutes


def counted(database: Database, sql: str, stop: Stop | None = None) -> int:
    with database.run(Checked(sql, sql, ()), stop or Stop()) as stream:
        return int(next(stream.batches)[0][0])


def ended_after(stop: Stop, query: Thread) -> bool:
    """Say stop once more, as the engine does until the turn has ended."""
    stop.call()
    return not query.is_alive()


@pytest.mark.parametrize("kind", list(SLOW))
def test_a_running_query_ends_when_somebody_says_stop(kind: str, machine: Databases, tmp_path: Path) -> None:
    ended: list[str] = []
    stop = Stop()
    url = machine.make(kind, tmp_path, "CREATE TABLE apps (id INTEGER); INSERT INTO apps VALUES (1);")
    with closing(Database("shop", url, limits=QueryLimits(seconds=120))) as database:

        def run() -> None:
            try:
                ended.append(f"answered {counted(database, SLOW[kind], stop)}")
            except Stopped as stopped:
                ended.append(str(stopped))

        query = Thread(target=run)
        query.start()
        if kind in RUNNING:
            until(lambda: counted(database, RUNNING[kind]) > 0, what="the query to run on the server")
        started = monotonic()
        until(lambda: ended_after(stop, query), SAFETY_SECONDS, "the query to end")
        assert monotonic() - started < SAFETY_SECONDS
        assert ended == ["Stopped."]
        if kind in RUNNING:
            until(lambda: counted(database, RUNNING[kind]) == 0, what="the server to be idle")
        assert counted(database, "SELECT count(*) FROM apps") == 1


def test_nothing_begins_after_a_stop(machine: Databases, tmp_path: Path) -> None:
    stop = Stop()
    stop.call()
    url = machine.make("sqlite", tmp_path, "CREATE TABLE apps (id INTEGER);")
    with closing(Database("shop", url)) as database, pytest.raises(Stopped):
        counted(database, "SELECT count(*) FROM apps", stop)
