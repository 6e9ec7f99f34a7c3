"""Polite openings, without effect on the wish."""

POLITE = r"(?:(?:please|pls|ok|okay|and|now|then|hey|can you|could you|would you)[, ]+)*"
