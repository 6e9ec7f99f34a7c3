"""What a prompt or a reply holds of a thread: its view, its window, its summary."""

from ai.memory.log.segments import AUTHOR
from ai.memory.prompt.summaries import Summaries
from ai.memory.prompt.windows import Windows

__all__ = ["AUTHOR", "Summaries", "Windows"]
