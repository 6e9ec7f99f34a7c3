"""Archives of seed 002: a range of a thread becomes a placeholder, can be read, put back, and forgotten as a handle.

Nothing here copies or deletes a message: an archive is a list of messages of the log, and a restored copy is a place
where they are shown again. Indices count the conversation as `history` lists it, from 0; each operation resolves them to
messages inside one transaction, so that a message which arrives meanwhile shifts nothing.

Archiving a range takes everything in it away, messages and what stands among them, and puts a placeholder there. Restoring
in place lets the same things stand again where they stood, so the conversation is what it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import Connection

from ai.errors import UserError
from ai.memory.archives import placeholder, ranges
from ai.memory.archives.placeholder import Placeholder
from ai.memory.log import insets, overlay, segments, threads
from ai.memory.log import messages as log
from ai.memory.log.database import reading, writing
from ai.memory.log.messages import Item, Span
from ai.memory.log.passages import NOTHING, Passage
from ai.memory.log.segments import ARCHIVE, HANDLE, Segment, SegmentLine
from ai.memory.log.threads import ThreadRow
from ai.memory.prompt.conversation import Conversations
from ai.types import LoggedMessage, ThreadKey


@dataclass(frozen=True, slots=True)
class Listed:
    """A placeholder in the conversation, by its index; an automatic one stands for the indices before `index`."""

    index: int
    kind: str
    placeholder: Placeholder


@dataclass(frozen=True, slots=True)
class Loaded:
    """The messages of an archive as they were said, with the indices that they have in the whole log."""

    handle: str
    messages: tuple[tuple[int, LoggedMessage], ...]

    @property
    def markdown(self) -> str:
        """All of them, written out."""
        return placeholder.as_markdown(self.messages)


@dataclass(frozen=True, slots=True)
class PutBack:
    """How many messages were put back, and the index of the first."""

    messages: int
    index: int


@dataclass(frozen=True, slots=True)
class Pruned:
    """The handles that are gone, and how many archives remain."""

    handles: tuple[str, ...]
    remaining: int


@dataclass(frozen=True, slots=True)
class Archives:
    """The archives of one store."""

    conversations: Conversations

    def history(self, key: ThreadKey) -> tuple[LoggedMessage, ...]:
        """The conversation as archives see it: index by index."""
        with reading(self.conversations.engine) as connection:
            thread = threads.find(connection, key)
            return () if thread is None else tuple(item.message for item in overlay.items(connection, thread))

    def everything(self, key: ThreadKey) -> tuple[LoggedMessage, ...]:
        """The log of a thread, whatever is archived, folded or cleared from the view."""
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
        """Archive the messages from `start` to `end`, both included. UserError when there is no such range."""
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
        """The messages behind a handle, of an archive, of what was folded by itself, or of one long message."""
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
        """All placeholders in the conversation; first the one that stands for what was folded by itself."""
        with reading(self.conversations.engine) as connection:
            thread = threads.find(connection, key)
            if thread is None:
                return ()
            items = overlay.items(connection, thread)
            folded = segments.automatic(connection, thread)
        listed = [] if folded is None else [_automatic(folded, items)]
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
    ) -> PutBack:
        """Put the messages of an archive back, at the end or before `index`; any number of times.

        With its placeholder removed and put back where that stood, the conversation is as it was before the archive.
        UserError when they would be more than one request may grow by.
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
                insets.put(connection, thread, handle, place, content)
                if stands is not None and (goes or replace_with):
                    lines = self._lines(replace_with, held[0]) if replace_with else ()
                    self._bare(connection, thread, replace(archive, state="bare", lines=lines))
                if goes and stands is not None and stands < at:
                    at -= 1
            self._refresh(connection, key)
        return PutBack(len(held), at)

    def prune(self, key: ThreadKey) -> Pruned:
        """Forget the handles whose placeholder is no longer in the thread. What was said stays in the log."""
        with writing(self.conversations.engine) as connection:
            thread = threads.claim(connection, key)
            archives = segments.of_thread(connection, thread, ARCHIVE)
            bare = [archive for archive in archives if archive.state == "bare"]
            for archive in bare:
                segments.keep(connection, thread, replace(archive, state="pruned"))
            gone = [archive.handle for archive in archives if archive.state == "restored"]
            segments.drop(connection, gone)
        handles = {*gone, *(archive.handle for archive in bare)}
        live = sum(1 for archive in archives if archive.state == "live")
        return Pruned(tuple(archive.handle for archive in archives if archive.handle in handles), live)

    def _archive(self, connection: Connection, thread: ThreadRow, within: Sequence[Item]) -> Segment:
        """Take a range away, and let the lines of a new archive stand there."""
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
        insets.take(connection, ranges.taken(connection, thread, within), segment.handle)
        insets.put(connection, thread, segment.handle, insets.position(within[-1]), (None,))
        return segment

    def _open(self, connection: Connection, thread: ThreadRow, archive: Segment) -> None:
        """Let everything that an archive took stand again where it stood."""
        insets.remove_lines(connection, archive.handle)
        insets.free(connection, archive.handle)
        segments.keep(connection, thread, replace(archive, state="restored", hides=NOTHING, lines=()))

    def _bare(self, connection: Connection, thread: ThreadRow, archive: Segment) -> None:
        """Let an archive have no placeholder, but the lines that it is given."""
        if not archive.lines:
            insets.remove_lines(connection, archive.handle)
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


def _automatic(folded: Segment, items: Sequence[Item]) -> Listed:
    behind = [index for index, item in enumerate(items) if item.place.turn_seq <= folded.last_turn]
    held = [items[index].message for index in behind]
    last = max(behind, default=0)
    chars, tokens = sum(len(message.content) for message in held), sum(message.tokens for message in held)
    summary = " ".join(line.text for line in folded.lines)
    preview = placeholder.preview_of(held)
    return Listed(0, folded.kind, Placeholder(folded.handle, 0, last, len(held), chars, tokens, summary, preview))


def _of_message(handle: str) -> int | None:
    """The number of the message that a handle is of."""
    name = handle.rpartition("/")[2]
    return int(name[1:]) if name[:1] == "m" and name[1:].isdecimal() else None
