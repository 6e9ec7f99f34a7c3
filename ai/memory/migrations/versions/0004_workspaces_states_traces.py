"""Workspaces, states and traces; the triggers that keep states as they were saved."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

KEPT = (
    "id, workspace_id, name, session, conversation_context, active_task, active_files, next_steps, description, tags, "
    "team, channel, thread_ts, turn_id, author, source, query, result, created_at"
).split(", ")
IMMUTABLE = "States are immutable: save a new one under another name."

SQLITE = (
    f"CREATE TRIGGER state_is_immutable BEFORE UPDATE OF {', '.join(KEPT)} ON state "
    f"BEGIN SELECT RAISE(ABORT, '{IMMUTABLE}'); END",
    "CREATE TRIGGER state_stays BEFORE DELETE ON state WHEN NOT EXISTS (SELECT 1 FROM erasure) "
    f"BEGIN SELECT RAISE(ABORT, '{IMMUTABLE}'); END",
)
POSTGRESQL = (
    "CREATE FUNCTION state_is_immutable() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "IF TG_OP = 'DELETE' THEN IF EXISTS (SELECT 1 FROM erasure) THEN RETURN OLD; END IF; "
    "ELSIF to_jsonb(NEW) - 'is_archived' = to_jsonb(OLD) - 'is_archived' THEN RETURN NEW; END IF; "
    f"RAISE EXCEPTION '{IMMUTABLE}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    "CREATE TRIGGER state_is_immutable BEFORE UPDATE OR DELETE ON state "
    "FOR EACH ROW EXECUTE FUNCTION state_is_immutable()",
)


def upgrade() -> None:
    """Create the tables of workspaces, states and traces."""
    op.create_table(
        "workspace",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("team", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("root_folder", sa.Text, nullable=False),
        sa.Column("purpose", sa.Text, nullable=False),
        sa.Column("workflows", sa.JSON, nullable=False),
        sa.Column("key_files", sa.JSON, nullable=False),
        sa.Column("preferences", sa.JSON, nullable=False),
        sa.Column("is_archived", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("team", "channel", "name", name="one_workspace_of_a_name"),
    )
    _states()
    _traces()
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


def _states() -> None:
    texts = ("conversation_context", "active_task", "description")
    lists = ("active_files", "next_steps", "tags", "query")
    names = ("name", "session", "team", "channel", "thread_ts", "turn_id", "author", "source", "result")
    op.create_table(
        "state",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("workspace_id", sa.String, sa.ForeignKey("workspace.id"), nullable=False),
        *(sa.Column(name, sa.String, nullable=False) for name in names),
        *(sa.Column(name, sa.Text, nullable=False) for name in texts),
        *(sa.Column(name, sa.JSON, nullable=False) for name in lists),
        sa.Column("is_archived", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("workspace_id", "name", name="one_state_of_a_name"),
    )
    op.create_table("erasure", sa.Column("reason", sa.Text, nullable=False))


def _traces() -> None:
    op.create_table(
        "trace",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("team", sa.String, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("session", sa.String, nullable=False),
        sa.Column("turn_id", sa.String, nullable=False),
        sa.Column("tool", sa.String, nullable=False),
        sa.Column("params", sa.JSON, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("context", sa.JSON, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("ms", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
    )
    op.create_index("trace_in_order", "trace", ["workspace_id", "id"])
    op.create_index("trace_of_a_session", "trace", ["team", "channel", "session"])


def downgrade() -> None:
    """Drop what this step made."""
    for table in ("trace", "state", "erasure", "workspace"):
        op.drop_table(table)
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION state_is_immutable()")
