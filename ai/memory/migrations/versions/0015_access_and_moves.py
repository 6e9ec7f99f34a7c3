"""A log of access, only added to, and the joins and leaves of channels."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

REFUSAL = "The log of access is only added to."
TEXTS = ("team", "channel", "thread_ts", "turn_id", "person", "outcome", "surface", "source", "held_right")


def upgrade() -> None:
    op.create_table(
        "access",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
        *(sa.Column(name, sa.String, nullable=False) for name in TEXTS),
        sa.Column("tables", sa.JSON, nullable=False),
        sa.Column("readers", sa.Integer, nullable=False),
        sa.Column("hidden_from", sa.Integer, nullable=False),
    )
    op.create_index("access_of_a_person", "access", ["person", "at"])
    op.create_index("access_of_a_turn", "access", ["turn_id"])
    op.create_table(
        "channel_move",
        sa.Column("id", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.String, nullable=False) for name in ("team", "channel", "person")),
        sa.Column("is_in", sa.Boolean, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("move_of_a_channel", "channel_move", ["team", "channel", "id"])
    _guard(op.get_bind().dialect.name)


def _guard(dialect: str) -> None:
    if dialect == "sqlite":
        for deed in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER access_stays_{deed.lower()} BEFORE {deed} ON access "
                f"WHEN NOT EXISTS (SELECT 1 FROM erasure) BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
            )
        return
    body = (
        "BEGIN IF EXISTS (SELECT 1 FROM erasure) THEN "
        "IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END IF; "
        f"RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END"
    )
    op.execute(f"CREATE FUNCTION access_stays() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$")
    op.execute(
        "CREATE TRIGGER access_stays BEFORE UPDATE OR DELETE ON access FOR EACH ROW EXECUTE FUNCTION access_stays()"
    )
