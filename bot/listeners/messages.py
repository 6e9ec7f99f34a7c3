"""Direct messages, and replies in threads that the bot is part of.

A message that mentions the bot arrives here too and is the same question. A reply that is addressed to somebody else is
not for us.
"""

from collections.abc import Mapping
from typing import Any

from slack_bolt import App, BoltContext
from slack_sdk import WebClient

from bot.inbound import Inbound, is_stop
from bot.listeners.desk import Desk


def is_for_us(desk: Desk, inbound: Inbound, bot_user: str | None) -> bool:
    """Whether a message that may mention nobody is meant for the bot."""
    if inbound.is_direct:
        return True
    if is_stop(inbound.text) and bot_user in inbound.mentions:
        return False  # as a mention it comes once more, and the second of two finds nothing to stop
    addressed = not inbound.mentions or bot_user in inbound.mentions
    return inbound.is_reply and addressed and desk.is_engaged(inbound.thread)


def register(app: App, desk: Desk) -> None:
    """Take what is said to the bot without a mention."""

    @app.event("message")
    def said(event: Mapping[str, Any], context: BoltContext, client: WebClient) -> None:
        inbound = desk.read(event, context)
        if inbound is not None and is_for_us(desk, inbound, context.bot_user_id):
            desk.take(inbound, client)
