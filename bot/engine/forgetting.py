"""Delete the engine's records of turns, down to the bytes of its file.

Failed steps wrote down errors, and databases quote questions. Unfinished turns keep their records.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import OperationalError

import sqlalchemy as sa
from dbos import DBOSClient
from sqlalchemy.pool import NullPool

from bot.engine.engine import understood
from bot.engine.records import JsonRecords
from bot.engine.sweep import ENDED

SCHEMAS = {"sqlite": None, "postgresql": "dbos"}
BATCH = 500


def forget_turns(database_url: str, turn_ids: Sequence[str] | None) -> bool:
    """Delete the records of these turns, or of all. Return False while a reader keeps old bytes alive."""
    url = understood(database_url)
    engine = sa.create_engine(url, poolclass=NullPool)
    if not _was_launched(url, engine):
        return True
    with _client(url) as client:
        batches = [None] if turn_ids is None else [turn_ids[n : n + BATCH] for n in range(0, len(turn_ids), BATCH)]
        for batch in batches:
            _delete(client, batch)
    return _scrub(engine)


def _delete(client: DBOSClient, turn_ids: Sequence[str] | None) -> None:
    ids = None if turn_ids is None else list(turn_ids)
    ended = client.list_workflows(workflow_ids=ids, status=ENDED, load_input=False, load_output=False)
    client.delete_workflows([turn.workflow_id for turn in ended])


@contextmanager
def _client(url: sa.URL) -> Iterator[DBOSClient]:
    client = DBOSClient(
        system_database_url=url.render_as_string(hide_password=False),
        serializer=JsonRecords(),
        system_database_pool_size=1,
    )
    try:
        yield client
    finally:
        client.destroy()


def _was_launched(url: sa.URL, engine: sa.Engine) -> bool:
    backend = url.get_backend_name()
    if backend == "sqlite" and not Path(url.database or "").is_file():
        return False
    return sa.inspect(engine).has_table("workflow_status", schema=SCHEMAS[backend])


def _scrub(engine: sa.Engine) -> bool:
    if engine.dialect.name != "sqlite":
        return True
    with closing(engine.raw_connection()) as raw:
        try:
            cursor = raw.cursor()
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy, *_ = cursor.fetchone() or (1,)
        except OperationalError:
            return False
    return bool(busy == 0)
