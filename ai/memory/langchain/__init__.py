"""LangChain's door: threads as its messages, and graphs that keep their state here."""

from ai.memory.langchain.history import ThreadHistory, as_langchain, compress_messages, turns_of
from ai.memory.langchain.originals import original_of, originals

__all__ = ["ThreadHistory", "as_langchain", "compress_messages", "original_of", "originals", "turns_of"]
