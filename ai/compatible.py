"""The function names of seed 001, over the process-wide memory. New code calls `memory_store` itself."""

from collections.abc import Sequence
from typing import Any

from ai.memory_store import memory_store
from ai.types import LoggedMessage, ThreadKey


def getContextWindow(allMessages: Sequence[Any], maxTokens: int = 8_000) -> dict[str, Any]:  # noqa: N802, N803
    """Return the newest messages within a budget: `messages`, `totalTokens`, `truncated`."""
    window = memory_store.windows.get_context_window(allMessages, maxTokens)
    return {
        "messages": list(window.messages),
        "totalTokens": window.total_tokens,
        "truncated": window.truncated,
    }


def shouldSummarize(messages: Sequence[Any]) -> bool:  # noqa: N802
    return memory_store.windows.should_summarize(messages)


def getMemoryStats(chatId: str) -> dict[str, Any]:  # noqa: N802, N803
    """Return `totalMessages`, `totalTokens`, `oldestMessage` and `newestMessage` of a chat."""
    found = memory_store.windows.get_memory_stats(ThreadKey.of(chatId))
    return {
        "totalMessages": found.total_messages,
        "totalTokens": found.total_tokens,
        "oldestMessage": found.oldest_message,
        "newestMessage": found.newest_message,
    }


def cacheRecentMessages(chatId: str, messages: Sequence[LoggedMessage]) -> None:  # noqa: N802, N803
    memory_store.windows.cache_recent_messages(ThreadKey.of(chatId), messages)


def getCachedMessages(chatId: str) -> list[LoggedMessage] | None:  # noqa: N802, N803
    found = memory_store.windows.get_cached_messages(ThreadKey.of(chatId))
    return None if found is None else list(found)


def invalidateCache(chatId: str) -> None:  # noqa: N802, N803
    memory_store.windows.invalidate_cache(ThreadKey.of(chatId))
