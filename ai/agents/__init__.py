"""The agents: each answers one kind of message; none knows another."""
