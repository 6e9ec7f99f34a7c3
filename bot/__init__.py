"""How people reach us: Slack, HTTP, the terminal."""
