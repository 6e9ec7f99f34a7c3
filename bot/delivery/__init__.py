"""Answers on their way to Slack, each posted once, within Slack's rates."""

from bot.delivery.calls import FAILURES, SLACK_LIMITS, Calls, Lane, RateLimit, RateLimiter, error_name, shared
from bot.delivery.delivery import Addressee, SharedFile, SlackDelivery
from bot.delivery.files import fetched
from bot.delivery.messages import MessagePart, Messages, part_of, seen
from bot.delivery.pictures import Pictures
from bot.delivery.refusals import TokenRefused, is_passing, place_refused, rule_of
from bot.delivery.surface import Deliverer, Surface, Working

__all__ = [
    "FAILURES",
    "SLACK_LIMITS",
    "Addressee",
    "Calls",
    "Deliverer",
    "Lane",
    "MessagePart",
    "Messages",
    "Pictures",
    "RateLimit",
    "RateLimiter",
    "SharedFile",
    "SlackDelivery",
    "Surface",
    "TokenRefused",
    "Working",
    "error_name",
    "fetched",
    "is_passing",
    "part_of",
    "place_refused",
    "rule_of",
    "seen",
    "shared",
]
