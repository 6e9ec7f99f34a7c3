"""Whether Slack reaches us: the lines by which it does, the watch over them, and what was missed while nothing came."""
