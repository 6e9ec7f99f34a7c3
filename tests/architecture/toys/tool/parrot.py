"""A toy: says the words again."""

from ai.agents.toolbox.tool import Caller, Tool, ToolArguments
from ai.memory_store import MemoryStore
from ai.types import Json


class Echo(ToolArguments):
    words: str


def echo(_: MemoryStore, __: Caller, given: Echo) -> Json:
    return {"echo": given.words}


TOOLS = (Tool("echo", "Say the words again.", Echo, echo, frozenset({"agent", "researcher"})),)
