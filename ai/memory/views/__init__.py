"""The views of a thread: its conversation, compressed, and its window."""

from ai.memory.views.conversation import Conversations
from ai.memory.views.windows import Windows

__all__ = ["Conversations", "Windows"]
