"""Begin a queue with an unreadable file anew; the file keeps its bytes under another name."""

import logging
import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from fcntl import LOCK_EX, flock
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from ai.files.sqlite_errors import is_damage
from bot.engine.keeping.copying import TURN, fill_queue, save_queue

BESIDE = ("", "-wal", "-shm")
log = logging.getLogger(__name__)


def mend(url: sa.URL) -> Path | None:
    """Move a damaged file aside and fill a new one with the readable turns; return where the old one is.

    Nobody may be at work on it.
    """
    path = Path(url.database or "")
    if not path.is_file():
        return None
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        flock(folder, LOCK_EX)  # another process starts, too
        return None if _is_sound(path) else _begin_anew(url, path)
    finally:
        os.close(folder)


def _is_sound(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as driver:
        try:
            return bool(driver.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
        except sqlite3.DatabaseError as error:
            if is_damage(error):
                return False
            raise


def _begin_anew(url: sa.URL, path: Path) -> Path:
    aside = path.with_name(f"{path.name}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    for end in BESIDE:
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
    with TemporaryDirectory(dir=path.parent) as folder:
        saved = save_queue(f"sqlite:///{aside}", Path(folder))
        fill_queue(url.render_as_string(hide_password=False), Path(folder))
    log.error(
        "the queue %s was damaged: it is kept as %s, and %d of its questions were taken over; questions that are lost"
        " are looked up in Slack",
        path,
        aside.name,
        saved.rows.get(TURN, 0),
    )
    return aside
