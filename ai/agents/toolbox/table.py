"""The table of tools: to add one, write ai/agents/toolbox/NAME.py with its row in `TOOLS`, and its line here.

A row makes the model's schema, the LangChain tool, the HTTP parameters and its line of the docs.
"""

from collections import Counter
from functools import cache
from importlib import import_module

from ai.agents.toolbox.tool import By, Tool
from ai.errors import ConfigError

MODULES = (
    "queries",
    "history",
    "archives",
    "workspace",
)


@cache
def all_tools() -> tuple[Tool, ...]:
    """Return every row. Raises ConfigError for a module without rows, and for two tools of one name."""
    rows = tuple(row for name in MODULES for row in _rows(name))
    twice = [name for name, times in Counter(row.name for row in rows).items() if times > 1]
    if twice:
        raise ConfigError(f"Two tools are called {twice[0]}; rename one of them.")
    return rows


def offered(by: By) -> tuple[Tool, ...]:
    return tuple(tool for tool in all_tools() if by in tool.callers)


def _rows(name: str) -> tuple[Tool, ...]:
    rows = getattr(import_module(f"ai.agents.toolbox.{name}"), "TOOLS", ())
    if not rows or not all(isinstance(row, Tool) for row in rows):
        raise ConfigError(f"ai/agents/toolbox/{name}.py has no rows; list them in `TOOLS`, as its neighbours do.")
    return tuple(rows)
