"""Turns rows of the table into LangChain tools."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ai.agents.toolbox.table import offered
from ai.agents.toolbox.tool import Caller, Tool
from ai.memory_store import MemoryStore
from ai.types import Json

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


def langchain_tools(memory: MemoryStore, caller: Caller) -> "tuple[BaseTool, ...]":
    from langchain_core.tools import StructuredTool  # a second to load, and only a model needs it

    return tuple(
        StructuredTool.from_function(
            _call(tool, memory, caller),
            name=tool.name,
            description=tool.does,
            args_schema=tool.schema["function"]["parameters"],
        )
        for tool in offered(caller.by)
    )


def _call(tool: Tool, memory: MemoryStore, caller: Caller) -> Callable[..., Json]:
    def call(**arguments: Any) -> Json:
        return tool.run(memory, caller, arguments)

    return call
