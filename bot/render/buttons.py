"""Buttons: choices, decisions, Stop, feedback. Owns their action ids, and the message after a press.

A button's value is the meaning of its press; pressing a choice asks it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from ai.agents.port import ActionsEvent, FeedbackEvent, QuestionEvent
from bot.render.text import Block, visible

RIGHT, WRONG, UNDO = "feedback:right", "feedback:wrong", "feedback:undo"
FEEDBACK, VERDICT = "feedback", "feedback:said"
STOP = "stop"
CHOICE = "choose"  # a button's action_id is this, a colon and its number
ACTION, ACTIONS = "do", "actions"  # likewise, of what is done with an answer, and its row
MOST_OPTIONS = 5
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


def pressable(event: ActionsEvent | FeedbackEvent) -> Iterable[Block]:
    """Yield the row under an answer: what can be done with it, or whether it is right."""
    if isinstance(event, FeedbackEvent):
        yield _feedback_buttons(event)
        return
    elements = [button(f"{ACTION}:{number}", label, says) for number, (label, says) in enumerate(event.row)]
    if event.more:
        options = [{"text": _label(label), "value": says} for label, says in event.more[:MOST_OPTIONS]]
        elements.append({"type": "overflow", "action_id": f"{ACTION}:more", "options": options})
    if elements:
        yield {"type": "actions", "block_id": ACTIONS, "elements": elements}


def chosen(blocks: Iterable[Block], label: str, user: str) -> list[Block]:
    """Return the blocks after a choice: the buttons become the choice and its user."""
    words = [plain(f"{label} · "), {"type": "user", "user_id": user}]
    line = {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": words}]}
    return [*(block for block in blocks if block["type"] != "actions" or block.get("block_id") == ACTIONS), line]


def stop_button(turn_id: str) -> Block:
    return {"type": "actions", "elements": [button(STOP, "Stop", turn_id)]}


def plain(text: str) -> Block:
    """Return a rich text element of exactly these characters."""
    return {"type": "text", "text": visible(text)[:TEXT_LENGTH] or " "}


def button(action_id: str, label: str, value: str) -> Block:
    return {"type": "button", "action_id": action_id, "text": _label(label), "value": value[:VALUE_LENGTH]}


def _label(label: str) -> Block:
    shown = visible(label)
    text = shown if len(shown) <= LABEL_LENGTH else f"{shown[: LABEL_LENGTH - 1]}…"
    return {"type": "plain_text", "text": text or "…", "emoji": False}


@dataclass(frozen=True, slots=True)
class Judged:
    """The answer that a button is about: its query, the day of its question, and whether it can be accepted."""

    query_id: int
    day: date
    can_accept: bool = False

    def __str__(self) -> str:
        return f"{self.query_id} {self.day}{' accept' if self.can_accept else ''}"


def _feedback_buttons(event: FeedbackEvent) -> Block:
    """Return “Not right”, and “Correct” where the answer can be accepted."""
    return _verdict_buttons(Judged(event.query_id, event.day, event.stands_alone and not event.is_verified))


def _verdict_buttons(answer: Judged) -> Block:
    elements = [button(WRONG, "Not right", str(answer))]
    if answer.can_accept:
        elements.insert(0, button(RIGHT, "Correct", str(answer)))
    return {"type": "actions", "block_id": FEEDBACK, "elements": elements}


def pressed(value: str) -> Judged:
    """Return the answer that a press is about."""
    query_id, day, *more = value.split(" ")
    return Judged(int(query_id), date.fromisoformat(day), bool(more))


def accepted(blocks: Iterable[Block], answer: Judged, user: str, *, is_for_all: bool) -> list[Block]:
    """Return the blocks after a “Correct”; an example keeps its buttons for a second person."""
    line = _verdict("Accepted by " if is_for_all else "Correct, says ", user)
    return _replaced(blocks, [line] if is_for_all else [line, _verdict_buttons(answer)])


def rejected(blocks: Iterable[Block], answer: Judged, user: str, reason: str) -> list[Block]:
    """Return the blocks after an objection, with a button to take it back."""
    undo = {"type": "actions", "block_id": FEEDBACK, "elements": [button(UNDO, "Take back", str(answer))]}
    return _replaced(blocks, [_verdict(f"Not right ({reason.lower()}), says ", user), undo])


def reopened(blocks: Iterable[Block], answer: Judged) -> list[Block]:
    return _replaced(blocks, [_verdict_buttons(answer)])


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
