"""An accepted answer says who else confirmed it, and who objected and why."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Answers accepted before stay answers for everybody."""
    for name in ("confirmed_by", "objected_by", "objection"):
        op.add_column("verified", sa.Column(name, sa.String, nullable=False, server_default=""))
    op.execute("UPDATE verified SET confirmed_by = accepted_by")
