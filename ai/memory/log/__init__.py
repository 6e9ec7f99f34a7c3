"""The append-only log, and what is written with it: queries, folded turns, archives, model calls."""
