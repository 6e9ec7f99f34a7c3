"""The modal behind “Not right”: what is wrong, by a press. Pure."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from bot.render.buttons import label_text
from bot.render.feedback import pressed
from bot.render.modal import modal
from bot.render.text import Block

OBJECTION = "feedback:objection"
REASON = "reason"


@dataclass(frozen=True, slots=True)
class Objected:
    """The message of a disputed answer; `value` comes from its button."""

    value: str
    channel: str
    ts: str
    thread_ts: str


def objection_view(message: Objected, reasons: Mapping[str, str]) -> Block:
    """Return the modal with one choice among the reasons, by key and label."""
    options = [{"text": label_text(label), "value": key} for key, label in reasons.items()]
    choice = {
        "type": "input",
        "block_id": REASON,
        "label": label_text("What is wrong with this answer?"),
        "element": {"type": "radio_buttons", "action_id": REASON, "options": options},
    }
    return modal(OBJECTION, "Not right", "Send", [choice], asdict(message))


def objected(view: Mapping[str, Any]) -> tuple[Objected, str]:
    """Return the message of a sent modal and the key of the reason."""
    chosen = view["state"]["values"][REASON][REASON]["selected_option"]
    message = Objected(**json.loads(view["private_metadata"]))
    pressed(message.value)  # raises ValueError where a form names no answer
    if not all(isinstance(part, str) for part in (message.channel, message.ts, message.thread_ts)):
        raise ValueError("This form names no message.")
    return message, str(chosen["value"])
