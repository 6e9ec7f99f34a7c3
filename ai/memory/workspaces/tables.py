"""The tables of workspaces, states and traces. A trigger refuses changes of a state, archiving aside."""

from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    CursorResult,
    Delete,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    Update,
    delete,
    insert,
)

from ai.memory.log.database import METADATA, AnyText, Utc
from ai.memory.log.tables import place, texts

WORKSPACE = Table(
    "workspace",
    METADATA,
    Column("id", String, primary_key=True),
    *texts("team", "name", "channel"),
    Column("description", Text, nullable=False),
    Column("root_folder", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("workflows", JSON, nullable=False),
    Column("key_files", JSON, nullable=False),
    Column("preferences", JSON, nullable=False),
    Column("is_archived", Boolean, nullable=False),
    Column("created_at", Utc, nullable=False),
    UniqueConstraint("team", "channel", "name", name="one_workspace_of_a_name"),
)

STATE = Table(
    "state",
    METADATA,
    Column("id", String, primary_key=True),
    Column("number", Integer, nullable=False, index=True, unique=True),  # by which the index of the search names it
    Column("workspace_id", ForeignKey("workspace.id"), nullable=False),
    Column("name", String, nullable=False),
    Column("session", String, nullable=False),  # states belong to no conversation
    Column("conversation_context", Text, nullable=False),
    Column("active_task", Text, nullable=False),
    Column("active_files", JSON, nullable=False),
    Column("next_steps", JSON, nullable=False),
    Column("description", Text, nullable=False),
    Column("tags", JSON, nullable=False),
    *place(),  # the thread that it was saved from, so that `forget` finds it
    *texts("turn_id", "author", "source"),
    Column("query", JSON, nullable=False),  # the query that was saved with it; {} for none
    Column("result", String, nullable=False),  # handle of a copy of its rows; "" for none
    Column("said", AnyText, nullable=False),  # all of it as a text, for those who search
    Column("is_archived", Boolean, nullable=False),
    Column("created_at", Utc, nullable=False),
    UniqueConstraint("workspace_id", "name", name="one_state_of_a_name"),
)

TRACE = Table(
    "trace",
    METADATA,
    Column("id", Integer, primary_key=True),
    *texts("workspace_id", "turn_id", "tool"),
    *place("session"),
    Column("params", JSON, nullable=False),
    Column("result", Text, nullable=False),  # the beginning of it, as JSON
    Column("context", JSON, nullable=False),  # memory, goal and constraints as the caller gave them
    Column("tokens", Integer, nullable=False),  # of the whole result
    Column("ms", Integer, nullable=False),
    Column("said", AnyText, nullable=False),  # the call and the beginning of its result as a text, for those who search
    Column("created_at", Utc, nullable=False),
    Index("trace_in_order", "workspace_id", "id"),
    Index("trace_of_a_session", "team", "channel", "session"),
)

ERASURE = Table("erasure", METADATA, Column("reason", Text, nullable=False))


def past_the_triggers(connection: Connection, statement: Update | Delete) -> int:
    """Change rows that nothing but `forget` and the end of their time may change; return how many."""
    connection.execute(insert(ERASURE).values(reason="forget"))
    changed: CursorResult[Any] = connection.execute(statement)
    connection.execute(delete(ERASURE))
    return changed.rowcount
