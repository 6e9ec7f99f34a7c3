"""The tables of the log and of its derived data.

`segment` names messages shown as lines, `inset` places such lines and copies, `query` keeps proposals, questions back
and refusals; `phrasing` and `receipt` hold the words and the proof of an answer, `seal` chains the proofs; the result
store keeps rows.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    true,
)

from ai.memory.log.database import METADATA, NUMBER, AnyText, Utc
from ai.types import ThreadKey

AUTOMATIC = "auto"  # the kind of segment that folds the oldest turns of a thread; archives are of another


def texts(*names: str) -> list[Column[str]]:
    return [Column(name, String, nullable=False) for name in names]


def place(thread: str = "thread_ts") -> list[Column[str]]:
    return texts("team", "channel", thread)


def in_thread(table: Table, key: ThreadKey, thread: str = "thread_ts") -> ColumnElement[bool]:
    return (table.c.team == key.team) & (table.c.channel == key.channel) & (table.c[thread] == key.thread_ts)


THREAD = Table(
    "thread",
    METADATA,
    Column("id", Integer, primary_key=True),
    *place(),
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
    *texts("turn_id", "part", "role"),
    Column("content", AnyText, nullable=False),
    Column("author", String, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("exact", Boolean, nullable=False, server_default=true()),  # whether these were counted, not estimated
    Column("cum_tokens", BigInteger, nullable=False),  # of all messages of the thread up to this one
    Column("created_at", Utc, nullable=False),
    Column("edited_at", Utc),
    Column("deleted_at", Utc),  # taken back by who said it: the place stays, the text is gone
    Column("remark", String, nullable=False, server_default=""),  # the kind of what a person said, "" for the bot
    Column("place", String, nullable=False, server_default=""),  # the thread it was said in, where that is another
    Column("pressed", String, nullable=False, server_default=""),  # the deed of a button that said this
    Column("original", Text),  # of a message by LangChain: all but its text, as JSON
    UniqueConstraint("thread_id", "seq", name="each_place_once"),
    UniqueConstraint("turn_id", "part", name="one_message_per_part"),
    Index("message_in_turn_order", "thread_id", "turn_seq", "seq"),
    Index("message_by_remark", "thread_id", "remark", "seq"),
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
    *texts("turn_id", "part"),
    Column("turn_seq", Integer, nullable=False),
    Column("source", String, nullable=False),
    Column("question", AnyText, nullable=False),
    Column("sql", AnyText, nullable=False),
    Column("reading", AnyText, nullable=False),
    Column("meaning", JSON(none_as_null=True)),
    Column("analyst", String, nullable=False),
    Column("status", String, nullable=False),  # draft, ok, failed; asked and declined have no SQL
    Column("detail", AnyText, nullable=False),  # why it failed, for the log and for repair
    Column("reply", AnyText, nullable=False, server_default=""),  # the question back, or why it was declined
    Column("options", JSON(none_as_null=True)),  # answers to the question back, or questions that would work
    Column("row_count", Integer),
    Column("truncated", Boolean, nullable=False),
    Column("headline", AnyText, nullable=False),
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
    Column("text", AnyText, nullable=False),
    Column("created_at", Utc, nullable=False),
)

RECEIPT = Table(
    "receipt",
    METADATA,
    Column("turn_id", String, primary_key=True),
    Column("thread_id", ForeignKey("thread.id"), nullable=False, index=True),
    Column("fields", JSON, nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("number", NUMBER),  # of its seal
    Index("one_receipt_per_seal", "number", unique=True),
)

SEAL = Table(
    "seal",
    METADATA,
    Column("number", NUMBER, primary_key=True, autoincrement=False),  # from 1, without a gap
    Column("previous", String, nullable=False),  # the seal before
    Column("seal", String, nullable=False),
    Column("erased", String, nullable=False, server_default=""),  # the mark of a receipt that was forgotten
)
