"""The line to Slack: clients, the Bolt app, its connection and watch, and messages missed while it was down."""

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
