"""An answer for its asker alone: its messages, the note in the thread, and the button that shares it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ai.agents.port import (
    ActionsEvent,
    FeedbackEvent,
    PrivateEvent,
    QuestionEvent,
    QuoteEvent,
    ReplyEvent,
    TextEvent,
    plainly,
    said,
)
from ai.language.texts import Translator
from ai.types import LoggedMessage
from bot.render.buttons import button, chosen_line
from bot.render.message import SlackMessage, pages
from bot.render.text import Block
from bot.render.translated import translated

SHARE = "share"  # the action id of the button, and its block
FOR_SOME = (
    "Some people of that channel may not see all of this answer: {}. It is for you alone; go on in the thread of your "
    "question."
)
FOR_NOBODY_KNOWN = "This answer is for you alone; go on in the thread of your question."
NOTE = "The answer went to the asker in a direct message: some people here may not see all of it."
NOTE_ALONE = "The answer went to the asker in a direct message."
LABEL = "Share in channel ({} would see what they otherwise could not)"
SHARED = "Shared in the channel"
PRESSED = re.compile(r"(?P<hidden>[0-9]{1,9}) (?P<turn>\S+)")


def private_pages(
    events: Sequence[ReplyEvent],
    private: PrivateEvent,
    question: LoggedMessage,
    site: str,
    texts: Translator,
    *,
    offers: bool,
) -> tuple[SlackMessage, ...]:
    """Return the messages of a private answer, with the button where the asker may share it."""
    hidden, at = private.hidden_from, f"{question.created_at:%H:%M}"
    why = TextEvent(FOR_SOME.format(f"{hidden:,}") if hidden else FOR_NOBODY_KNOWN)
    asked = QuoteEvent("You asked:", question.content, at, question.said_in, question.turn_id.rpartition(":")[2])
    messages = pages([asked, *_without_buttons(events), why], site, texts)
    if not offers:
        return messages
    last, shares = messages[-1], translated([share_button(question.turn_id, hidden)], texts)
    return (*messages[:-1], replace(last, blocks=(*last.blocks, *shares)))


def note_of(private: PrivateEvent, texts: Translator) -> SlackMessage:
    """Return the note for the channel in the place of a private answer."""
    return pages([TextEvent(NOTE if private.hidden_from else NOTE_ALONE)], texts=texts)[0]


def share_button(turn_id: str, hidden: int) -> Block:
    label = LABEL.format("1 person" if hidden == 1 else f"{hidden:,} people")
    return {"type": "actions", "block_id": SHARE, "elements": [button(SHARE, label, f"{hidden} {turn_id}")]}


def share_pressed(value: str) -> tuple[int, str] | None:
    """Return how many people the button named, and the turn; None for a button of an earlier version."""
    pressed = PRESSED.fullmatch(value)
    return (int(pressed["hidden"]), pressed["turn"]) if pressed else None


def shared(blocks: Sequence[Block], user: str) -> list[Block]:
    """Return the blocks after the press."""
    return [*(block for block in blocks if block.get("block_id") != SHARE), chosen_line(SHARED, user)]


def _without_buttons(events: Sequence[ReplyEvent]) -> Iterator[ReplyEvent]:
    """Leave out the buttons: a press belongs to the thread of the question."""
    for event in events:
        if isinstance(event, QuestionEvent):
            yield plainly(said(event))
        elif not isinstance(event, ActionsEvent | FeedbackEvent | PrivateEvent):
            yield event
