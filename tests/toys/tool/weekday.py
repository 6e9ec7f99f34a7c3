"""Tells the day of the week of a date."""

from datetime import date

from ai.agents.toolbox.tool import Arguments, Caller, Tool
from ai.memory_store import MemoryStore
from ai.types import Json


class Day(Arguments):
    """A day."""

    day: date


def weekday(_: MemoryStore, __: Caller, given: Day) -> Json:
    """Return the name of the day."""
    return {"weekday": f"{given.day:%A}"}


TOOLS = (Tool("get_weekday", "Tell the day of the week of a date.", Day, weekday, frozenset({"agent", "researcher"})),)
