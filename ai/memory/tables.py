"""The tables of the memory: one append-only log, and what is derived from it or hangs on it.

`message` is the log; only its author changes a message or takes it back, and only `forget` and retention delete one.
`thread` allots its sequence numbers, `segment` says which messages are shown as a few lines instead, `inset` where these
lines and restored copies stand. `query` keeps for good what an analyst proposed for a question: SQL and what became of
it, a question back, or a refusal. `phrasing` and `receipt` hold a turn's answer in a model's words and its sealed
receipt; rows of results are in the result store.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
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
    true,
)

METADATA = MetaData()
MARK, NUL = "\ue000", "\ue001"  # of the characters that Unicode leaves to private use
PAIR = re.compile(f"{MARK}([{MARK}{NUL}])")
AUTOMATIC = "auto"  # the kind of segment that folds the oldest turns of a thread; archives are of another
NUMBER = BigInteger().with_variant(Integer, "sqlite")


def _from_text(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(f"{value}+00:00")


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

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None] | None:
        """On SQLite, which gives text, in one step: every message that is read passes here."""
        return _from_text if dialect.name == "sqlite" else super().result_processor(dialect, coltype)


class Words(TypeDecorator[str]):
    """A text of any characters. PostgreSQL keeps no NUL, so there it is written as a pair that stands for it."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or dialect.name == "sqlite" or not ("\x00" in value or MARK in value):
            return value
        return value.replace(MARK, MARK + MARK).replace("\x00", MARK + NUL)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:
        if value is None or dialect.name == "sqlite" or MARK not in value:
            return value
        return PAIR.sub(lambda pair: "\x00" if pair[1] == NUL else MARK, value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], str | None] | None:
        """Nothing to do on SQLite, and so nothing per row."""
        return None if dialect.name == "sqlite" else super().result_processor(dialect, coltype)


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
    Column("view_messages", Integer, nullable=False, server_default="0"),  # how much the view shows, kept by each write
    Column("view_tokens", Integer, nullable=False, server_default="0"),
    UniqueConstraint("team", "channel", "thread_ts", name="one_row_per_thread"),
)

MESSAGE = Table(
    "message",
    METADATA,
    Column("id", NUMBER, primary_key=True),  # through all threads; one that was forgotten may be given again
    Column("thread_id", ForeignKey("thread.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("turn_seq", Integer, nullable=False),  # seq of the turn's first message: turns are told in this order
    Column("turn_id", String, nullable=False),
    Column("part", String, nullable=False),
    Column("role", String, nullable=False),
    Column("content", Words, nullable=False),
    Column("author", String, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("exact", Boolean, nullable=False, server_default=true()),  # whether these were counted, not estimated
    Column("cum_tokens", BigInteger, nullable=False),  # of all messages of the thread up to this one
    Column("created_at", Utc, nullable=False),
    Column("edited_at", Utc),
    Column("deleted_at", Utc),  # taken back by who said it: the place stays, the text is gone
    UniqueConstraint("thread_id", "seq", name="each_place_once"),
    UniqueConstraint("turn_id", "part", name="one_message_per_part"),
    Index("message_in_turn_order", "thread_id", "turn_seq", "seq"),
)

SEGMENT = Table(
    "segment",
    METADATA,
    Column("handle", String, primary_key=True),
    Column("thread_id", ForeignKey("thread.id"), nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("last_turn_seq", Integer, nullable=False),  # of the automatic one: the last turn that is folded
    Column("as_of_seq", Integer, nullable=False, server_default="0"),  # and the last message that was there by then
    Column("content", JSON, nullable=False, server_default="[]"),  # of an archive: the passages that it holds, in order
    Column("hides", JSON, nullable=False, server_default="[]"),  # and the messages that it keeps away
    Column("messages", Integer, nullable=False),
    Column("chars", Integer, nullable=False, server_default="0"),
    Column("held_tokens", Integer, nullable=False, server_default="0"),  # of the messages that it holds
    Column("state", String, nullable=False, server_default="live"),
    Column("lines", JSON, nullable=False),  # what the view shows instead, made from the log
    Column("tokens", Integer, nullable=False),  # of these lines
    Column("created_at", Utc, nullable=False),
)

INSET = Table(
    "inset",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("thread_id", ForeignKey("thread.id"), nullable=False, index=True),
    Column("handle", String, nullable=False),  # the archive whose lines these are, or of which this is a copy
    Column("after_turn_seq", Integer, nullable=False),  # the message behind which it stands
    Column("after_seq", Integer, nullable=False),
    Column("rank", Integer, nullable=False),  # and the place among the others there, from 1
    Column("inside", String, nullable=False),  # the archive that took it away; empty while it is shown
    Column("copied", JSON(none_as_null=True)),  # the messages of a copy; null where the lines of the archive stand
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
    Column("question", Words, nullable=False),
    Column("sql", Words, nullable=False),
    Column("reading", Words, nullable=False),
    Column("meaning", JSON(none_as_null=True)),
    Column("analyst", String, nullable=False),
    Column("status", String, nullable=False),  # draft, ok, failed; asked and declined have no SQL
    Column("detail", Words, nullable=False),  # why it failed, for the log and for repair
    Column("reply", Words, nullable=False, server_default=""),  # the question back, or why it was declined
    Column("options", JSON(none_as_null=True)),  # answers to the question back, or questions that would work
    Column("row_count", Integer),
    Column("truncated", Boolean, nullable=False),
    Column("headline", Words, nullable=False),
    Column("result", String),
    Column("elapsed_ms", Integer),
    Column("created_at", Utc, nullable=False),
    UniqueConstraint("turn_id", "part", name="each_query_once"),
    Index("query_in_turn_order", "thread_id", "turn_seq", "id"),
)

PHRASING = Table(
    "phrasing",
    METADATA,
    Column("turn_id", String, primary_key=True),
    Column("thread_id", ForeignKey("thread.id"), nullable=False, index=True),
    Column("text", Words, nullable=False),
    Column("created_at", Utc, nullable=False),
)

RECEIPT = Table(
    "receipt",
    METADATA,
    Column("turn_id", String, primary_key=True),
    Column("thread_id", ForeignKey("thread.id"), nullable=False, index=True),
    Column("fields", JSON, nullable=False),
    Column("created_at", Utc, nullable=False),
)
