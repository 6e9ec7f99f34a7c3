"""What LangChain's messages have beyond text, states of graphs, and vectors of messages.

A vector goes with its message, and when the message gets other words.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


DROP = "DELETE FROM vector WHERE message_id = {}.id;"


def upgrade() -> None:
    """Add the tables; earlier messages have neither."""
    op.add_column("message", sa.Column("original", sa.Text))
    op.create_table(
        "checkpoint",
        *_place(),
        sa.Column("parent_id", sa.String),
        sa.Column("run_id", sa.String, index=True),
        *_body(),
        sa.Column("created_at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "checkpoint_write",
        *_place(),
        sa.Column("task_id", sa.String, primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("task_path", sa.String, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        *_body(),
    )
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "vector",
        sa.Column("message_id", number, sa.ForeignKey("message.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("model", sa.String, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        body = f"BEGIN {DROP.format('old')} END"
    else:
        body = "FOR EACH ROW EXECUTE FUNCTION drop_vector()"
        function = f"BEGIN {DROP.format('OLD')} RETURN NULL; END"
        op.execute(f"CREATE FUNCTION drop_vector() RETURNS trigger LANGUAGE plpgsql AS $$ {function} $$")
    op.execute(f"CREATE TRIGGER drop_vector AFTER UPDATE OF content ON message {body}")


def _place() -> list[sa.Column[Any]]:
    return [
        sa.Column("thread_id", sa.Integer, sa.ForeignKey("thread.id"), primary_key=True, autoincrement=False),
        sa.Column("namespace", sa.String, primary_key=True),
        sa.Column("checkpoint_id", sa.String, primary_key=True),
    ]


def _body() -> list[sa.Column[Any]]:
    return [sa.Column("kind", sa.String, nullable=False), sa.Column("body", sa.LargeBinary, nullable=False)]
