"""One file per surface, each with `register(app, desk)`: what Slack tells us becomes a question on the desk."""

from importlib import import_module

from slack_bolt import App

from bot.listeners.desk import Desk

SURFACES = (
    "actions",
    "edits",
    "feedback",
    "mentions",
    "messages",
)


def register(app: App, desk: Desk) -> None:
    """Register every surface."""
    for name in SURFACES:
        import_module(f"{__name__}.{name}").register(app, desk)
