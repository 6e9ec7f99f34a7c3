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
    "explain",
    "unsupported",
)


def registered() -> Cards:
    """Return all cards. Raises ConfigError when one is missing or collides."""
    return Cards(map(_card, AGENTS))


def table() -> str:
    """Return the table of docs/what-to-say.md."""
    lines = ["| Say, for example | You get | Agent | Told to a model as |", "|---|---|---|---|"]
    for card in registered().by_rank:
        said = "<br>".join(f"“{example}”" for example in card.examples)
        lines.append(f"| {said} | {card.gives} | `{card.intent}` | {card.told} |")
    return "\n".join(lines) + "\n"


def _card(name: str) -> AgentCard:
    card = getattr(import_module(f"ai.agents.{name}_agent"), "CARD", None)
    if not isinstance(card, AgentCard):
        raise ConfigError(f"ai/agents/{name}_agent.py declares no CARD; add one as its neighbours do.")
    return card


if __name__ == "__main__":
    print(table(), end="")  # noqa: T201 - printing the table is what this command is for
