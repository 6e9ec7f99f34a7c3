"""How people reach us: Slack, HTTP, the terminal."""

__version__ = "0.1.0"
