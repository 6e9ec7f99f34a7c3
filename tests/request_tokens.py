"""The size of a whole request, as OpenAI's models take it: its texts, and a frame for each message."""

from collections.abc import Callable, Iterable

PER_MESSAGE, PER_REQUEST = 3, 3


def request_tokens(count: Callable[[str], int], messages: Iterable[tuple[str, str]]) -> int:
    """Count (role, text) messages."""
    return PER_REQUEST + sum(PER_MESSAGE + count(role) + count(text) for role, text in messages)
