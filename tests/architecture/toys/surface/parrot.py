"""A button that is answered with its own value."""

from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App

from bot.listeners.intake import Intake


def register(app: App, intake: Intake) -> None:
    """Take presses of the button."""

    @app.action("parrot")
    def repeat(ack: Ack, body: Mapping[str, Any]) -> None:
        ack(body["actions"][0]["value"])
