"""The conversation of a thread: its log without what is archived, and with what stands there instead or was put back.

Everybody who shows messages reads them here, so an archive is away from the compressed view, the window and the list of
the history alike. A thread without archives costs nothing: its log is its conversation.
"""

from collections.abc import Iterator
from dataclasses import replace
from heapq import merge

from sqlalchemy import Connection

from ai.memory.log import insets, segments
from ai.memory.log import messages as log
from ai.memory.log.insets import Inset
from ai.memory.log.messages import Item, Span
from ai.memory.log.passages import Passage
from ai.memory.log.segments import ARCHIVE, Segment
from ai.memory.log.threads import ThreadRow
from ai.memory.tables import AUTOMATIC, MESSAGE


def items(connection: Connection, thread: ThreadRow, after_turn: int = 0, before_turn: int | None = None) -> list[Item]:
    """What is shown of the turns after one place and before another, in order."""
    span = Span(thread, after_turn, before_turn)
    if not thread.archives:
        return log.items(connection, span)
    visible, added = _overlaid(connection, span)
    return list(merge(log.items(connection, visible), added, key=insets.position))


def newest_first(
    connection: Connection, thread: ThreadRow, before_turn: int | None = None, expected: int = log.LEAST
) -> Iterator[Item]:
    """What is shown before a turn, the last message first, read as it is asked for."""
    span = Span(thread, before_turn=before_turn)
    if not thread.archives:
        return log.newest_first(connection, span, expected)
    visible, added = _overlaid(connection, span)
    shown = log.newest_first(connection, visible, expected)
    return merge(shown, reversed(added), key=insets.position, reverse=True)


def held(connection: Connection, thread: ThreadRow, segment: Segment) -> list[Item]:
    """The messages of a segment as they are in the log, in the order in which it holds them."""
    whole = Span(replace(thread, cleared_seq=0))
    if segment.kind == AUTOMATIC:
        later = MESSAGE.c.seq > segment.as_of
        return log.items(connection, replace(whole, before_turn=segment.last_turn + 1, hidden=(later,)))
    return [item for passage in segment.content for item in _messages(connection, thread, passage)]


def _overlaid(connection: Connection, span: Span) -> tuple[Span, list[Item]]:
    """The messages that are shown as they are, and the items that stand among them."""
    archives = {one.handle: one for one in segments.of_thread(connection, span.thread, ARCHIVE)}
    hidden = Passage.all_of(archive.hides for archive in archives.values())
    added: list[Item] = []
    for inset in insets.of_thread(connection, span.thread):
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
