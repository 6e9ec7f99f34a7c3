"""A queue that cannot be read now is neither saved nor mended as a damaged one; on a server it is forgotten in, too."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from ai.errors import SourceUnavailable
from bot.engine.database import QueueDatabase, understood
from bot.engine.keeping.copying import COLUMNS, TURN, save_queue
from bot.engine.keeping.damage import mend
from bot.engine.keeping.forgetting import _scrub, forget_turns
from bot.engine.store import TurnStore
from tests.postgres import Postgres

ENDED = (
    "INSERT INTO engine_turns (turn_id, thread, team, channel, person, place, arrived, state)"
    " SELECT id, 't', 'T', 'C', 'U', 1, 1, 'ended' FROM (VALUES ('a'), ('b')) AS ended (id)"
)


def test_a_queue_that_cannot_be_opened(tmp_path: Path) -> None:
    path = _closed_off(tmp_path)
    with pytest.raises(SourceUnavailable, match="unable to open"):
        save_queue(f"sqlite:///{path}", tmp_path)


def _closed_off(folder: Path) -> Path:
    """A queue whose log cannot be written: a folder has its name."""
    path = folder / "engine.sqlite"
    with closing(sqlite3.connect(path)) as made:
        made.executescript("PRAGMA journal_mode=WAL; CREATE TABLE t (a)")
    (folder / "engine.sqlite-wal").mkdir()
    return path


def test_a_table_whose_rows_fail(tmp_path: Path) -> None:
    path, names = tmp_path / "engine.sqlite", [column.name for column in COLUMNS[TURN]]
    with closing(sqlite3.connect(path)) as made:
        shown = ", ".join(f"abs(-9223372036854775807 - a) AS {name}" for name in names)
        made.executescript(f"CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE VIEW {TURN} AS SELECT {shown} FROM t")
    with pytest.raises(SourceUnavailable, match="overflow"):
        save_queue(f"sqlite:///{path}", tmp_path)


def test_a_file_that_is_no_queue(tmp_path: Path) -> None:
    path = tmp_path / "engine.sqlite"
    path.write_bytes(b"no database at all" * 99)
    saved = save_queue(f"sqlite:///{path}", tmp_path)
    assert (saved.rows, len(saved.losses)) == ({}, 1)


def test_a_queue_that_cannot_be_opened_is_not_begun_anew(tmp_path: Path) -> None:
    path = _closed_off(tmp_path)
    with pytest.raises(sqlite3.OperationalError):
        mend(sa.make_url(f"sqlite:///{path}"))
    assert path.exists()


def test_turns_are_forgotten_on_a_server(server: Postgres) -> None:
    url = server.new_database()
    assert forget_turns(url, None)
    with closing(QueueDatabase(understood(url))) as shared:
        TurnStore(shared, "bot", lambda: 0.0).create()
        shared.write(lambda tx: tx.do(ENDED))
        assert forget_turns(url, ["a"])
        assert shared.read("SELECT turn_id FROM engine_turns") == [("b",)]


def test_bytes_stay_while_somebody_writes(tmp_path: Path) -> None:
    path = tmp_path / "engine.sqlite"
    with closing(QueueDatabase(understood(f"sqlite:///{path}"))) as queue:
        TurnStore(queue, "bot", lambda: 0.0).create()
        queue.read("PRAGMA busy_timeout = 1")
        with closing(sqlite3.connect(path, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            assert not _scrub(queue)
        assert _scrub(queue)
