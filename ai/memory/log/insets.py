"""Insets: what stands in a conversation that is not a message of its log, and where it stands.

An inset is either the lines of an archive or a restored copy of messages. It stands behind a message of the log, among
the insets there by its rank; a message that comes later shifts nothing. An archive that is made of a range takes the
insets in it: they are inside it, away from the conversation, and keep their places for when it is restored.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select, update

from ai.memory.log.messages import Item, LogPosition
from ai.memory.log.passages import Passage
from ai.memory.log.threads import ThreadRow
from ai.memory.tables import INSET

HEAD = (LogPosition(0, 0), 0)  # before everything
Position = tuple[LogPosition, int]
"""Behind the message at a place, and behind the inset of this rank there; 0 is directly behind the message."""


@dataclass(frozen=True, slots=True)
class Inset:
    """Something that stands in a conversation; `copied` are its messages, None when it is the lines of its archive."""

    id: int
    handle: str
    after: LogPosition
    rank: int
    inside: str
    copied: Passage | None

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.after, self.rank


def position(item: Item) -> Position:
    """Where an item of a conversation stands; no inset is between it and what is put behind it."""
    return item.place, item.behind


def of_thread(connection: Connection, thread: ThreadRow, inside: str = "") -> list[Inset]:
    """What stands in the conversation, or inside an archive, in order."""
    rows = select(INSET).where(INSET.c.thread_id == thread.id, INSET.c.inside == inside)
    found = connection.execute(rows.order_by(INSET.c.after_turn_seq, INSET.c.after_seq, INSET.c.rank))
    return [
        Inset(
            id=row.id,
            handle=row.handle,
            after=LogPosition(row.after_turn_seq, row.after_seq),
            rank=row.rank,
            inside=row.inside,
            copied=None if row.copied is None else Passage.stored(row.copied),
        )
        for row in found
    ]


def put(
    connection: Connection, thread: ThreadRow, handle: str, behind: Position, contents: Sequence[Passage | None]
) -> None:
    """Put insets of an archive behind a position, one after the other."""
    after, rank = behind
    later = (INSET.c.after_turn_seq == after.turn_seq) & (INSET.c.after_seq == after.seq) & (INSET.c.rank > rank)
    shifted = update(INSET).where(INSET.c.thread_id == thread.id, later).values(rank=INSET.c.rank + len(contents))
    connection.execute(shifted)
    for number, copied in enumerate(contents, rank + 1):
        row = insert(INSET).values(
            thread_id=thread.id,
            handle=handle,
            after_turn_seq=after.turn_seq,
            after_seq=after.seq,
            rank=number,
            inside="",
            copied=None if copied is None else copied.storable,
        )
        connection.execute(row)


def split(connection: Connection, thread: ThreadRow, copy: Inset, parts: Sequence[Passage]) -> None:
    """Let a copy stand in parts."""
    connection.execute(delete(INSET).where(INSET.c.id == copy.id))
    put(connection, thread, copy.handle, (copy.after, copy.rank - 1), parts)


def take(connection: Connection, taken: Iterable[Inset], handle: str) -> None:
    """Take insets away, into an archive."""
    ids = [inset.id for inset in taken]
    connection.execute(update(INSET).where(INSET.c.id.in_(ids)).values(inside=handle))


def free(connection: Connection, handle: str) -> None:
    """Let stand again what is inside an archive."""
    connection.execute(update(INSET).where(INSET.c.inside == handle).values(inside=""))


def remove_lines(connection: Connection, handle: str) -> None:
    """Let the lines of an archive stand nowhere."""
    connection.execute(delete(INSET).where(INSET.c.handle == handle, INSET.c.copied.is_(None)))


def remove(connection: Connection, handles: Sequence[str]) -> None:
    """Remove everything of archives that are gone, and what is inside them."""
    gone: ColumnElement[bool] = or_(INSET.c.handle.in_(handles), INSET.c.inside.in_(handles))
    connection.execute(delete(INSET).where(gone))


def clear(connection: Connection, thread: ThreadRow) -> None:
    """Let nothing stand in a thread."""
    connection.execute(delete(INSET).where(INSET.c.thread_id == thread.id))
