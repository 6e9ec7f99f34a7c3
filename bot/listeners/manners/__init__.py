"""Whether a message without a mention is meant for us, or people talk to each other."""

from bot.listeners.manners.features import MENTIONS_US, US, Line
from bot.listeners.manners.verdict import wants_answer

__all__ = ["MENTIONS_US", "US", "Line", "wants_answer"]
