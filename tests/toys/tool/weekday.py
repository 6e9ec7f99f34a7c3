"""Tells the day of the week of a date."""

from datetime import date

from ai.agents.toolbox.tool import Caller, Tool, ToolArguments
from ai.memory_store import MemoryStore
from ai.types import Json


class Day(ToolArguments):
    """A day."""

    day: date


def weekday(_: MemoryStore, __: Caller, given: Day) -> Json:
    """Return the name of the day."""
    return {"weekday": f"{given.day:%A}"}


TOOLS = (Tool("get_weekday", "Tell the day of the week of a date.", Day, weekday, frozenset({"agent", "researcher"})),)
