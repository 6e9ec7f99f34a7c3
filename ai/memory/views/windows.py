"""The window of a conversation: its newest turns within a budget, read without touching the rest of the thread."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, select

from ai.memory.log import overlay, segments, threads
from ai.memory.log.database import reading
from ai.memory.log.messages import Span, newest_messages, since, turn_seq
from ai.memory.log.segments import HANDLE
from ai.memory.log.tables import MESSAGE
from ai.memory.log.threads import ThreadRow
from ai.memory.views.cache import Cached, WindowCache
from ai.memory.views.conversation import Conversations
from ai.memory.views.fitting import Atom, ContextWindow, MessageKind, fit
from ai.types import LoggedMessage, ThreadKey

if TYPE_CHECKING:  # a third of a second to load, and no turn of ours needs it
    from langchain_core.messages import BaseMessage

log = logging.getLogger(__name__)

FEW = 64  # messages that a window at hand is continued by
RECENT = 64  # a message of a thread whose sizes are not known has about so many tokens


@dataclass(frozen=True, slots=True)
class MemoryStats:
    total_messages: int
    total_tokens: int
    oldest_message: datetime | None
    newest_message: datetime | None


@dataclass(frozen=True, slots=True)
class Windows:
    conversations: Conversations
    cache: WindowCache

    def read(
        self, key: ThreadKey, budget: int | None = None, before_turn: str | None = None
    ) -> ContextWindow[LoggedMessage]:
        """Return the newest turns of a thread, or those before a turn, within a budget of tokens."""
        limit = self.conversations.limits.window if budget is None else budget
        usual = before_turn is None and limit == self.conversations.limits.window
        with reading(self.conversations.engine) as connection:
            thread = threads.find(connection, key)
            if thread is None:
                return ContextWindow((), 0, truncated=False)
            kept = self.cache.get(key, thread.version) if usual else None
            known = kept or (self._continued(connection, thread, limit) if usual else None)
            window = known or self._window(connection, thread, limit, before_turn)
        if usual and kept is None:
            self.cache.put(key, Cached(thread.version, window, thread.last_seq))
        _tell("Context prepared", logging.INFO, thread.last_seq, "contextMessages", window)
        return window

    def fitted(
        self, key: ThreadKey, messages: Sequence[LoggedMessage], budget: int, around: int
    ) -> tuple[LoggedMessage, ...]:
        """Return the newest whole turns of `messages` within a budget, each message with `around` tokens more."""
        kind = self._logged(key)

        def shorten(message: LoggedMessage, tokens: int) -> LoggedMessage | None:
            return kind.shorten(message, tokens - around) if tokens > around else None

        def size(message: LoggedMessage) -> int:
            return message.tokens + around

        return fit(_turns(reversed(messages)), budget, MessageKind(size, kind.atoms, shorten)).messages

    def get_context_window(
        self, messages: "Sequence[BaseMessage]", budget: int = 8_000
    ) -> "ContextWindow[BaseMessage]":
        """Return the newest messages within the budget, by `additional_kwargs["token_count"]` or our count."""
        from ai.memory.langchain import turns_of

        window = fit(reversed(turns_of(messages)), budget, self._langchain)
        _tell("Context window built", logging.DEBUG, len(messages), "windowSize", window)
        return window

    def should_summarize(self, messages: "Sequence[BaseMessage]") -> bool:
        limits = self.conversations.limits
        size = self._langchain.size
        return len(messages) > limits.many_messages or sum(map(size, messages)) > limits.many_tokens

    def get_memory_stats(self, key: ThreadKey) -> MemoryStats:
        m = MESSAGE.c
        figures = select(
            func.count(), func.coalesce(func.sum(m.tokens), 0), func.min(m.created_at), func.max(m.created_at)
        )
        with reading(self.conversations.engine) as connection:
            thread = threads.find(connection, key)
            if thread is None:
                return MemoryStats(0, 0, None, None)
            everything = Span(replace(thread, cleared_seq=0))
            return MemoryStats(*connection.execute(figures.where(everything.condition), everything.bounds).one())

    def cache_recent_messages(self, key: ThreadKey, messages: Sequence[LoggedMessage]) -> None:
        """Cache messages for an hour, or until something is said."""
        total = sum(message.tokens for message in messages)
        self.cache.put(key, Cached(self._version(key), ContextWindow(tuple(messages), total, truncated=False)))

    def get_cached_messages(self, key: ThreadKey) -> tuple[LoggedMessage, ...] | None:
        kept = self.cache.get(key, self._version(key))
        return None if kept is None else kept.messages

    def invalidate_cache(self, key: ThreadKey) -> None:
        """Drop the cached window. Nothing needs this: windows name their version."""
        self.cache.drop(key)

    def _version(self, key: ThreadKey) -> int:
        with reading(self.conversations.engine) as connection:
            thread = threads.find(connection, key)
        return 0 if thread is None else thread.version

    def _window(
        self, connection: Connection, thread: ThreadRow, budget: int, before_turn: str | None
    ) -> ContextWindow[LoggedMessage]:
        before = None if before_turn is None else turn_seq(connection, thread, before_turn)
        usual_size = thread.tokens // max(thread.last_seq, 1) or RECENT
        expected = min(budget // usual_size + budget // (8 * usual_size) + 2, thread.last_seq)
        messages = (
            (item.message for item in overlay.newest_first(connection, thread, before, expected))
            if thread.archives
            else newest_messages(connection, Span(thread, before_turn=before), expected)
        )
        return fit(_turns(messages), budget, self._logged(thread.key))

    def _continued(self, connection: Connection, thread: ThreadRow, budget: int) -> ContextWindow[LoggedMessage] | None:
        """Extend the cached window by newer messages; None after any other change."""
        kept = self.cache.latest(thread.key)
        if kept is None or thread.archives or not _was_only_added_to(kept, thread):
            return None
        shown = list(kept.window.messages)
        for place, message, _ in since(connection, thread, kept.last_seq):
            begins = place.turn_seq == place.seq
            if not begins and (not shown or message.turn_id != shown[-1].turn_id):
                return None  # it belongs further up
            shown.append(message)
        window = fit(_turns(reversed(shown)), budget, self._logged(thread.key))
        return replace(window, truncated=window.truncated or kept.window.truncated)

    def _logged(self, key: ThreadKey) -> MessageKind[LoggedMessage]:
        count = self.conversations.count

        def shorten(message: LoggedMessage, tokens: int) -> LoggedMessage:
            handle = f"{HANDLE}{segments.session(key)}/m{message.seq}"
            text = count.clip(message.content, tokens, _marker(message.tokens, handle))
            return replace(message, content=text, tokens=count(text))

        return MessageKind(attrgetter("tokens"), lambda turn: [(message,) for message in turn], shorten)

    @property
    def _langchain(self) -> "MessageKind[BaseMessage]":
        count = self.conversations.count
        size = _sizer(count)

        def shorten(message: "BaseMessage", tokens: int) -> "BaseMessage | None":
            fixed = _size_of_calls(message, count)
            if tokens < fixed:
                return None
            text = count.clip(str(message.text), tokens - fixed, _marker(size(message), ""))
            marked = {**message.additional_kwargs, "token_count": fixed + count(text)}
            return message.model_copy(update={"content": text, "additional_kwargs": marked})

        return MessageKind(size, _atoms, shorten)


def _turns(newest_first: Iterable[LoggedMessage]) -> Iterator[list[LoggedMessage]]:
    return (list(turn)[::-1] for _, turn in groupby(newest_first, key=attrgetter("turn_id")))


def _was_only_added_to(kept: Cached, thread: ThreadRow) -> bool:
    added, messages = thread.last_seq - kept.last_seq, kept.window.messages
    is_whole = not kept.window.truncated or messages[0].turn_id != messages[-1].turn_id  # no turn of it is shortened
    return kept.last_seq > 0 and 0 < added <= FEW and added == thread.version - kept.version and is_whole


def _sizer(count: Callable[[str], int]) -> "Callable[[BaseMessage], int]":
    def size(message: "BaseMessage") -> int:
        stored = message.additional_kwargs.get("token_count")
        if isinstance(stored, int):
            return stored
        return count(str(message.text)) + _size_of_calls(message, count)

    return size


def _size_of_calls(message: "BaseMessage", count: Callable[[str], int]) -> int:
    calls = getattr(message, "tool_calls", [])  # an AIMessage's alone
    return sum(count(json.dumps([call["name"], call["args"]])) for call in calls)


def _atoms(turn: "Sequence[BaseMessage]") -> "list[Atom[BaseMessage]]":
    from langchain_core.messages import ToolMessage

    atoms: list[list[BaseMessage]] = []
    for message in turn:
        if not atoms or not isinstance(message, ToolMessage):
            atoms.append([])
        atoms[-1].append(message)
    return list(atoms)


def _marker(tokens: int, handle: str) -> str:
    whole = f"; the whole text: {handle}" if handle else ""
    return f"\n[… shortened, {tokens} tokens{whole} …]\n"


def _tell(
    event: str,
    level: int,
    messages: int,
    shown: str,
    window: "ContextWindow[LoggedMessage] | ContextWindow[BaseMessage]",
) -> None:
    if log.isEnabledFor(level):
        fields = {
            "totalMessages": messages,
            shown: len(window.messages),
            "totalTokens": window.total_tokens,
            "truncated": window.truncated,
        }
        log.log(level, "%s %s", event, json.dumps(fields), extra={"event": event, **fields})
