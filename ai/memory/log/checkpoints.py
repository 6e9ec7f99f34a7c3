"""The tables of graphs' states. They name nobody, so they go whenever words of their thread are deleted."""

from datetime import datetime

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    LargeBinary,
    Select,
    String,
    Table,
    delete,
    func,
    select,
)

from ai.memory.log.database import METADATA, Utc
from ai.memory.log.tables import THREAD

CHECKPOINT = Table(
    "checkpoint",
    METADATA,
    Column("thread_id", ForeignKey("thread.id"), primary_key=True),
    Column("namespace", String, primary_key=True),
    Column("checkpoint_id", String, primary_key=True),  # grows with time
    Column("parent_id", String),
    Column("run_id", String, index=True),
    Column("kind", String, nullable=False),  # of the serialisation
    Column("body", LargeBinary, nullable=False),  # the checkpoint and its metadata
    Column("created_at", Utc, nullable=False),
)
CHECKPOINT_WRITE = Table(
    "checkpoint_write",
    METADATA,
    Column("thread_id", ForeignKey("thread.id"), primary_key=True),
    Column("namespace", String, primary_key=True),
    Column("checkpoint_id", String, primary_key=True),
    Column("task_id", String, primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("task_path", String, nullable=False),
    Column("channel", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
TABLES = (CHECKPOINT_WRITE, CHECKPOINT)


def erase(connection: Connection, thread_id: int) -> None:
    for table in TABLES:
        connection.execute(delete(table).where(table.c.thread_id == thread_id))


def idle_since(moment: datetime, channel: str) -> Select[tuple[str, str, str]]:
    """Select the threads of a channel whose newest state is older."""
    keys = select(THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts).join(CHECKPOINT)
    newest = func.max(CHECKPOINT.c.created_at)
    return keys.where(THREAD.c.channel == channel).group_by(THREAD.c.id).having(newest < moment)
