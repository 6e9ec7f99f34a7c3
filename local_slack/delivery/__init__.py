"""The way to the app: events and interactions, carried by Socket Mode or HTTP, and the journal of both directions."""
