"""Buttons: choices, decisions, Stop, feedback. Owns their action ids, and the message after a press.

A button's value is the meaning of its press; pressing a choice asks it.
"""

from collections.abc import Iterable
from datetime import date

from ai.agents.port import FeedbackEvent, QuestionEvent
from bot.render.text import Block, visible

RIGHT, WRONG = "feedback:right", "feedback:wrong"
FEEDBACK = "feedback"
STOP = "stop"
CHOICE = "choose"  # a button's action_id is this, a colon and its number
DECISION = "decide"  # likewise, of one that only owners may press
LABEL_LENGTH = 75
VALUE_LENGTH = 2000
TEXT_LENGTH = 5_000  # longer texts are cut into pieces of this length before
MAX_BUTTONS = 25


def question_blocks(event: QuestionEvent) -> Iterable[Block]:
    """Yield the question and its buttons; options too long for a button are listed in full."""
    elements: list[Block] = [{"type": "rich_text_section", "elements": [plain(event.text)]}]
    if any(len(option) > LABEL_LENGTH for option in event.options):
        bullets = [{"type": "rich_text_section", "elements": [plain(option)]} for option in event.options]
        elements.append({"type": "rich_text_list", "style": "bullet", "elements": bullets})
    yield {"type": "rich_text", "elements": elements}
    yield from choice_buttons(event)


def choice_buttons(event: QuestionEvent) -> Iterable[Block]:
    """Yield the row of buttons, if there are options."""
    asked = list(zip(event.options, event.asks or event.options, strict=True))[:MAX_BUTTONS]
    if asked:
        kind = DECISION if event.for_owners else CHOICE
        buttons = [button(f"{kind}:{number}", label, asks) for number, (label, asks) in enumerate(asked)]
        yield {"type": "actions", "elements": buttons}


def chosen(blocks: Iterable[Block], label: str, user: str) -> list[Block]:
    """Return the blocks after a choice: the buttons become the choice and its user."""
    words = [plain(f"{label} · "), {"type": "user", "user_id": user}]
    line = {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": words}]}
    return [*(block for block in blocks if block["type"] != "actions"), line]


def stop_button(turn_id: str) -> Block:
    return {"type": "actions", "elements": [button(STOP, "Stop", turn_id)]}


def plain(text: str) -> Block:
    """Return a rich text element of exactly these characters."""
    return {"type": "text", "text": visible(text)[:TEXT_LENGTH] or " "}


def button(action_id: str, label: str, value: str) -> Block:
    shown = visible(label)
    text = shown if len(shown) <= LABEL_LENGTH else f"{shown[: LABEL_LENGTH - 1]}…"
    return {
        "type": "button",
        "action_id": action_id,
        "text": {"type": "plain_text", "text": text or "…", "emoji": False},
        "value": value[:VALUE_LENGTH],
    }


def feedback_buttons(event: FeedbackEvent) -> Block:
    """Return “Not right”, and “Correct” where the answer can be accepted."""
    value = f"{event.query_id} {event.day}"
    elements = [button(WRONG, "Not right", value)]
    if event.stands_alone and not event.is_verified:
        elements.insert(0, button(RIGHT, "Correct", value))
    return {"type": "actions", "block_id": FEEDBACK, "elements": elements}


def pressed(value: str) -> tuple[int, date]:
    """Return the query of a press and the day of its question."""
    query_id, _, day = value.partition(" ")
    return int(query_id), date.fromisoformat(day)


def judged(blocks: Iterable[Block], is_right: bool, user: str) -> list[Block]:
    """Return the blocks of an answer after feedback: the buttons become the verdict and its user."""
    said = [plain("Accepted by " if is_right else "Not right, says "), {"type": "user", "user_id": user}]
    line = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": said}]}
    return [line if block.get("block_id") == FEEDBACK else block for block in blocks]
