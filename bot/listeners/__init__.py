"""Slack's events and presses become questions at the intake. Each surface has `register(app, intake)`."""

from slack_bolt import App

from bot.listeners import actions, feedback, messages
from bot.listeners.intake import Intake
from bot.listeners.messages import is_for_us

__all__ = ["Intake", "is_for_us", "register"]
SURFACES = (actions, feedback, messages)


def register(app: App, intake: Intake) -> None:
    for surface in SURFACES:
        surface.register(app, intake)
