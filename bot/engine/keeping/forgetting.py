"""Delete the engine's rows of turns, down to the bytes of its file.

Failed steps wrote down errors, and databases quote questions. Unfinished turns keep their rows.
"""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from sqlite3 import OperationalError

from bot.engine.database import BUSY_SECONDS, QueueDatabase, Transaction, understood


def forget_turns(database_url: str, turn_ids: Sequence[str] | None, busy_seconds: float = BUSY_SECONDS) -> bool:
    """Delete the rows of these turns, or of all. Return False while a reader keeps old bytes alive."""
    url = understood(database_url)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        return True
    with closing(QueueDatabase(url, busy_seconds)) as database:
        if not database.has_table("engine_turns"):
            return True

        def delete(tx: Transaction) -> None:
            if turn_ids is None:
                tx.do("DELETE FROM engine_turns WHERE state = 'ended'")
            else:
                rows = [(turn_id,) for turn_id in turn_ids]
                tx.each("DELETE FROM engine_turns WHERE turn_id = ? AND state = 'ended'", rows)

        database.write(delete)
        return _scrub(database)


def _scrub(database: QueueDatabase) -> bool:
    if not database.is_sqlite:
        return True
    try:
        database.read("VACUUM")
        ((busy, *_),) = database.read("PRAGMA wal_checkpoint(TRUNCATE)")
    except OperationalError:
        return False
    return bool(busy == 0)
