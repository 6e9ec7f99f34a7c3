"""What tests over the wire share."""

from tests.services import bot, slack

__all__ = ["bot", "slack"]
