"""The frame of every modal: its title, its two buttons, and the value it brings back when sent. Pure."""

import json
from collections.abc import Sequence
from typing import Any

from bot.render.buttons import label_text
from bot.render.text import Block


def modal(callback_id: str, title: str, submit: str, blocks: Sequence[Block], brings_back: Any) -> Block:
    return {
        "type": "modal",
        "callback_id": callback_id,
        "private_metadata": json.dumps(brings_back),
        "title": label_text(title),
        "submit": label_text(submit),
        "close": label_text("Cancel"),
        "blocks": list(blocks),
    }
