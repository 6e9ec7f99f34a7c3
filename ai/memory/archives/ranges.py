"""Ranges: the meaning of indices in archive operations."""

from collections.abc import Sequence
from itertools import groupby

from sqlalchemy import Connection

from ai.errors import UserError
from ai.memory.log import overlay, segments
from ai.memory.log.messages import Item
from ai.memory.log.overlay import Inset, Position
from ai.memory.log.passages import Passage
from ai.memory.log.segments import ARCHIVE
from ai.memory.log.threads import ThreadRow


def natural(number: object, name: str) -> int:
    """Check that a parameter is an index. UserError otherwise."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise UserError(f"{name} is {number!r}; give the index of a message, counted from 0 as list_history does.")
    return number


def parted(connection: Connection, thread: ThreadRow, border: int) -> list[Item]:
    """Return the conversation with no copy across a border; such a copy is split."""
    items = overlay.items(connection, thread)
    if not 0 < border < len(items):
        return items
    whole = overlay.position(items[border])
    if not items[border].behind or overlay.position(items[border - 1]) != whole:
        return items
    of_copy = [(index, item.message.seq) for index, item in enumerate(items) if overlay.position(item) == whole]
    parts = [Passage.of(seq for index, seq in of_copy if (index < border) == before) for before in (True, False)]
    (copy,) = [inset for inset in overlay.insets_of(connection, thread) if inset.position == whole]
    overlay.split(connection, thread, copy, parts)
    return overlay.items(connection, thread)


def chosen(connection: Connection, thread: ThreadRow, start: int, end: int) -> Sequence[Item]:
    """Return the items of a range. UserError when it cannot be archived."""
    first, last = natural(start, "start_index"), natural(end, "end_index")
    items = parted(connection, thread, first)
    if first > last or last >= len(items):
        raise UserError(f"There is no range {first}..{last}: the messages have the indices 0..{len(items) - 1}.")
    if last == len(items) - 1 and _is_open(items[last]):
        raise UserError(f"The message {last} is being answered now; let the range end before it.")
    return parted(connection, thread, last + 1)[first : last + 1]


def taken(connection: Connection, thread: ThreadRow, within: Sequence[Item]) -> list[Inset]:
    positions = {overlay.position(item) for item in within}
    return [inset for inset in overlay.insets_of(connection, thread) if inset.position in positions]


def content(connection: Connection, thread: ThreadRow, within: Sequence[Item]) -> tuple[Passage, ...]:
    """Return the passages of a range: for the lines of an archive, its own."""
    archives = {one.handle: one for one in segments.of_thread(connection, thread, ARCHIVE)}
    passages: list[Passage] = []
    for inset, items in groupby(within, key=lambda item: item.behind and overlay.position(item)):
        messages = [item.message for item in items]
        if inset and segments.is_summary(messages[0]):
            passages += archives[messages[0].turn_id].content
        else:
            passages.append(Passage.of(message.seq for message in messages))
    return tuple(passages)


def hidden(within: Sequence[Item]) -> Passage:
    return Passage.of(item.message.seq for item in within if not item.behind)


def behind(items: Sequence[Item], at: int) -> Position:
    return overlay.position(items[at - 1]) if at else overlay.HEAD


def _is_open(item: Item) -> bool:
    return item.message.role == "user" and not item.behind and not segments.is_summary(item.message)
