"""What tests of the seeds share."""

from tests.services import api, bot, client, slack

__all__ = ["api", "bot", "client", "slack"]
