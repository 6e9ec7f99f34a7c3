"""@datathread in a channel."""

from collections.abc import Mapping
from typing import Any

from slack_bolt import App, BoltContext
from slack_sdk import WebClient

from bot.listeners.desk import Desk


def register(app: App, desk: Desk) -> None:
    """Take every mention as a question."""

    @app.event("app_mention")
    def mentioned(event: Mapping[str, Any], context: BoltContext, client: WebClient) -> None:
        inbound = desk.read(event, context)
        if inbound is not None:
            desk.take(inbound, client)
