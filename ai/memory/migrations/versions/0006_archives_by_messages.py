"""Archives name the messages that they hold, and what stands among messages has a place of its own."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

RANGE = ("first_turn_seq", "first_seq", "last_seq")
IN_RANGE = sa.text(
    "SELECT seq FROM message WHERE thread_id = :thread_id AND seq <= :as_of_seq"
    " AND (turn_seq, seq) >= (:first_turn_seq, :first_seq) AND (turn_seq, seq) <= (:last_turn_seq, :last_seq)"
)
SEGMENT = sa.table("segment", *(sa.column(name) for name in ("handle", "last_turn_seq", "as_of_seq")))
PASSAGES = sa.table("segment", sa.column("handle"), sa.column("content", sa.JSON), sa.column("hides", sa.JSON))


def upgrade() -> None:
    """Write down which messages each archive holds and hides, and where its lines and its copies stand."""
    inset = op.create_table(
        "inset",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("thread_id", sa.Integer, sa.ForeignKey("thread.id"), nullable=False),
        sa.Column("handle", sa.String, nullable=False),
        sa.Column("after_turn_seq", sa.Integer, nullable=False),
        sa.Column("after_seq", sa.Integer, nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("inside", sa.String, nullable=False),
        sa.Column("copied", sa.JSON(none_as_null=True)),
    )
    op.create_index("ix_inset_thread_id", "inset", ["thread_id"])
    for column in ("content", "hides"):
        op.add_column("segment", sa.Column(column, sa.JSON, nullable=False, server_default="[]"))
    _write_down(inset)
    op.drop_table("restored")
    for name in RANGE:
        op.drop_column("segment", name)


def _write_down(inset: sa.Table) -> None:
    connection = op.get_bind()
    rows = connection.execute(sa.text("SELECT * FROM segment WHERE kind = 'manual' ORDER BY created_at")).mappings()
    archives = [dict(row) for row in rows]
    for archive in archives:
        archive["held"] = connection.execute(IN_RANGE, archive).scalars().all()
    for _, of_thread in groupby(sorted(archives, key=_thread), key=_thread):
        _hide(list(of_thread))
    for archive in archives:
        passages = {"content": [_intervals(archive["held"])], "hides": _intervals(archive["own"])}
        connection.execute(sa.update(PASSAGES).where(PASSAGES.c.handle == archive["handle"]).values(passages))
    copies = connection.execute(sa.text("SELECT * FROM restored ORDER BY id")).mappings().all()
    standing = [_lines(archive) for archive in archives if archive["tokens"] and archive["state"] != "restored"]
    standing += [_copy(dict(copy), archives) for copy in copies]
    for rank, row in enumerate(standing, 1):  # apart within each place, and in this order
        connection.execute(sa.insert(inset).values(**row, rank=rank))
    connection.execute(sa.text("UPDATE segment SET state = 'restored' WHERE state = 'released'"))
    connection.execute(sa.update(SEGMENT).where(sa.column("kind") == "manual").values(last_turn_seq=0, as_of_seq=0))


def _hide(archives: list[dict[str, Any]]) -> None:
    """Say what each archive took away itself: what the earlier ones had left."""
    hidden: set[int] = set()
    for archive in archives:
        hides = archive["state"] in ("live", "bare", "pruned")
        archive["own"] = [seq for seq in archive["held"] if hides and seq not in hidden]
        hidden |= set(archive["own"])
        held = set(archive["held"])
        archive["inside"] = next(
            (
                later["handle"]
                for later in archives
                if later["state"] in ("live", "bare", "pruned")
                and later["created_at"] > archive["created_at"]
                and held <= set(later["held"])
            ),
            "",
        )


def _lines(archive: dict[str, Any]) -> dict[str, Any]:
    return {
        "thread_id": archive["thread_id"],
        "handle": archive["handle"],
        "after_turn_seq": archive["last_turn_seq"],
        "after_seq": archive["last_seq"],
        "inside": archive["inside"],
        "copied": None,
    }


def _copy(copy: dict[str, Any], archives: list[dict[str, Any]]) -> dict[str, Any]:
    source = next(archive for archive in archives if archive["handle"] == copy["handle"])
    later = (
        archive["handle"]
        for archive in archives
        if archive["thread_id"] == copy["thread_id"]
        and archive["state"] in ("live", "bare", "pruned")
        and archive["created_at"] > copy["created_at"]
        and copy["after_seq"] in archive["held"]
    )
    return {
        **{name: copy[name] for name in ("thread_id", "handle", "after_turn_seq", "after_seq")},
        "inside": next(later, ""),
        "copied": _intervals(source["held"]),
    }


def _thread(archive: dict[str, Any]) -> Any:
    return archive["thread_id"]


def _intervals(numbers: Iterable[int]) -> list[list[int]]:
    intervals: list[list[int]] = []
    for number in sorted(numbers):
        if intervals and number == intervals[-1][1] + 1:
            intervals[-1][1] = number
        else:
            intervals.append([number, number])
    return intervals


def downgrade() -> None:
    """Give up archives; what they held is shown again."""
    op.execute("DELETE FROM segment WHERE kind = 'manual'")
    op.drop_table("inset")
    for column in ("content", "hides"):
        op.drop_column("segment", column)
    for name in RANGE:
        op.add_column("segment", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "restored",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("thread_id", sa.Integer, sa.ForeignKey("thread.id"), nullable=False),
        sa.Column("handle", sa.String, sa.ForeignKey("segment.handle"), nullable=False),
        sa.Column("after_turn_seq", sa.Integer, nullable=False),
        sa.Column("after_seq", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
    )
    op.create_index("ix_restored_thread_id", "restored", ["thread_id"])
