"""How people reach us: everything that knows Slack, HTTP or a terminal."""
