"""A thread as LangChain messages, and a history with LangChain's surface but none of its deprecated base classes."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from ai.memory.langchain.originals import COPY, SUMMARY, restored
from ai.memory.log.compression import recent, summary
from ai.memory.log.segments import is_copy, is_summary
from ai.types import LoggedMessage, ThreadKey


class ThreadStore(Protocol):
    """What a history needs of the memory."""

    def get_messages(self, thread: ThreadKey, /) -> list[BaseMessage]: ...

    def add_message(self, thread: ThreadKey, message: BaseMessage, /) -> None: ...

    def clear(self, thread: ThreadKey, /) -> None: ...


class ThreadHistory:
    def __init__(self, threads: ThreadStore, thread: ThreadKey) -> None:
        self._threads = threads
        self._thread = thread

    @property
    def messages(self) -> list[BaseMessage]:
        return self._threads.get_messages(self._thread)

    def add_message(self, message: BaseMessage) -> None:
        """Log a message of any kind; skip summaries. UserError for values JSON cannot hold."""
        if not is_summary_message(message):
            self._threads.add_message(self._thread, message)

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        for message in messages:
            self.add_message(message)

    def add_user_message(self, message: HumanMessage | str) -> None:
        self.add_message(message if isinstance(message, HumanMessage) else HumanMessage(message))

    def add_ai_message(self, message: AIMessage | str) -> None:
        self.add_message(message if isinstance(message, AIMessage) else AIMessage(message))

    def clear(self) -> None:
        self._threads.clear(self._thread)

    async def aget_messages(self) -> list[BaseMessage]:
        return await asyncio.to_thread(self._threads.get_messages, self._thread)

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        await asyncio.to_thread(self.add_messages, messages)

    async def aclear(self) -> None:
        await asyncio.to_thread(self.clear)

    def __str__(self) -> str:
        return "\n".join(f"{message.type}: {message.text}" for message in self.messages)


def as_langchain(message: LoggedMessage, original: str | None = None) -> BaseMessage:
    """Turn a line of the view into a message. A summary speaks as the user, marked as a summary."""
    if is_summary(message):
        return summary_message(message.content, message.turn_id)
    kind = HumanMessage if message.role == "user" else AIMessage
    said = restored(original, message.content) if original else kind(message.content)
    if is_copy(message):
        said.additional_kwargs |= {"memory": COPY, "handle": message.turn_id.partition("#")[0]}
    return said


def summary_message(text: str, handle: str | None = None) -> HumanMessage:
    mark = {"memory": SUMMARY} if handle is None else {"memory": SUMMARY, "handle": handle}
    return HumanMessage(text, additional_kwargs=mark)


def is_summary_message(message: BaseMessage) -> bool:
    return message.additional_kwargs.get("memory") == SUMMARY


def compress_messages(messages: Sequence[BaseMessage], keep_recent: int, facts: Mapping[str, str]) -> list[BaseMessage]:
    """Write a summary line per turn before the last `keep_recent` messages. `facts` are figures by question."""
    turns = turns_of(messages)
    keep = recent([len(turn) for turn in turns], keep_recent) if keep_recent > 0 else 0
    old, kept = turns[: len(turns) - keep], turns[len(turns) - keep :]
    lines = [turn[0] if is_summary_message(turn[0]) else _line(turn, facts) for turn in old]
    return lines + [message for turn in kept for message in turn]


def turns_of(messages: Sequence[BaseMessage]) -> list[list[BaseMessage]]:
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
