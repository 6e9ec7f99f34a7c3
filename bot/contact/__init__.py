"""The line to Slack: clients, the Bolt app, connection, reception, and the gaps of it."""

from bot.contact.connecting import (
    bolt_app,
    limiter_of,
    line_of,
    listening,
    posting_client,
    quick_client,
    slack_client,
)
from bot.contact.greeting import PATIENT, Greeting, greeted
from bot.contact.ledger import GapLedger
from bot.contact.missed import Missed

__all__ = [
    "PATIENT",
    "GapLedger",
    "Greeting",
    "Missed",
    "bolt_app",
    "greeted",
    "limiter_of",
    "line_of",
    "listening",
    "posting_client",
    "quick_client",
    "slack_client",
]
