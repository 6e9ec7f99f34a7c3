"""The user's databases: dialects, what is in them, what may run on them, and the only door to their rows."""
