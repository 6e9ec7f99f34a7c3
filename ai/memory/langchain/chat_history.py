"""One thread with the surface of LangChain's chat histories, over the log.

Derives from none of them: they are on their way out of LangChain, and keep their messages in a list of one process.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from ai.errors import UserError
from ai.memory.langchain.messages import is_summary_message
from ai.types import ThreadKey


class Threads(Protocol):
    """What a history needs of the memory."""

    def get_messages(self, thread: ThreadKey, /) -> list[BaseMessage]: ...

    def add_user_message(self, thread: ThreadKey, content: str, /) -> None: ...

    def add_assistant_message(self, thread: ThreadKey, content: str, /) -> None: ...

    def clear(self, thread: ThreadKey, /) -> None: ...


class ThreadHistory:
    """The messages of one thread, read from the store each time, and written to it at once."""

    def __init__(self, threads: Threads, thread: ThreadKey) -> None:
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
