"""The modal behind “Not right”: what is wrong, by a press. Pure."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

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
    options = [{"text": _plain(label), "value": key} for key, label in reasons.items()]
    return {
        "type": "modal",
        "callback_id": OBJECTION,
        "private_metadata": json.dumps(asdict(message)),
        "title": _plain("Not right"),
        "submit": _plain("Send"),
        "close": _plain("Cancel"),
        "blocks": [
            {
                "type": "input",
                "block_id": REASON,
                "label": _plain("What is wrong with this answer?"),
                "element": {"type": "radio_buttons", "action_id": REASON, "options": options},
            }
        ],
    }


def objected(view: Mapping[str, Any]) -> tuple[Objected, str]:
    """Return the message of a sent modal and the key of the reason."""
    chosen = view["state"]["values"][REASON][REASON]["selected_option"]
    return Objected(**json.loads(view["private_metadata"])), str(chosen["value"])


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text, "emoji": False}
