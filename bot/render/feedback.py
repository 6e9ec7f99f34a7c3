"""The buttons by which people say whether an answer is right, and what stands in their place afterwards."""

from collections.abc import Iterable
from datetime import date

from ai.agents.port import FeedbackEvent
from bot.render.choices import button, plain
from bot.render.text import Block

RIGHT, WRONG = "feedback:right", "feedback:wrong"
BLOCK = "feedback"


def feedback_buttons(event: FeedbackEvent) -> Block:
    """“Correct” where the answer can be accepted, and “Not right”."""
    value = f"{event.query_id} {event.day}"
    elements = [button(WRONG, "Not right", value)]
    if event.stands_alone and not event.is_verified:
        elements.insert(0, button(RIGHT, "Correct", value))
    return {"type": "actions", "block_id": BLOCK, "elements": elements}


def pressed(value: str) -> tuple[int, date]:
    """The query that a press is about, and the day of its question."""
    query_id, _, day = value.partition(" ")
    return int(query_id), date.fromisoformat(day)


def judged(blocks: Iterable[Block], is_right: bool, user: str) -> list[Block]:
    """The blocks of an answer after `user` said whether it is right: the buttons give way to who said what."""
    said = [plain("Accepted by " if is_right else "Not right, says "), {"type": "user", "user_id": user}]
    line = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": said}]}
    return [line if block.get("block_id") == BLOCK else block for block in blocks]
