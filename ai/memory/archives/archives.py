"""Archives: a range of a thread becomes a placeholder, to be read, put back, or forgotten as a handle.

Indices count the conversation from 0, as `history` returns it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import Connection

from ai.errors import UserError
from ai.memory.archives import placeholder, ranges
from ai.memory.archives.placeholder import Placeholder
from ai.memory.log import messages as log
from ai.memory.log import overlay, segments, threads
from ai.memory.log.database import reading, writing
from ai.memory.log.messages import Item, Span
from ai.memory.log.passages import NOTHING, Passage
from ai.memory.log.segments import ARCHIVE, HANDLE, Segment, SegmentLine
from ai.memory.log.threads import ThreadRow
from ai.memory.views.conversation import Conversations
from ai.types import LoggedMessage, ThreadKey


@dataclass(frozen=True, slots=True)
class Listed:
    """A placeholder and its index; an automatic one stands for everything before `index`."""

    index: int
    kind: str
    placeholder: Placeholder


@dataclass(frozen=True, slots=True)
class Loaded:
    """The messages of an archive, with their indices in the whole log."""

    handle: str
    messages: tuple[tuple[int, LoggedMessage], ...]

    @property
    def markdown(self) -> str:
        return placeholder.as_markdown(self.messages)


@dataclass(frozen=True, slots=True)
class Restored:
    messages: int
    index: int


@dataclass(frozen=True, slots=True)
class Pruned:
    handles: tuple[str, ...]
    remaining: int


@dataclass(frozen=True, slots=True)
class Archives:
    conversations: Conversations

    def history(self, key: ThreadKey) -> tuple[LoggedMessage, ...]:
        with reading(self.conversations.engine) as connection:
            thread = threads.find(connection, key)
            return () if thread is None else tuple(item.message for item in overlay.items(connection, thread))

    def everything(self, key: ThreadKey) -> tuple[LoggedMessage, ...]:
        """Return the log of a thread, hidden messages included."""
        with reading(self.conversations.engine) as connection:
            thread = threads.find(connection, key)
            if thread is None:
                return ()
            return tuple(item.message for item in log.items(connection, Span(replace(thread, cleared_seq=0))))

    def store(
        self,
        key: ThreadKey,
        start: int,
        end: int,
        *,
        summary: str | None = None,
        auto: bool = False,
        preview_chars: int = placeholder.PREVIEW,
    ) -> Placeholder:
        """Archive messages, both ends included. UserError for a bad range."""
        with writing(self.conversations.engine) as connection:
            thread = threads.claim(connection, key)
            within = ranges.chosen(connection, thread, start, end)
            segment = self._archive(connection, thread, within)
            held = [item.message for item in overlay.held(connection, thread, segment)]
            made = Placeholder(
                handle=segment.handle,
                first=start,
                last=end,
                messages=len(held),
                chars=sum(len(message.content) for message in held),
                tokens=sum(message.tokens for message in held),
                summary=placeholder.summary_of(held, summary, auto),
                preview=placeholder.preview_of(held, preview_chars),
            )
            lines = self._lines(made.text, within[0].message)
            sizes = replace(segment, messages=len(held), chars=made.chars, held_tokens=made.tokens or 0)
            segments.keep(connection, thread, replace(sizes, lines=lines))
            self._refresh(connection, key)
        return made

    def load(self, key: ThreadKey, handle: str) -> Loaded:
        """Return the messages of an archive, of folded turns, or one long message."""
        with reading(self.conversations.engine) as connection:
            thread = _known(connection, key)
            everything = log.items(connection, Span(replace(thread, cleared_seq=0)))
            indices = {item.message.seq: index for index, item in enumerate(everything)}
            number = _of_message(handle)
            if number is not None:
                found = [item for item in everything if item.message.seq == number]
            else:
                found = overlay.held(connection, thread, segments.one(connection, thread, handle))
        if not found:
            raise UserError(f"Nothing is kept under {handle} any more.")
        return Loaded(handle, tuple((indices[item.message.seq], item.message) for item in found))

    def list(self, key: ThreadKey) -> tuple[Listed, ...]:
        with reading(self.conversations.engine) as connection:
            thread = threads.find(connection, key)
            if thread is None:
                return ()
            items = overlay.items(connection, thread)
            folded = segments.automatic(connection, thread)
            held = [] if folded is None else [item.message for item in overlay.held(connection, thread, folded)]
        listed = [] if folded is None else [_automatic(folded, items, held)]
        for index, item in enumerate(items):
            found = placeholder.parse(item.message.content) if segments.is_summary(item.message) else None
            listed += [] if found is None else [Listed(index, ARCHIVE, found)]
        return tuple(listed)

    def restore(
        self,
        key: ThreadKey,
        handle: str,
        *,
        index: int | None = None,
        remove_placeholder: bool = False,
        replace_with: str | None = None,
    ) -> Restored:
        """Put messages back, at the end or before `index`, any number of times.

        UserError when a request may not grow so much.
        """
        with writing(self.conversations.engine) as connection:
            thread = threads.claim(connection, key)
            items = overlay.items(connection, thread)
            archive = segments.one(connection, thread, handle)
            held = [item.message for item in overlay.held(connection, thread, archive)]
            self._must_fit(held)
            at = len(items) if index is None else min(ranges.natural(index, "restore_insert_index"), len(items))
            stands = next((n for n, item in enumerate(items) if item.message.turn_id == handle), None)
            goes = remove_placeholder and not replace_with and stands is not None
            if goes and stands is not None and at in (stands, stands + 1):
                at = stands
                self._open(connection, thread, archive)
            else:
                content = archive.content or (Passage.of(message.seq for message in held),)
                place = ranges.behind(ranges.parted(connection, thread, at), at)
                overlay.put(connection, thread, handle, place, content)
                if stands is not None and (goes or replace_with):
                    lines = self._lines(replace_with, held[0]) if replace_with else ()
                    self._bare(connection, thread, replace(archive, state="bare", lines=lines))
                if goes and stands is not None and stands < at:
                    at -= 1
            self._refresh(connection, key)
        return Restored(len(held), at)

    def take_out(self, key: ThreadKey, handle: str) -> int:
        """Take the last restored copy of an archive out of the conversation; return its messages."""
        with writing(self.conversations.engine) as connection:
            thread = threads.claim(connection, key)
            passages = len(segments.one(connection, thread, handle).content) or 1
            copies = [inset for inset in overlay.insets_of(connection, thread) if inset.is_copy_of(handle)]
            last = sorted(copies, key=lambda inset: inset.id)[-passages:]
            gone = {f"{handle}#{inset.id}" for inset in last}
            shown = sum(item.message.turn_id in gone for item in overlay.items(connection, thread))
            overlay.delete_insets(connection, last)
            self._refresh(connection, key)
        return shown

    def unused(self, key: ThreadKey) -> tuple[str, ...]:
        """Return the handles that `prune` would forget."""
        with reading(self.conversations.engine) as connection:
            thread = threads.find(connection, key)
            archives = [] if thread is None else segments.of_thread(connection, thread, ARCHIVE)
        return tuple(archive.handle for archive in archives if archive.is_unused)

    def prune(self, key: ThreadKey) -> Pruned:
        """Forget handles without a placeholder. The messages stay in the log."""
        with writing(self.conversations.engine) as connection:
            thread = threads.claim(connection, key)
            archives = segments.of_thread(connection, thread, ARCHIVE)
            unused = [archive for archive in archives if archive.is_unused]
            for archive in unused:
                if archive.state == "bare":
                    segments.keep(connection, thread, replace(archive, state="pruned"))
                else:
                    segments.drop(connection, [archive.handle])
        live = sum(1 for archive in archives if archive.state == "live")
        return Pruned(tuple(archive.handle for archive in unused), live)

    def _archive(self, connection: Connection, thread: ThreadRow, within: Sequence[Item]) -> Segment:
        segment = Segment(
            thread=thread.key,
            handle=f"{HANDLE}{segments.session(thread.key)}/{uuid4()}",
            kind=ARCHIVE,
            state="live",
            messages=0,
            chars=0,
            held_tokens=0,
            lines=(),
            created_at=datetime.now(UTC),
            content=ranges.content(connection, thread, within),
            hides=ranges.hidden(within),
        )
        overlay.take(connection, ranges.taken(connection, thread, within), segment.handle)
        overlay.put(connection, thread, segment.handle, overlay.position(within[-1]), (None,))
        return segment

    def _open(self, connection: Connection, thread: ThreadRow, archive: Segment) -> None:
        overlay.remove_lines(connection, archive.handle)
        overlay.free(connection, archive.handle)
        segments.keep(connection, thread, replace(archive, state="restored", hides=NOTHING, lines=()))

    def _bare(self, connection: Connection, thread: ThreadRow, archive: Segment) -> None:
        if not archive.lines:
            overlay.remove_lines(connection, archive.handle)
        segments.keep(connection, thread, archive)

    def _lines(self, text: str, about: LoggedMessage) -> tuple[SegmentLine, ...]:
        return (SegmentLine(text, self.conversations.count(text), about.seq, about.created_at),)

    def _refresh(self, connection: Connection, key: ThreadKey) -> None:
        thread = threads.find(connection, key)
        if thread is not None:
            self.conversations.viewer.refresh(connection, thread)

    def _must_fit(self, messages: Sequence[LoggedMessage]) -> None:
        tokens, ceiling = sum(message.tokens for message in messages), self.conversations.limits.ceiling
        if tokens > ceiling:
            raise UserError(
                f"These {len(messages)} messages have {tokens} tokens, and a request may hold {ceiling};"
                " load the archive to read it, or archive a shorter range."
            )


def _known(connection: Connection, key: ThreadKey) -> ThreadRow:
    thread = threads.find(connection, key)
    if thread is None:
        raise UserError("Nothing was said in this thread yet, so nothing of it is archived.")
    return thread


def _automatic(folded: Segment, items: Sequence[Item], held: Sequence[LoggedMessage]) -> Listed:
    behind = (index for index, item in enumerate(items) if item.place.turn_seq <= folded.last_turn)
    last = max(behind, default=0)
    chars, tokens = sum(len(message.content) for message in held), sum(message.tokens for message in held)
    summary = " ".join(line.text for line in folded.lines)
    preview = placeholder.preview_of(held)
    return Listed(0, folded.kind, Placeholder(folded.name, 0, last, len(held), chars, tokens, summary, preview))


def _of_message(handle: str) -> int | None:
    name = handle.rpartition("/")[2]
    return int(name[1:]) if name[:1] == "m" and name[1:].isdecimal() else None
