"""Replies on their way to Slack, each posted once. Owns the pace and every retry of a Web API call."""

from bot.delivery.calls import FAILURES, SLACK_LIMITS, Calls, Lane, RateLimit, RateLimiter
from bot.delivery.delivery import Part, SlackDelivery, part_of

__all__ = [
    "FAILURES",
    "SLACK_LIMITS",
    "Calls",
    "Lane",
    "Part",
    "RateLimit",
    "RateLimiter",
    "SlackDelivery",
    "part_of",
]
