"""The 👍 and 👎 under an answer, and the message after a verdict. `feedback_row` serves a Slack without them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from ai.agents.port import FeedbackEvent
from bot.render.buttons import button, label_text, plain
from bot.render.text import Block

THUMBS, RIGHT, WRONG, UNDO = "feedback:thumbs", "feedback:right", "feedback:wrong", "feedback:undo"
FEEDBACK, VERDICT = "feedback", "feedback:said"
CORRECT, NOT_RIGHT = "Correct", "Not right"
VALUE = re.compile(r"(?:(?P<verdict>right|wrong) )?(?P<query>[0-9]{1,15}) (?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})")


@dataclass(frozen=True, slots=True)
class Judged:
    """The answer that a button is about: its query, and the day of its question."""

    query_id: int
    day: date

    def __str__(self) -> str:
        return f"{self.query_id} {self.day}"


def feedback_block(event: FeedbackEvent) -> Block:
    """Return Slack's own feedback buttons."""
    return _thumbs(Judged(event.query_id, event.day))


def feedback_row(event: FeedbackEvent) -> Block:
    """Return two plain buttons."""
    answer = str(Judged(event.query_id, event.day))
    elements = [button(RIGHT, CORRECT, f"right {answer}"), button(WRONG, NOT_RIGHT, f"wrong {answer}")]
    return {"type": "actions", "block_id": FEEDBACK, "elements": elements}


def pressed(value: str) -> Judged:
    """Return the answer of a press. Raises ValueError for another value."""
    found = VALUE.fullmatch(value)
    if found is None:
        raise ValueError(f"{value!r} names no answer.")
    return Judged(int(found["query"]), date.fromisoformat(found["day"]))


def names_answer(value: str) -> bool:
    try:
        pressed(value)
    except ValueError:
        return False
    return True


def says_right(value: str) -> bool:
    return value.startswith("right ")


def accepted(blocks: Iterable[Block], answer: Judged, user: str, *, is_for_all: bool) -> list[Block]:
    """Return the blocks after a 👍; an example keeps its buttons for a second person."""
    line = _verdict("Accepted by " if is_for_all else "Correct, says ", user)
    return _replaced(blocks, [line] if is_for_all else [line, _thumbs(answer)])


def rejected(blocks: Iterable[Block], answer: Judged, user: str, reason: str) -> list[Block]:
    """Return the blocks after an objection, with a button to take it back."""
    undo = {"type": "actions", "block_id": FEEDBACK, "elements": [button(UNDO, "Take back", str(answer))]}
    return _replaced(blocks, [_verdict(f"Not right ({reason.lower()}), says ", user), undo])


def reopened(blocks: Iterable[Block], answer: Judged) -> list[Block]:
    return _replaced(blocks, [_thumbs(answer)])


def _thumbs(answer: Judged) -> Block:
    pair = {
        "positive_button": _thumb(CORRECT, f"right {answer}", "👍 This answer is correct"),
        "negative_button": _thumb(NOT_RIGHT, f"wrong {answer}", "👎 This answer is not right"),
    }
    element = {"type": "feedback_buttons", "action_id": THUMBS, **pair}
    return {"type": "context_actions", "block_id": FEEDBACK, "elements": [element]}


def _thumb(label: str, value: str, spoken: str) -> Block:
    return {"text": label_text(label), "value": value, "accessibility_label": spoken}


def _verdict(words: str, user: str) -> Block:
    said = [plain(words), {"type": "user", "user_id": user}]
    section = {"type": "rich_text_section", "elements": said}
    return {"type": "rich_text", "block_id": VERDICT, "elements": [section]}


def _replaced(blocks: Iterable[Block], new: list[Block]) -> list[Block]:
    found: list[Block] = []
    for block in blocks:
        if block.get("block_id") == FEEDBACK:
            found += new
        elif block.get("block_id") != VERDICT:
            found.append(block)
    return found
