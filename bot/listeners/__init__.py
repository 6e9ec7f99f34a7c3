"""Slack's events and presses become questions at the intake. Each surface has `register(app, intake)`."""

from importlib import import_module

from slack_bolt import App

from bot.listeners.intake import Intake
from bot.listeners.manners import US, Line, wants_answer
from bot.listeners.messages import is_for_us
from bot.listeners.notes import Notes, Tell
from bot.listeners.talk import LATELY, lines

__all__ = ["LATELY", "US", "Intake", "Line", "Notes", "Tell", "is_for_us", "lines", "register", "wants_answer"]
SURFACES = (
    "actions",
    "feedback",
    "lifecycle",
    "messages",
)


def register(app: App, intake: Intake) -> None:
    for name in SURFACES:
        import_module(f"{__name__}.{name}").register(app, intake)
