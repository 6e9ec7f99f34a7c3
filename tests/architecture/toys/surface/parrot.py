"""A button that is answered with its own value."""

from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App

from bot.listeners.desk import Desk


def register(app: App, desk: Desk) -> None:
    """Take presses of the button."""

    @app.action("parrot")
    def repeat(ack: Ack, body: Mapping[str, Any]) -> None:
        ack(body["actions"][0]["value"])
