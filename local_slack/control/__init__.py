"""Everything tests can do: act as people, make things go wrong, look inside."""
