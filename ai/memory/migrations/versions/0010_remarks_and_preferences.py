"""Messages of people say what kind of remark they are; what a person says of themselves gets a table."""

import sqlalchemy as sa
from alembic import op

from ai.language.remarks import remark_of

revision = "0010"
down_revision = "0009"

AT_ONCE = 1000
NEXT = sa.text("SELECT id, content FROM message WHERE role = 'user' AND id > :last ORDER BY id LIMIT :most")
MARK = sa.text("UPDATE message SET remark = :remark WHERE id = :id")


def upgrade() -> None:
    op.add_column("message", sa.Column("remark", sa.String, nullable=False, server_default=""))
    op.create_index("message_by_remark", "message", ["thread_id", "remark", "seq"])
    _mark(op.get_bind())
    op.create_table(
        "preference",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("team", sa.String, nullable=False),
        sa.Column("user", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("said", sa.Text, nullable=False),
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("means", sa.Text, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("thread_ts", sa.String, nullable=False),
        sa.Column("turn_id", sa.String, nullable=False, unique=True),
        sa.Column("created_at", sa.DateTime, nullable=False),
    )
    op.create_index("preference_of_a_person", "preference", ["team", "user", "id"])


def _mark(connection: sa.Connection) -> None:
    last = 0
    while rows := connection.execute(NEXT, {"last": last, "most": AT_ONCE}).all():
        connection.execute(MARK, [{"id": row.id, "remark": remark_of(row.content)} for row in rows])
        last = rows[-1].id
