"""The thread part of prompts and replies, and summaries of long threads."""

from ai.memory.log.compression import ASKED
from ai.memory.log.segments import AUTHOR
from ai.memory.prompt.summaries import Summaries
from ai.memory.prompt.thread_part import NOTHING, ThreadLine, ThreadPart
from ai.memory.prompt.thread_prompt import ThreadPrompt

__all__ = ["ASKED", "AUTHOR", "NOTHING", "Summaries", "ThreadLine", "ThreadPart", "ThreadPrompt"]
