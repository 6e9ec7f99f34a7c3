"""Is a message without a mention meant for us, or do people talk to each other?"""

from bot.manners.verdict import US, Line, is_for_us

__all__ = ["US", "Line", "is_for_us"]
