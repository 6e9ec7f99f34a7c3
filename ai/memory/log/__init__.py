"""The append-only log of every thread, its queries and its database."""
