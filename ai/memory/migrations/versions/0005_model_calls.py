"""The book of the calls of language models."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table of calls."""
    op.create_table(
        "model_call",
        sa.Column("id", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.String, nullable=False) for name in ("team", "channel", "thread_ts", "turn_id", "user")),
        sa.Column("purpose", sa.String, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("model", sa.String, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("prompt", "cached", "completion")),
        sa.Column("reported", sa.Boolean, nullable=False),
        sa.Column("cost", sa.Float, nullable=False),
        sa.Column("currency", sa.String, nullable=False),
        sa.Column("ms", sa.Integer, nullable=False),
        sa.Column("outcome", sa.String, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("turn_id", "purpose", "n", name="each_call_once"),
    )
    op.create_index("model_call_of_a_thread", "model_call", ["team", "channel", "thread_ts"])
    op.create_index("model_call_by_time", "model_call", ["at"])


def downgrade() -> None:
    """Drop what this step made."""
    op.drop_table("model_call")
