"""Questions back and refusals get columns of their own; the words of models and receipts get tables of their own.

Before, a question back stood in `reading` and its options in `meaning`; words and receipts were queries of the status
"told", without SQL.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

WITHOUT_SQL = "status IN ('asked', 'declined')"
TOLD = "INSERT INTO {} SELECT turn_id, thread_id, {}, created_at FROM query WHERE status = 'told' AND part = '{}'"


def upgrade() -> None:
    """Move what is no query out of the queries."""
    op.add_column("query", sa.Column("reply", sa.Text, nullable=False, server_default=""))
    op.add_column("query", sa.Column("options", sa.JSON))
    op.execute(f"UPDATE query SET reply = reading, options = meaning, reading = '', meaning = NULL WHERE {WITHOUT_SQL}")
    _make("phrasing", sa.Column("text", sa.Text, nullable=False))
    _make("receipt", sa.Column("fields", sa.JSON, nullable=False))
    op.execute(TOLD.format("phrasing", "reading", "phrase"))
    op.execute(TOLD.format("receipt", "meaning", "receipt") + " AND meaning IS NOT NULL")
    op.execute("DELETE FROM query WHERE status = 'told'")


def _make(table: str, content: sa.Column[str]) -> None:
    op.create_table(
        table,
        sa.Column("turn_id", sa.String, primary_key=True),
        sa.Column("thread_id", sa.Integer, sa.ForeignKey("thread.id"), nullable=False),
        content,
        sa.Column("created_at", sa.DateTime, nullable=False),
    )
    op.create_index(f"ix_{table}_thread_id", table, ["thread_id"])
