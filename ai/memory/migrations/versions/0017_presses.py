"""A message knows the deed of the button that said it."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("message", sa.Column("pressed", sa.String, nullable=False, server_default=""))
