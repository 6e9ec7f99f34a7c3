"""The agents: one line each. ai/agents/NAME_agent.py declares the `CARD`."""

from importlib import import_module

from ai.agents.cards import AgentCard, Cards
from ai.errors import ConfigError

AGENTS = (
    "sql_query",
    "reshape",
    "csv_export",
    "sql_retrieval",
    "archive",
    "state",
    "memory",
    "correction",
    "verdict",
    "preference",
    "cost",
    "chart",
    "why",
    "catalogue",
    "help",
    "decision",
    "thanks",
    "topic",
    "undo",
    "explain",
    "unsupported",
)


def registered() -> Cards:
    """Return all cards. Raises ConfigError when one is missing or collides."""
    return Cards(map(_card, AGENTS))


def _card(name: str) -> AgentCard:
    card = getattr(import_module(f"ai.agents.{name}_agent"), "CARD", None)
    if not isinstance(card, AgentCard):
        raise ConfigError(f"ai/agents/{name}_agent.py declares no CARD; add one as its neighbours do.")
    return card
