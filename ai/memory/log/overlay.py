"""The conversation of a thread: its log without archived messages, with placeholders and restored copies in place.

An inset, the line of an archive or a copy, stands behind a message of the log, so later messages shift nothing. An
archived range keeps its insets.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import merge

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select, update

from ai.memory.log import messages as log
from ai.memory.log import segments
from ai.memory.log.messages import Item, LogPosition, Span
from ai.memory.log.passages import Passage
from ai.memory.log.segments import ARCHIVE, Segment
from ai.memory.log.tables import AUTOMATIC, INSET, MESSAGE
from ai.memory.log.threads import ThreadRow

HEAD = (LogPosition(0, 0), 0)  # before everything
Position = tuple[LogPosition, int]
"""Behind the message at a place, and behind the inset of this rank there; 0 is directly behind the message."""


@dataclass(frozen=True, slots=True)
class Inset:
    """A thing among the messages; `copied` is None for the lines of an archive."""

    id: int
    handle: str
    after: LogPosition
    rank: int
    inside: str
    copied: Passage | None

    @property
    def position(self) -> Position:
        return self.after, self.rank

    def is_copy_of(self, handle: str) -> bool:
        return self.handle == handle and self.copied is not None


def position(item: Item) -> Position:
    return item.place, item.behind


def insets_of(connection: Connection, thread: ThreadRow) -> list[Inset]:
    rows = select(INSET).where(INSET.c.thread_id == thread.id, INSET.c.inside == "")
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


def delete_insets(connection: Connection, insets: Iterable[Inset]) -> None:
    connection.execute(delete(INSET).where(INSET.c.id.in_([inset.id for inset in insets])))


def split(connection: Connection, thread: ThreadRow, copy: Inset, parts: Sequence[Passage]) -> None:
    delete_insets(connection, [copy])
    put(connection, thread, copy.handle, (copy.after, copy.rank - 1), parts)


def take(connection: Connection, taken: Iterable[Inset], handle: str) -> None:
    ids = [inset.id for inset in taken]
    connection.execute(update(INSET).where(INSET.c.id.in_(ids)).values(inside=handle))


def free(connection: Connection, handle: str) -> None:
    connection.execute(update(INSET).where(INSET.c.inside == handle).values(inside=""))


def remove_lines(connection: Connection, handle: str) -> None:
    connection.execute(delete(INSET).where(INSET.c.handle == handle, INSET.c.copied.is_(None)))


def remove(connection: Connection, handles: Sequence[str]) -> None:
    gone: ColumnElement[bool] = or_(INSET.c.handle.in_(handles), INSET.c.inside.in_(handles))
    connection.execute(delete(INSET).where(gone))


def clear(connection: Connection, thread: ThreadRow) -> None:
    connection.execute(delete(INSET).where(INSET.c.thread_id == thread.id))


def items(connection: Connection, thread: ThreadRow, after_turn: int = 0, before_turn: int | None = None) -> list[Item]:
    span = Span(thread, after_turn, before_turn)
    if not thread.archives:
        return log.items(connection, span)
    visible, added = _overlaid(connection, span)
    return list(merge(log.items(connection, visible), added, key=position))


def newest_first(
    connection: Connection, thread: ThreadRow, before_turn: int | None = None, expected: int = log.LEAST
) -> Iterator[Item]:
    """Iterate over the shown items before a turn, the last one first."""
    span = Span(thread, before_turn=before_turn)
    if not thread.archives:
        return log.newest_first(connection, span, expected)
    visible, added = _overlaid(connection, span)
    shown = log.newest_first(connection, visible, expected)
    return merge(shown, reversed(added), key=position, reverse=True)


def held(connection: Connection, thread: ThreadRow, segment: Segment) -> list[Item]:
    """Return the messages of a segment from the log, in its order."""
    if segment.kind == AUTOMATIC:
        cleared = thread.cleared_seq if thread.cleared_seq < segment.last_turn else 0  # folded before or after that
        whole = Span(replace(thread, cleared_seq=cleared))
        later = MESSAGE.c.seq > segment.as_of
        return log.items(connection, replace(whole, before_turn=segment.last_turn + 1, hidden=(later,)))
    return [item for passage in segment.content for item in _messages(connection, thread, passage)]


def _overlaid(connection: Connection, span: Span) -> tuple[Span, list[Item]]:
    archives = {one.handle: one for one in segments.of_thread(connection, span.thread, ARCHIVE)}
    hidden = Passage.all_of(archive.hides for archive in archives.values())
    added: list[Item] = []
    for inset in insets_of(connection, span.thread):
        if not _is_within(inset, span):
            continue
        if inset.copied is None:
            added += [Item(inset.after, line, inset.rank) for line in archives[inset.handle].as_messages]
        else:
            added += _copied(connection, span.thread, inset, inset.copied)
    return replace(span, hidden=(hidden.condition,)), added


def _copied(connection: Connection, thread: ThreadRow, copy: Inset, passage: Passage) -> list[Item]:
    turn = f"{copy.handle}#{copy.id}"
    messages = (item.message for item in _messages(connection, thread, passage))
    return [Item(copy.after, replace(message, turn_id=turn), copy.rank) for message in messages]


def _messages(connection: Connection, thread: ThreadRow, passage: Passage) -> list[Item]:
    return log.items(connection, Span(replace(thread, cleared_seq=0), hidden=(~passage.condition,)))


def _is_within(inset: Inset, span: Span) -> bool:
    turn = inset.after.turn_seq
    return (turn > span.after_turn or span.after_turn == 0) and (span.before_turn is None or turn < span.before_turn)
