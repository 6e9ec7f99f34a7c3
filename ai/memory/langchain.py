"""A thread with the types of LangChain: its messages, and a history with the surface of LangChain's own.

`ThreadHistory` derives from no class of LangChain: those are deprecated, and keep their messages in one process.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from ai.errors import UserError
from ai.memory.log.compression import recent, summary
from ai.memory.log.segments import is_copy, is_summary
from ai.types import LoggedMessage, ThreadKey

SUMMARY, COPY = "summary", "copy"


class ThreadStore(Protocol):
    """What a history needs of the memory."""

    def get_messages(self, thread: ThreadKey, /) -> list[BaseMessage]: ...

    def add_user_message(self, thread: ThreadKey, content: str, /) -> None: ...

    def add_assistant_message(self, thread: ThreadKey, content: str, /) -> None: ...

    def clear(self, thread: ThreadKey, /) -> None: ...


class ThreadHistory:
    """The messages of one thread, read from the store each time, and written to it at once."""

    def __init__(self, threads: ThreadStore, thread: ThreadKey) -> None:
        self._threads = threads
        self._thread = thread

    @property
    def messages(self) -> list[BaseMessage]:
        """What the view of the thread shows now."""
        return self._threads.get_messages(self._thread)

    def add_message(self, message: BaseMessage) -> None:
        """Log one message. A summary is passed over: it is a view of what is in the log. UserError for other kinds."""
        if is_summary_message(message):
            return
        if isinstance(message, HumanMessage):
            self._threads.add_user_message(self._thread, str(message.text))
        elif isinstance(message, AIMessage):
            self._threads.add_assistant_message(self._thread, str(message.text))
        else:
            raise UserError(f"A {message.type} message has no place in a thread; add human and AI messages.")

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Log messages in this order."""
        for message in messages:
            self.add_message(message)

    def add_user_message(self, message: HumanMessage | str) -> None:
        """Log what a person said."""
        self.add_message(message if isinstance(message, HumanMessage) else HumanMessage(message))

    def add_ai_message(self, message: AIMessage | str) -> None:
        """Log what the bot said."""
        self.add_message(message if isinstance(message, AIMessage) else AIMessage(message))

    def clear(self) -> None:
        """Show an empty thread. The log stays."""
        self._threads.clear(self._thread)

    async def aget_messages(self) -> list[BaseMessage]:
        """`messages`, without blocking the event loop."""
        return await asyncio.to_thread(self._threads.get_messages, self._thread)

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        """`add_messages`, without blocking the event loop."""
        await asyncio.to_thread(self.add_messages, messages)

    async def aclear(self) -> None:
        """`clear`, without blocking the event loop."""
        await asyncio.to_thread(self.clear)

    def __str__(self) -> str:
        return "\n".join(f"{message.type}: {message.text}" for message in self.messages)


def as_langchain(message: LoggedMessage) -> BaseMessage:
    """A line of the view as LangChain's message. A summary speaks as the user, as seed 004 has it, but is marked, and so is a copy."""
    if is_summary(message):
        return summary_message(message.content, message.turn_id)
    kind = HumanMessage if message.role == "user" else AIMessage
    mark = {"memory": COPY, "handle": message.turn_id.partition("#")[0]} if is_copy(message) else {}
    return kind(message.content, additional_kwargs=mark)


def summary_message(text: str, handle: str | None = None) -> HumanMessage:
    """A summary line; `handle` names the segment of the log that it stands for."""
    mark = {"memory": SUMMARY} if handle is None else {"memory": SUMMARY, "handle": handle}
    return HumanMessage(text, additional_kwargs=mark)


def is_summary_message(message: BaseMessage) -> bool:
    """Whether this is a summary line of ours."""
    return message.additional_kwargs.get("memory") == SUMMARY


def compress_messages(messages: Sequence[BaseMessage], keep_recent: int, facts: Mapping[str, str]) -> list[BaseMessage]:
    """One summary line per old turn, then the turns of the last `keep_recent` messages word for word.

    Turns stay whole, and a line that is a summary already stays as it is. `facts` are figures by question.
    """
    turns = turns_of(messages)
    keep = recent([len(turn) for turn in turns], keep_recent) if keep_recent > 0 else 0
    old, kept = turns[: len(turns) - keep], turns[len(turns) - keep :]
    lines = [turn[0] if is_summary_message(turn[0]) else _line(turn, facts) for turn in old]
    return lines + [message for turn in kept for message in turn]


def turns_of(messages: Sequence[BaseMessage]) -> list[list[BaseMessage]]:
    """A turn begins with what a person says; a summary is a turn of its own."""
    turns: list[list[BaseMessage]] = []
    for message in messages:
        if not turns or isinstance(message, HumanMessage) or is_summary_message(turns[-1][-1]):
            turns.append([])
        turns[-1].append(message)
    return turns


def _line(turn: Sequence[BaseMessage], facts: Mapping[str, str]) -> BaseMessage:
    asked = str(turn[0].text) if isinstance(turn[0], HumanMessage) else ""
    told = " ".join(str(message.text) for message in turn[1 if asked else 0 :])
    return summary_message(summary(asked, told, facts.get(asked, "")))
