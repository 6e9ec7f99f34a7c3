"""The log, its segments and the queries."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables of the log, its segments and its queries."""
    op.create_table(
        "thread",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("team", sa.String, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("thread_ts", sa.String, nullable=False),
        sa.Column("last_seq", sa.Integer, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("cleared_seq", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.UniqueConstraint("team", "channel", "thread_ts", name="one_row_per_thread"),
    )
    op.create_table(
        "message",
        sa.Column("thread_id", sa.Integer, sa.ForeignKey("thread.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("turn_seq", sa.Integer, nullable=False),
        sa.Column("turn_id", sa.String, nullable=False),
        sa.Column("part", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("author", sa.String, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("cum_tokens", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("turn_id", "part", name="each_part_once"),
    )
    op.create_index("message_in_turn_order", "message", ["thread_id", "turn_seq", "seq"])
    _hang_on_the_log()


def _hang_on_the_log() -> None:
    op.create_table(
        "segment",
        sa.Column("handle", sa.String, primary_key=True),
        sa.Column("thread_id", sa.Integer, sa.ForeignKey("thread.id"), nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("last_turn_seq", sa.Integer, nullable=False),
        sa.Column("messages", sa.Integer, nullable=False),
        sa.Column("lines", sa.JSON, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
    )
    op.create_index("ix_segment_thread_id", "segment", ["thread_id"])
    op.create_table(
        "query",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("thread_id", sa.Integer, sa.ForeignKey("thread.id"), nullable=False),
        sa.Column("turn_id", sa.String, nullable=False),
        sa.Column("part", sa.String, nullable=False),
        sa.Column("turn_seq", sa.Integer, nullable=False),
        sa.Column("source", sa.String, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("sql", sa.Text, nullable=False),
        sa.Column("reading", sa.Text, nullable=False),
        sa.Column("meaning", sa.JSON),
        sa.Column("analyst", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("row_count", sa.Integer),
        sa.Column("truncated", sa.Boolean, nullable=False),
        sa.Column("headline", sa.Text, nullable=False),
        sa.Column("result", sa.String),
        sa.Column("elapsed_ms", sa.Integer),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("turn_id", "part", name="each_query_once"),
    )
    op.create_index("query_in_turn_order", "query", ["thread_id", "turn_seq", "id"])


def downgrade() -> None:
    """Drop everything: there is nothing before the first step."""
    for table in ("query", "segment", "message", "thread"):
        op.drop_table(table)
