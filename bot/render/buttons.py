"""Buttons: choices, decisions, Stop, actions. Owns their action ids, and the message after a press.

A button's value is the meaning of its press; pressing a choice asks it.
"""

from collections.abc import Iterable

from ai.agents.port import ActionsEvent, QuestionEvent
from bot.render.text import Block, cut, visible

STOP = "stop"
CHOICE = "choose"  # a button's action_id is this, a colon and its number
ACTION, ACTIONS = "do", "actions"  # likewise, of what is done with an answer, and its row
NEXT = "next"  # likewise, of a question that the answer leads to, and its row
REFINE = "refine"  # opens the modal
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


def action_row(event: ActionsEvent) -> Iterable[Block]:
    """Yield the row of what can be done with an answer, if there is anything."""
    elements = [button(f"{ACTION}:{number}", label, says) for number, (label, says) in enumerate(event.row)]
    if event.refines:
        elements.append(button(REFINE, "Refine", str(event.refines)))
    if event.more:
        options = [{"text": label_text(label), "value": says} for label, says in event.more[:MOST_OPTIONS]]
        elements.append({"type": "overflow", "action_id": f"{ACTION}:more", "options": options})
    if elements:
        yield {"type": "actions", "block_id": ACTIONS, "elements": elements}
    if event.asks:
        asks = [button(f"{NEXT}:{number}", label, says) for number, (label, says) in enumerate(event.asks)]
        yield {"type": "actions", "block_id": NEXT, "elements": asks}


def chosen(blocks: Iterable[Block], label: str, user: str) -> list[Block]:
    """Return the blocks after a choice: the buttons become the choice and its user."""
    kept = (block for block in blocks if block["type"] != "actions" or block.get("block_id") in (ACTIONS, NEXT))
    return [*kept, chosen_line(label, user)]


def chosen_line(words: str, user: str) -> Block:
    """Return the line of what was chosen, and by whom."""
    elements = [plain(f"{words} · "), {"type": "user", "user_id": user}]
    return {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": elements}]}


def stop_button(turn_id: str) -> Block:
    return {"type": "actions", "elements": [button(STOP, "Stop", turn_id)]}


def plain(text: str) -> Block:
    """Return a rich text element of exactly these characters."""
    return {"type": "text", "text": visible(text)[:TEXT_LENGTH] or " "}


def button(action_id: str, label: str, value: str) -> Block:
    return {"type": "button", "action_id": action_id, "text": label_text(label), "value": value[:VALUE_LENGTH]}


def label_text(label: str) -> Block:
    return {"type": "plain_text", "text": cut(visible(label), LABEL_LENGTH) or "…", "emoji": False}
