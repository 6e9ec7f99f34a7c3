"""The agents: each answers one kind of message and knows no other."""
