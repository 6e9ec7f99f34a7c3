"""Questions back and refusals get columns of their own; the words of models and receipts get tables of their own.

Before, a question back stood in `reading` and its options in `meaning`; words and receipts were queries of the status
"told", without SQL.
"""

from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

WITHOUT_SQL = "status IN ('asked', 'declined')"
MOVED = "phrasing", "receipt"
TOLD = "INSERT INTO {} SELECT turn_id, thread_id, {}, created_at FROM query WHERE status = 'told' AND part = '{}'"
PHRASE = {"part": "'phrase'", "reading": "own.text", "meaning": "NULL"}
RECEIPT = {"part": "'receipt'", "reading": "own.fields ->> 'seal'", "meaning": "own.fields"}


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


def downgrade() -> None:
    """Write everything into the queries again."""
    _tell("phrasing", PHRASE)
    _tell("receipt", RECEIPT)
    for table in MOVED:
        op.drop_table(table)
    op.execute(f"UPDATE query SET reading = reply, meaning = options WHERE {WITHOUT_SQL}")
    for column in ("reply", "options"):
        op.drop_column("query", column)


def _tell(table: str, own: Mapping[str, str]) -> None:
    """Insert the rows of a table as queries without SQL, next to the newest query of their turn."""
    same = {name: f"query.{name}" for name in ("turn_seq", "source", "question", "analyst")}
    empty = {"sql": "''", "detail": "''", "truncated": "false", "headline": "''", "status": "'told'"}
    moved = {name: f"own.{name}" for name in ("thread_id", "turn_id", "created_at")} | same | empty | dict(own)
    newest = "(SELECT max(id) FROM query WHERE query.turn_id = own.turn_id)"
    op.execute(
        f"INSERT INTO query ({', '.join(moved)}) SELECT {', '.join(moved.values())} "
        f"FROM {table} AS own JOIN query ON query.id = {newest}"
    )
