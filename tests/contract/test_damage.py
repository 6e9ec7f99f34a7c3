"""Files with damaged bytes: what reads is saved, and what does not is named."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ai.errors import Corrupt
from ai.types import ThreadKey
from bot.app import open_receiver
from bot.cli.backup import BackupPlaces, back_up, restore
from bot.engine import FileLeases, TurnQueue
from config import load
from tests.backups import opened, places
from tests.memories import ask, turn

PAGE, THREADS = 4096, 60


def key(number: int) -> ThreadKey:
    return ThreadKey("T1", "C1", f"{number}.000001")


@pytest.fixture
def old(tmp_path: Path) -> BackupPlaces:
    """A memory of many pages."""
    at = places(tmp_path / "a")
    with opened(at) as memory:
        for number in range(THREADS):
            ask(memory, number, f"question {number} " * 40, key(number))
            memory.add_sealed_reply(key(number), turn(number), f"answer {number} " * 40, {"rows": number})
    return at


def damage(path: Path, table: str, *, whole: bool = False) -> None:
    """Overwrite a page of a table that is not its first, or all of the file."""
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        leaves = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path DESC LIMIT 1"
        ((page,),) = file.execute(leaves, (table,)).fetchall()
    content = bytearray(path.read_bytes())
    first = 0 if whole else (page - 1) * PAGE
    content[first : first + PAGE] = b"\xff" * PAGE
    path.write_bytes(content)


def test_what_reads_of_a_damaged_memory_is_saved_and_restored(tmp_path: Path, old: BackupPlaces) -> None:
    damage(tmp_path / "a" / "state.sqlite", "message")
    with opened(old) as memory, pytest.raises(Corrupt, match="is damaged"):
        memory.parts.require_sound()
    made = back_up(old, tmp_path / "saved")
    assert len(made.losses) == 1
    assert made.losses[0].startswith("Of the table message only the first ")
    assert THREADS < made.rows["message"] < 2 * THREADS
    assert made.rows["receipt"] == made.rows["thread"] == THREADS
    new = places(tmp_path / "b")
    assert restore(new, tmp_path / "saved").losses == made.losses
    with opened(places(tmp_path / "b")) as memory:
        memory.parts.require_sound()
        assert len(memory.archives.everything(key(0))) == 2


def test_a_bot_does_not_start_on_a_damaged_memory(tmp_path: Path, old: BackupPlaces) -> None:
    damage(tmp_path / "a" / "state.sqlite", "message")
    source, later = (
        f"sqlite:///{tmp_path / 'shop.db'}",
        "mysql://localhost/queue",
    )  # what is wrong with it is told later
    settings = load(data_dir=tmp_path / "a", database_url=source, engine_url=later)
    with pytest.raises(Corrupt, match="is damaged"), open_receiver(settings, lambda _: None):
        pass


def test_rows_whose_thread_is_lost_are_left_out(tmp_path: Path, old: BackupPlaces) -> None:
    with closing(sqlite3.connect(tmp_path / "a" / "state.sqlite", isolation_level=None)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        file.execute("UPDATE thread SET last_seq = 'x' WHERE thread_ts < '2'")
    made = back_up(old, tmp_path / "saved")
    assert made.losses == ("12 rows of the table thread do not read, and are left out.",)
    restore(places(tmp_path / "b"), tmp_path / "saved")
    with opened(places(tmp_path / "b")) as memory:
        assert len(memory.parts.conversations.keys()) == THREADS - 12


def test_of_a_file_that_is_no_database_the_rest_is_saved(tmp_path: Path, old: BackupPlaces) -> None:
    damage(tmp_path / "a" / "state.sqlite", "message", whole=True)
    made = back_up(old, tmp_path / "saved")
    assert len(made.losses) == 1
    assert made.losses[0].startswith("Nothing of the memory can be read (")


def queue_of(folder: Path, turns: int) -> TurnQueue:
    queue = TurnQueue(f"sqlite:///{folder / 'engine.sqlite'}", folder)
    queue.open()
    for number in range(turns):
        queue.enqueue(f"T1:C1:{number}.000001", key(number), "U1")
    return queue


@pytest.mark.parametrize("whole", [False, True])
def test_a_damaged_queue_is_moved_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture, *, whole: bool) -> None:
    queue_of(tmp_path, 200).close()
    damage(tmp_path / "engine.sqlite", "engine_turns", whole=whole)
    damaged = (tmp_path / "engine.sqlite").read_bytes()
    with caplog.at_level(logging.ERROR), closing(queue_of(tmp_path, 0)) as queue:
        [aside] = [path for path in tmp_path.glob("engine.sqlite.damaged-*") if path.suffix != "-wal"]
        assert aside.read_bytes() == damaged
        assert aside.name in caplog.text
        assert (0 if whole else 100) <= len(queue.store.unfinished()) < 200
        assert f"{len(queue.store.unfinished())} of its questions" in caplog.text
        queue.enqueue("T1:C1:999.000001", key(999), "U1")


def test_a_queue_at_which_somebody_works_is_left_alone(tmp_path: Path) -> None:
    queue_of(tmp_path, 200).close()
    damage(tmp_path / "engine.sqlite", "engine_turns")
    leases = FileLeases(tmp_path / "leases")
    leases.hold("bot-1")
    with closing(leases), closing(TurnQueue(f"sqlite:///{tmp_path / 'engine.sqlite'}", tmp_path)) as queue:
        queue.open()
    assert list(tmp_path.glob("*.damaged-*")) == []
