"""The polite openings that change nothing about a wish."""

POLITE = r"(?:(?:please|pls|ok|okay|and|now|then|hey|can you|could you|would you)[, ]+)*"
