"""Answers that people said are right, and rules that came of their corrections."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
PLACE = ("team", "channel", "thread_ts")


def upgrade() -> None:
    """Create the two tables."""
    op.create_table(
        "verified",
        sa.Column("id", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.String, nullable=False) for name in PLACE),
        sa.Column("turn_id", sa.String, nullable=False, unique=True),
        *(sa.Column(name, sa.String, nullable=False) for name in ("workspace", "source")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("question", "normal", "sql", "reading")),
        sa.Column("meaning", sa.JSON(none_as_null=True)),
        sa.Column("day", sa.Date, nullable=False),
        *(sa.Column(name, sa.String, nullable=False) for name in ("asked_by", "accepted_by")),
        sa.Column("accepted_at", sa.DateTime, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("holds_under", sa.JSON, nullable=False),
    )
    op.create_index("verified_of_a_workspace", "verified", ["team", "workspace", "source"])
    op.create_table(
        "rule",
        sa.Column("id", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.String, nullable=False) for name in PLACE),
        sa.Column("turn_id", sa.String, nullable=False, unique=True),
        *(sa.Column(name, sa.String, nullable=False) for name in ("source", "author")),
        sa.Column("said", sa.Text, nullable=False),
        sa.Column("change", sa.JSON, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("trial", sa.JSON(none_as_null=True)),
        sa.Column("decided_by", sa.String, nullable=False),
        sa.Column("approved_as", sa.Integer),
        sa.Column("ended_as", sa.Integer),
        sa.Column("created_at", sa.DateTime, nullable=False),
    )
    op.create_index("ix_rule_source", "rule", ["source"])
