"""User databases: dialects, catalogue, rights, guard, definitions, and the only door to their rows."""
