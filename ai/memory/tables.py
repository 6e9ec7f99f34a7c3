"""The tables of the memory: one append-only log, and what is derived from it or hangs on it.

`message` is the log; nothing in it is ever changed or deleted. `thread` allots its sequence numbers, `segment` says which
of its oldest turns the view folds into a few lines, `query` holds every query with its SQL for good; rows of results are
in the result store.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

METADATA = MetaData()


class Utc(TypeDecorator[datetime]):
    """A moment. Stored without zone, in UTC, because SQLite keeps none; a naive one is refused rather than guessed at."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone; give moments in UTC.")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


THREAD = Table(
    "thread",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("team", String, nullable=False),
    Column("channel", String, nullable=False),
    Column("thread_ts", String, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("cleared_seq", Integer, nullable=False),  # the view starts after it; the log does not
    Column("version", Integer, nullable=False),  # grows with every change of the view
    UniqueConstraint("team", "channel", "thread_ts", name="one_row_per_thread"),
)

MESSAGE = Table(
    "message",
    METADATA,
    Column("thread_id", ForeignKey("thread.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("turn_seq", Integer, nullable=False),  # seq of the turn's first message: turns are told in this order
    Column("turn_id", String, nullable=False),
    Column("part", String, nullable=False),
    Column("role", String, nullable=False),
    Column("content", Text, nullable=False),
    Column("author", String, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("cum_tokens", Integer, nullable=False),  # of all messages of the thread up to this one
    Column("created_at", Utc, nullable=False),
    UniqueConstraint("turn_id", "part", name="each_part_once"),
    Index("message_in_turn_order", "thread_id", "turn_seq", "seq"),
)

SEGMENT = Table(
    "segment",
    METADATA,
    Column("handle", String, primary_key=True),
    Column("thread_id", ForeignKey("thread.id"), nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("last_turn_seq", Integer, nullable=False),
    Column("messages", Integer, nullable=False),
    Column("lines", JSON, nullable=False),  # what the view shows instead, made from the log
    Column("tokens", Integer, nullable=False),  # of these lines
    Column("created_at", Utc, nullable=False),
)

QUERY = Table(
    "query",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("thread_id", ForeignKey("thread.id"), nullable=False),
    Column("turn_id", String, nullable=False),
    Column("part", String, nullable=False),
    Column("turn_seq", Integer, nullable=False),
    Column("source", String, nullable=False),
    Column("question", Text, nullable=False),
    Column("sql", Text, nullable=False),
    Column("reading", Text, nullable=False),
    Column("meaning", JSON(none_as_null=True)),
    Column("analyst", String, nullable=False),
    Column("status", String, nullable=False),
    Column("detail", Text, nullable=False),  # why it failed, for the log and for repair
    Column("row_count", Integer),
    Column("truncated", Boolean, nullable=False),
    Column("headline", Text, nullable=False),
    Column("result", String),
    Column("elapsed_ms", Integer),
    Column("created_at", Utc, nullable=False),
    UniqueConstraint("turn_id", "part", name="each_query_once"),
    Index("query_in_turn_order", "thread_id", "turn_seq", "id"),
)
