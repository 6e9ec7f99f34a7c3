"""Save the queue as files of rows, and fill an empty one from them.

A turn saved while it ran is begun anew in the new place, with its steps.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from ai.errors import ConfigError
from ai.files.row_file import Row, RowColumn, columns_of, read_rows, write_rows
from bot.engine.crashes import Crashes
from bot.engine.database import QueueDatabase, Transaction, understood
from bot.engine.outage import reaching
from bot.engine.store import TurnStore

TURN, CRASH = "engine_turns", "turn_crashes"
NAMES, COUNTS, MOMENTS = (
    ("turn_id", "thread", "team", "channel", "person"),
    ("runs", "stopped", "quick"),
    ("arrived", "due"),
)
COLUMNS = {
    TURN: (
        *(RowColumn(name, "text") for name in (*NAMES, "state", "engine", "steps", "outcome")),
        *(RowColumn(name, "int") for name in ("place", *COUNTS)),
        *(RowColumn(name, "float") for name in (*MOMENTS, "ended")),
    ),
    CRASH: (
        *(RowColumn(name, "text") for name in ("turn_id", "engine")),
        *(RowColumn(name, "int") for name in ("steps", "losses", "blame")),
    ),
}
NOT_EMPTY = "The queue {!r} holds questions already: restore into an empty one, with a DATA_DIR of its own."
CUT = "Of the queue’s table {} only the first {} rows can be read ({})."


@dataclass(slots=True)
class SavedQueue:
    """The rows of each table, and the losses."""

    rows: dict[str, int] = field(default_factory=dict)
    losses: list[str] = field(default_factory=list)


def save_queue(database_url: str, folder: Path) -> SavedQueue:
    """Write one moment of the queue into a folder. ConfigError or SourceUnavailable."""
    saved, url = SavedQueue(), understood(database_url)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        return saved
    with closing(QueueDatabase(url)) as database, reaching(url):

        def save(tx: Transaction) -> None:
            for table, columns in COLUMNS.items():
                if known := [column for column in columns if tx.has_column(table, column.name)]:
                    rows = _readable(tx, table, known, saved)
                    saved.rows[table] = write_rows(folder / f"{table}.arrow", known, rows)

        try:
            database.snapshot(save)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            saved.losses.append(CUT.format(TURN, 0, error))
    return saved


def _readable(tx: Transaction, table: str, columns: list[RowColumn], saved: SavedQueue) -> Iterator[Row]:
    count = 0
    try:
        for row in tx.stream(f"SELECT {', '.join(column.name for column in columns)} FROM {table}"):
            yield row
            count += 1
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        saved.losses.append(CUT.format(table, count, error))


def require_empty_queue(database_url: str) -> None:
    url = understood(database_url)
    with closing(QueueDatabase(url)) as database, reaching(url):
        if database.has_table(TURN) and database.read(f"SELECT 1 FROM {TURN} LIMIT 1"):
            raise ConfigError(NOT_EMPTY.format(str(url)))


def fill_queue(database_url: str, folder: Path) -> None:
    """Put the rows of a folder into an empty queue, all or none."""
    url = understood(database_url)
    with closing(QueueDatabase(url)) as database, reaching(url):
        TurnStore(database, "", lambda: 0.0).create()
        Crashes(database)

        def fill(tx: Transaction) -> None:
            for table in COLUMNS:
                if (path := folder / f"{table}.arrow").exists():
                    names = [column.name for column in columns_of(path)]
                    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
                    for rows in read_rows(path):
                        tx.each(sql, rows)

        database.write(fill, alone=True)


def empty_queue(database_url: str) -> None:
    url = understood(database_url)
    with closing(QueueDatabase(url)) as database, reaching(url):

        def empty(tx: Transaction) -> None:
            for table in COLUMNS:
                tx.do(f"DELETE FROM {table}")

        database.write(empty, alone=True)
