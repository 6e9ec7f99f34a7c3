"""Take over the queue of 0.1.0 from DBOS's tables.

Waiting turns wait here; those of a dead process wait first in their thread, as earlier runs; ended ones are known, so a
repeated event is not answered again.
"""

from time import time

from bot.engine.database import QueueDatabase, Row, Transaction
from bot.engine.leases import Leases
from bot.engine.store import RESUMED, place_of

STEPS = ("operation_outputs", "workflow_input", "workflow_status")
INSERT = (
    "INSERT INTO engine_turns (turn_id, thread, team, channel, person, place, arrived, state, runs, ended)"
    " VALUES (?, ?, ?, ?, '', ?, ?, ?, ?, ?) ON CONFLICT (turn_id) DO NOTHING"
)


def adopt(database: QueueDatabase, leases: Leases) -> int:
    """Move what nobody is at; return the number of turns moved."""
    prefix = "" if database.is_sqlite else "dbos."
    if not database.has_table(f"{prefix}workflow_status"):
        return 0
    rows = database.read(
        f"SELECT workflow_uuid, status, queue_partition_key, executor_id, created_at FROM {prefix}workflow_status"
        " WHERE queue_name = 'turns'"
    )
    engines = {engine for *_, engine, _ in rows}
    alive = {engine for engine in engines if engine and not leases.is_free(engine)}
    moved = [row for row in rows if row[1] != "PENDING" or row[3] not in alive]

    def move(tx: Transaction) -> None:
        tx.each(INSERT, [_turn(*row) for row in moved])
        for table in STEPS:
            tx.each(f"DELETE FROM {prefix}{table} WHERE workflow_uuid = ?", [row[:1] for row in moved])

    if moved:
        database.write(move, alone=True)
    return len(moved)


def _turn(turn_id: str, status: str, thread: str, _: str, created_ms: int) -> Row:
    team, channel, *_rest = turn_id.split(":")
    begun, waiting = status == "PENDING", status in ("PENDING", "ENQUEUED")
    place = RESUMED if begun else place_of(turn_id)
    state, ended = ("waiting", None) if waiting else ("ended", time())
    return turn_id, thread or turn_id, team, channel, place, created_ms / 1000, state, int(begun), ended
