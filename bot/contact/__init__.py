"""The line to Slack: clients, the Bolt app, connection, watch, missed messages."""

from bot.contact.connecting import bolt_app, limiter_of, listening, posting_client, quick_client, slack_client
from bot.contact.greeting import PATIENT, Greeting, greeted
from bot.contact.missed import Missed
from bot.contact.watch import Mark, Watch

__all__ = [
    "PATIENT",
    "Greeting",
    "Mark",
    "Missed",
    "Watch",
    "bolt_app",
    "greeted",
    "limiter_of",
    "listening",
    "posting_client",
    "quick_client",
    "slack_client",
]
