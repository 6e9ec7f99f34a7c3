"""Replies on their way to Slack: posted once, in Slack's pace, put right in place. Owns every retry of a Web API call."""

from bot.delivery.calls import Calls
from bot.delivery.delivery import Delivery, Part
from bot.delivery.pace import Pace

__all__ = ["Calls", "Delivery", "Pace", "Part"]
