"""The conversation of a thread: its log with placeholders for what is archived, and copies of what was restored.

Everybody who shows messages reads them here, so an archive is away from the compressed view, the window and the list of
the history alike. A thread without archives costs nothing: its log is its conversation.
"""

from collections.abc import Iterator
from dataclasses import replace
from heapq import merge

from sqlalchemy import Connection

from ai.memory import log, segments
from ai.memory.log import Item, Place, Span
from ai.memory.segments import ARCHIVE, Segment
from ai.memory.threads import ThreadRow


def items(connection: Connection, thread: ThreadRow, after_turn: int = 0, before_turn: int | None = None) -> list[Item]:
    """What is shown of the turns after one place and before another, in order."""
    if not thread.archives:
        return log.items(connection, Span(thread, after_turn, before_turn))
    span, added = _overlaid(connection, thread, after_turn, before_turn)
    return list(merge(log.items(connection, span), added, key=_order))


def newest_first(
    connection: Connection, thread: ThreadRow, before_turn: int | None = None, expected: int = log.LEAST
) -> Iterator[Item]:
    """What is shown before a turn, the last message first, read as it is asked for."""
    if not thread.archives:
        return log.newest_first(connection, Span(thread, before_turn=before_turn), expected)
    span, added = _overlaid(connection, thread, 0, before_turn)
    return merge(log.newest_first(connection, span, expected), reversed(added), key=_order, reverse=True)


def held(connection: Connection, thread: ThreadRow, segment: Segment) -> list[Item]:
    """The messages of a segment as they are in the log."""
    span = Span(replace(thread, cleared_seq=0))
    condition = replace(span, hidden=(~segment.held,))
    return log.items(connection, condition)


def _overlaid(
    connection: Connection, thread: ThreadRow, after_turn: int, before_turn: int | None
) -> tuple[Span, list[Item]]:
    """The messages that are shown as they are, and the items that stand among them."""
    archives = segments.of_thread(connection, thread, ARCHIVE)
    hiding = [archive for archive in archives if archive.hides]
    outermost = [one for one in hiding if not any(other.encloses(one) for other in hiding)]
    added = [item for archive in outermost for item in archive.shown]
    by_handle = {archive.handle: archive for archive in archives}
    for copy in segments.copies(connection, thread):
        if not any(archive.covers(copy.after) and archive.created_at > copy.created_at for archive in outermost):
            added += _copied(connection, thread, by_handle[copy.handle], copy)
    inside = [item for item in added if _is_inside(item, thread, after_turn, before_turn)]
    span = Span(thread, after_turn, before_turn, tuple(archive.held for archive in outermost))
    return span, sorted(inside, key=_order)


def _copied(connection: Connection, thread: ThreadRow, archive: Segment, copy: segments.Restored) -> list[Item]:
    turn = f"{copy.handle}#{copy.id}"
    messages = (item.message for item in held(connection, thread, archive))
    return [Item(copy.after, replace(message, turn_id=turn), copy.id) for message in messages]


def _is_inside(item: Item, thread: ThreadRow, after_turn: int, before_turn: int | None) -> bool:
    turn_seq, seq = item.place
    cleared = seq < thread.cleared_seq if item.behind else seq <= thread.cleared_seq
    return turn_seq > after_turn and not cleared and (before_turn is None or turn_seq < before_turn)


def _order(item: Item) -> tuple[Place, int]:
    """Copies stand behind their message, in the order in which they were put there."""
    return item.place, item.behind
