"""It is known which files an answer shared."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "shared_file",
        sa.Column("file_id", sa.String, primary_key=True),
        sa.Column("turn_id", sa.String, nullable=False),
    )
    op.create_index("ix_shared_file_turn_id", "shared_file", ["turn_id"])
