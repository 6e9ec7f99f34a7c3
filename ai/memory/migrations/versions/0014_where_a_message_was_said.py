"""A message may be said in another thread than that of its conversation, and is answered there."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("message", sa.Column("place", sa.String, nullable=False, server_default=""))
