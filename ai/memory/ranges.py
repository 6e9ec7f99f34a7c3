"""What the indices of the `memory` operations mean: ranges of a thread, and places in it, resolved in one transaction."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import Connection

from ai.errors import UserError
from ai.memory import segments
from ai.memory.log import Item, Place
from ai.memory.segments import ARCHIVE, HANDLE, Segment
from ai.memory.threads import ThreadRow


def natural(number: object, name: str) -> int:
    """A parameter that is an index. UserError when it is none."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise UserError(f"{name} is {number!r}; give the index of a message, counted from 0 as list_history does.")
    return number


def chosen(items: Sequence[Item], start: int, end: int) -> Sequence[Item]:
    """The items from one index to another. UserError when that is no range which can be archived."""
    first, last = natural(start, "start_index"), natural(end, "end_index")
    if first > last or last >= len(items):
        raise UserError(f"There is no range {first}..{last}: the messages have the indices 0..{len(items) - 1}.")
    if last == len(items) - 1 and _is_open(items[last]):
        raise UserError(f"The message {last} is being answered now; let the range end before it.")
    within = items[first : last + 1]
    places = [item.place for item in within if not item.behind]
    for copy in {item.behind for item in within if item.behind}:
        whole = [index for index, item in enumerate(items) if item.behind == copy]
        among = not places or min(places) <= items[whole[0]].place
        if whole[0] < first or whole[-1] > last or not among:
            raise UserError(f"The messages {whole[0]}..{whole[-1]} are a restored copy: archive just that range.")
    return within


def again(connection: Connection, thread: ThreadRow, within: Sequence[Item]) -> Segment | None:
    """The archive whose restored copy the range is, and the copy taken away; None when it is no copy."""
    copies = {item.behind for item in within}
    if 0 in copies:
        return None
    if len(copies) > 1:
        raise UserError("The range holds several restored copies: archive them one by one.")
    handle = within[0].message.turn_id.partition("#")[0]
    segments.uncopy(connection, copies.pop())
    return next(one for one in segments.of_thread(connection, thread, ARCHIVE) if one.handle == handle)


def new(connection: Connection, thread: ThreadRow, within: Sequence[Item]) -> Segment:
    """A segment that holds the range."""
    places = [item.place for item in within if not item.behind]
    ends = {one.handle: one.last for one in segments.of_thread(connection, thread, ARCHIVE)}
    last = max([*places, *(ends[item.message.turn_id] for item in within if item.message.turn_id in ends)])
    return _segment(thread, Place(*places[0]), last)


def kept_as_it_is(connection: Connection, thread: ThreadRow, folded: Segment) -> Segment:
    """What is folded by itself will grow; an archive of what it holds now will not."""
    kept = replace(_segment(thread, folded.first, folded.last), as_of=folded.as_of, state="restored")
    segments.keep(connection, thread, kept)
    return kept


def _segment(thread: ThreadRow, first: Place, last: Place) -> Segment:
    handle = f"{HANDLE}{segments.session(thread.key)}/{uuid4()}"
    now = datetime.now(UTC)
    return Segment(thread.key, handle, ARCHIVE, "live", first, last, thread.last_seq, 0, 0, 0, (), now)


def anchor(connection: Connection, thread: ThreadRow, items: Sequence[Item], at: int) -> Place:
    """The place behind which something stands that is put before the item `at`."""
    if not items:
        return Place(thread.last_seq, thread.last_seq)
    if at == 0:
        first = items[0].place
        return Place(first.turn_seq, first.seq - 1)
    before = items[at - 1]
    if segments.is_summary(before.message):
        return segments.one(connection, thread, before.message.turn_id).last
    return before.place


def _is_open(item: Item) -> bool:
    """Whether this is a question that has no answer yet."""
    return item.message.role == "user" and not item.behind and not segments.is_summary(item.message)
