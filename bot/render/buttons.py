"""Buttons: choices, decisions, Stop, actions. Owns their action ids, and the message after a press.

A button's value is the meaning of its press; pressing a choice asks it.
"""

import json
from collections.abc import Iterable

from ai.agents.port import QUESTION, ActionsEvent, QuestionEvent
from ai.types import Deed
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
        values = [press_value(asks, event.deed) for _, asks in asked]
        buttons = [button(f"{kind}:{number}", label, values[number]) for number, (label, _) in enumerate(asked)]
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
        asks = [
            button(f"{NEXT}:{number}", label, press_value(says, QUESTION))
            for number, (label, says) in enumerate(event.asks)
        ]
        yield {"type": "actions", "block_id": NEXT, "elements": asks}


def chosen(blocks: Iterable[Block], label: str, user: str) -> list[Block]:
    """Return the blocks after a choice: the buttons become the choice and its user."""
    kept = (block for block in blocks if block["type"] != "actions" or block.get("block_id") in (ACTIONS, NEXT))
    return [*kept, chosen_line(label, user)]


def chosen_line(words: str, user: str) -> Block:
    """Return the line of what was chosen, and by whom."""
    elements = [plain(f"{words} · "), {"type": "user", "user_id": user}]
    return {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": elements}]}


def press_value(says: str, deed: Deed) -> str:
    """Return the value of a button: its words and its deed; words too long for it are cut."""
    whole = says.encode("utf-8", "replace").decode()  # half of a surrogate pair cannot be sent
    value = json.dumps([whole, deed.stored], ensure_ascii=False)
    return value if len(value) <= VALUE_LENGTH else press_value(whole[: len(whole) * 9 // 10], deed)


def press_from(value: str) -> tuple[str, Deed]:
    """Read such a value. Raises ValueError for anything else, such as a button of an earlier version."""
    try:
        says, mark = json.loads(value)
        deed = Deed.read(mark)
    except (TypeError, ValueError, RecursionError):
        deed = None
    if deed is None or not isinstance(says, str):
        raise ValueError("This value is no press.")
    return says, deed


def stop_button(turn_id: str) -> Block:
    return {"type": "actions", "elements": [button(STOP, "Stop", turn_id)]}


def plain(text: str) -> Block:
    """Return a rich text element of exactly these characters."""
    return {"type": "text", "text": visible(text)[:TEXT_LENGTH] or " "}


def button(action_id: str, label: str, value: str) -> Block:
    return {"type": "button", "action_id": action_id, "text": label_text(label), "value": value[:VALUE_LENGTH]}


def label_text(label: str) -> Block:
    return {"type": "plain_text", "text": cut(visible(label), LABEL_LENGTH) or "…", "emoji": False}
