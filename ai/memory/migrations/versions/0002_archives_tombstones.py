"""Archives and restored copies, messages that are changed or taken back, and the size of each thread's view."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

AS_BEFORE = (
    "thread_id, seq, turn_seq, turn_id, part, role, content, author, tokens, cum_tokens, created_at"  # of a message
)
NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Number the messages through all threads; make room for archives."""
    op.rename_table("message", "message_before")
    op.drop_index("message_in_turn_order", "message_before")
    op.create_table(
        "message",
        sa.Column("id", NUMBER),
        sa.Column("thread_id", sa.Integer, sa.ForeignKey("thread.id"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("turn_seq", sa.Integer, nullable=False),
        sa.Column("turn_id", sa.String, nullable=False),
        sa.Column("part", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("author", sa.String, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("exact", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("cum_tokens", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("edited_at", sa.DateTime),
        sa.Column("deleted_at", sa.DateTime),
        sa.PrimaryKeyConstraint("id", name="message_by_number"),  # PostgreSQL has the usual name on the table before
        sa.UniqueConstraint("thread_id", "seq", name="each_place_once"),
        sa.UniqueConstraint("turn_id", "part", name="one_message_per_part"),
    )
    op.execute(f"INSERT INTO message ({AS_BEFORE}) SELECT {AS_BEFORE} FROM message_before ORDER BY thread_id, seq")
    op.drop_table("message_before")
    op.create_index("message_in_turn_order", "message", ["thread_id", "turn_seq", "seq"])
    _size_views()
    _make_archives()


def _size_views() -> None:
    for column in ("view_messages", "view_tokens"):
        op.add_column("thread", sa.Column(column, sa.Integer, nullable=False, server_default="0"))
    shown = (
        "FROM message WHERE message.thread_id = thread.id AND message.seq > thread.cleared_seq AND message.turn_seq > "
        "coalesce((SELECT max(segment.last_turn_seq) FROM segment WHERE segment.thread_id = thread.id), 0)"
    )
    op.execute(
        f"UPDATE thread SET view_messages = (SELECT count(*) {shown}),"
        f" view_tokens = (SELECT coalesce(sum(message.tokens), 0) {shown})"
    )


def _make_archives() -> None:
    for column in ("first_turn_seq", "first_seq", "last_seq", "as_of_seq", "chars", "held_tokens"):
        op.add_column("segment", sa.Column(column, sa.Integer, nullable=False, server_default="0"))
    op.add_column("segment", sa.Column("state", sa.String, nullable=False, server_default="live"))
    op.create_table(
        "restored",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("thread_id", sa.Integer, sa.ForeignKey("thread.id"), nullable=False),
        sa.Column("handle", sa.String, sa.ForeignKey("segment.handle"), nullable=False),
        sa.Column("after_turn_seq", sa.Integer, nullable=False),
        sa.Column("after_seq", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
    )
    op.create_index("ix_restored_thread_id", "restored", ["thread_id"])


def downgrade() -> None:
    """Give up archives; messages keep their numbers."""
    op.drop_table("restored")
    for column in ("first_turn_seq", "first_seq", "last_seq", "as_of_seq", "chars", "held_tokens", "state"):
        op.drop_column("segment", column)
    for column in ("view_messages", "view_tokens"):
        op.drop_column("thread", column)
