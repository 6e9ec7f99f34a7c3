"""Rows of results may be kept in the database."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "kept_file",
        sa.Column("id", number, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("size", number, nullable=False),
        sa.Column("used", sa.Float, nullable=False),
        sa.UniqueConstraint("version"),
    )
    op.create_index("ix_kept_file_name", "kept_file", ["name"])
    op.create_table(
        "kept_chunk",
        sa.Column("version", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
