"""Receipts are sealed in a chain, with a key outside of the database. Those of before are sealed when they are found."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.add_column("receipt", sa.Column("number", number))
    op.create_index("one_receipt_per_seal", "receipt", ["number"], unique=True)
    op.create_table(
        "seal",
        sa.Column("number", number, primary_key=True, autoincrement=False),
        sa.Column("previous", sa.String, nullable=False),
        sa.Column("seal", sa.String, nullable=False),
        sa.Column("erased", sa.String, nullable=False, server_default=""),
    )
