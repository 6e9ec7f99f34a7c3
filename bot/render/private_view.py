"""An answer for its asker alone: its messages, the note in the thread, and the button that shares it."""

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
from ai.types import LoggedMessage
from bot.render.buttons import button, chosen_line
from bot.render.message import SlackMessage, pages, render
from bot.render.text import Block

SHARE = "share"  # the action id of the button, and its block
FOR_SOME = "{} see all of this answer, so it is for you alone. Go on in the thread of your question."
FOR_NOBODY_KNOWN = "This answer is for you alone. Go on in the thread of your question."
NOTE = "I sent this answer in a direct message to who asked: {} see all of it."
NOTE_ALONE = "I sent this answer in a direct message to who asked."
SHARED = "Shared in the channel"


def private_pages(
    events: Sequence[ReplyEvent], private: PrivateEvent, question: LoggedMessage, site: str, *, offers: bool
) -> tuple[SlackMessage, ...]:
    """Return the messages of a private answer, with the button where the asker may share it."""
    hidden = private.hidden_from
    why = FOR_SOME.format(people_may_not(hidden)) if hidden else FOR_NOBODY_KNOWN
    at = f"{question.created_at:%H:%M}"
    asked = QuoteEvent("You asked:", question.content, at, question.said_in, question.turn_id.rpartition(":")[2])
    messages = pages([asked, *_without_buttons(events), plainly(why)], site)
    if not offers:
        return messages
    last = messages[-1]
    return (*messages[:-1], replace(last, blocks=(*last.blocks, share_button(question.turn_id, hidden))))


def note_of(private: PrivateEvent) -> SlackMessage:
    """Return the note for the channel in the place of a private answer."""
    hidden = private.hidden_from
    return render([TextEvent(NOTE.format(people_may_not(hidden, "some")) if hidden else NOTE_ALONE)])


def share_button(turn_id: str, hidden: int) -> Block:
    label = f"Share in channel ({people(hidden)} would see what they otherwise could not)"
    return {"type": "actions", "block_id": SHARE, "elements": [button(SHARE, label, f"{hidden} {turn_id}")]}


def share_pressed(value: str) -> tuple[int, str]:
    """Return how many people the button named, and the turn."""
    hidden, _, turn_id = value.partition(" ")
    return int(hidden), turn_id


def shared(blocks: Sequence[Block], user: str) -> list[Block]:
    """Return the blocks after the press."""
    return [*(block for block in blocks if block.get("block_id") != SHARE), chosen_line(SHARED, user)]


def people(count: int) -> str:
    return "1 person" if count == 1 else f"{count:,} people"


def people_may_not(count: int, some: str = "") -> str:
    return f"{f'{some} people' if some else people(count)} in its channel may not"


def _without_buttons(events: Sequence[ReplyEvent]) -> Iterator[ReplyEvent]:
    """Leave out the buttons: a press belongs to the thread of the question."""
    for event in events:
        if isinstance(event, QuestionEvent):
            yield plainly(said(event))
        elif not isinstance(event, ActionsEvent | FeedbackEvent | PrivateEvent):
            yield event
