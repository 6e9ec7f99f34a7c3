"""Each line to Slack has a mark: until when everything it was told is stored."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "slack_line",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("team", sa.String, nullable=False),
        sa.Column("stored_until", sa.Float, nullable=False),
        sa.Column("beat_at", sa.Float, nullable=False),
        sa.Column("looked_at", sa.Float, nullable=False, server_default="0"),
    )
