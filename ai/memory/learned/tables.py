"""The tables of what people taught: answers that they said are right, and rules that came of their corrections.

A row names the turn that it came from, so that forgetting finds it. A rule that was in force keeps its row when it is
forgotten, without a word in it: the version of the definitions never counts down.
"""

from sqlalchemy import JSON, Column, Date, Index, Integer, String, Table

from ai.memory.tables import METADATA, Utc, Words

VERIFIED = Table(
    "verified",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("team", String, nullable=False),
    Column("channel", String, nullable=False),
    Column("thread_ts", String, nullable=False),
    Column("turn_id", String, nullable=False, unique=True),
    Column("workspace", String, nullable=False),
    Column("source", String, nullable=False),
    Column("question", Words, nullable=False),
    Column("normal", Words, nullable=False),  # the question as others are compared with it
    Column("sql", Words, nullable=False),
    Column("reading", Words, nullable=False),
    Column("meaning", JSON(none_as_null=True)),
    Column("day", Date, nullable=False),  # on which it was asked, where the asker was
    Column("asked_by", String, nullable=False),
    Column("accepted_by", String, nullable=False),
    Column("accepted_at", Utc, nullable=False),
    Column("version", Integer, nullable=False),  # of the definitions by which it was answered
    Column("holds_under", JSON, nullable=False),  # the marks of the definitions under which it was found right
    Index("verified_of_a_workspace", "team", "workspace", "source"),
)

RULE = Table(
    "rule",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("team", String, nullable=False),
    Column("channel", String, nullable=False),
    Column("thread_ts", String, nullable=False),
    Column("turn_id", String, nullable=False, unique=True),
    Column("source", String, nullable=False, index=True),
    Column("author", String, nullable=False),
    Column("said", Words, nullable=False),  # the correction, word for word
    Column("change", JSON, nullable=False),  # what it does to the definitions
    Column("status", String, nullable=False),
    Column("trial", JSON(none_as_null=True)),  # what came of testing it
    Column("decided_by", String, nullable=False),
    Column("approved_as", Integer),  # the change of the definitions that its approval was, counted per source from 1
    Column("ended_as", Integer),  # and the one that its end was
    Column("created_at", Utc, nullable=False),
)
