"""Buttons and forms of an earlier version, or of nobody: whoever used them is told, and nothing else happens."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from slack_bolt import Ack

from ai.agents.cards import EARLIER_BUTTON
from bot.inbound import Inbound
from bot.listeners.intake import Intake

T = TypeVar("T")
FORM = "This form is of an earlier version; close it and open it again."


def known_press(intake: Intake, ack: Ack, body: Mapping[str, Any], is_known: Callable[[str], object]) -> Inbound | None:
    """Return a press whose value is known; else tell the person, acknowledge, and return None."""
    press = intake.read_press(body)
    if is_known(press.text):
        return press
    intake.tell(press, EARLIER_BUTTON)
    ack()
    return None


def known_form(ack: Ack, body: Mapping[str, Any], read: Callable[[Mapping[str, Any]], T]) -> T | None:
    """Return the values of a sent form; else say in it that it is of an earlier version, and return None."""
    view = body["view"]
    try:
        return read(view)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):  # what reading another form raises
        if field := next(iter(view["state"]["values"]), None):
            ack(response_action="errors", errors={field: FORM})
        else:
            ack()
        return None
