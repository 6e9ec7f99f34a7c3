"""Whether a message without a mention is meant for us, or people talk to each other."""

from bot.manners.verdict import US, Line, is_for_us

__all__ = ["US", "Line", "is_for_us"]
