"""One file per surface, each with `register(app, desk)`: what Slack tells us becomes a question on the desk."""

from slack_bolt import App

from bot.listeners import actions, edits, feedback, mentions, messages
from bot.listeners.desk import Desk

SURFACES = (actions, edits, feedback, mentions, messages)


def register(app: App, desk: Desk) -> None:
    """Register every surface."""
    for surface in SURFACES:
        surface.register(app, desk)
