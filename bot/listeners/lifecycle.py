"""Log a revoked token or a removed app in words. Questions wait for a new token."""

import logging

from slack_bolt import App

from bot.listeners.intake import Intake

REVOKED = (
    "Slack revoked the bot's token: install the app again and set SLACK_BOT_TOKEN. Accepted questions wait for it."
)
UNINSTALLED = "The app was uninstalled: install it again and set SLACK_BOT_TOKEN. Accepted questions wait for it."
log = logging.getLogger(__name__)


def register(app: App, intake: Intake) -> None:  # noqa: ARG001 - every surface is registered alike
    @app.event("tokens_revoked")
    def revoked(event: dict[str, dict[str, list[str]]]) -> None:
        if event.get("tokens", {}).get("bot"):
            log.error(REVOKED)

    @app.event("app_uninstalled")
    def uninstalled() -> None:
        log.error(UNINSTALLED)
