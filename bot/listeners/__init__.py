"""Slack's events and presses become questions at the intake. Each surface has `register(app, intake)`."""

from functools import partial
from importlib import import_module

from slack_bolt import App

from bot.listeners import messages
from bot.listeners.files import unpacked
from bot.listeners.intake import Intake
from bot.listeners.manners import US, Line, wants_answer
from bot.listeners.manners.talk import LATELY, lines
from bot.listeners.messages import Body, Receive, is_for_us, take_event
from bot.listeners.notes import Notes, Tell
from bot.listeners.together import take_events

__all__ = [
    "LATELY",
    "US",
    "Body",
    "Intake",
    "Line",
    "Notes",
    "Receive",
    "Tell",
    "is_for_us",
    "lines",
    "register",
    "take_event",
    "take_events",
    "unpacked",
    "wants_answer",
]
SURFACES = (
    "actions",
    "commands",
    "feedback",
    "home",
    "lifecycle",
    "reactions",
    "refine",
    "sharing",
    "shortcuts",
    "welcome",
)


def register(app: App, intake: Intake, receive: Receive | None = None) -> None:
    """Register every surface; `receive` gets the messages, else they are taken in at once."""
    messages.register(app, receive or partial(take_event, intake))
    for name in SURFACES:
        import_module(f"{__name__}.{name}").register(app, intake)
