"""Counts tokens."""


class TokenCounter:
    """How many tokens a text has."""

    def __call__(self, text: str) -> int:
        return len(text) // 4
