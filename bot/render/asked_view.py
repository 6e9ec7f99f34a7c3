"""Show a question asked beside a thread, and the modal to ask about a message. Pure."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.render.buttons import label_text
from bot.render.modal import modal
from bot.render.text import Block, escape, visible

ASK, QUESTION = "ask", "question"
LENGTH = 3_000  # of a question, as Slack's inputs take it


class QuestionPlace(NamedTuple):
    """The thread that a question belongs to."""

    channel: str
    thread_ts: str


def asked(user: str, question: str) -> dict[str, Any]:
    """Return the message with a person's question; it makes them follow the thread."""
    words = visible(question)[:LENGTH]
    who: list[Block] = [{"type": "user", "user_id": user}, {"type": "text", "text": " asked:"}]
    elements: list[Block] = [
        {"type": "rich_text_section", "elements": who},
        {"type": "rich_text_quote", "elements": [{"type": "text", "text": words}]},
    ]
    return {"text": f"<@{user}> asked: {escape(words)}", "blocks": [{"type": "rich_text", "elements": elements}]}


def question_view(place: QuestionPlace, words: str) -> Block:
    """Return the modal, with the words of the message to begin from."""
    field: Block = {
        "type": "plain_text_input",
        "action_id": QUESTION,
        "multiline": True,
        "max_length": LENGTH,
        "placeholder": label_text("how many of these are on iOS?"),
    }
    if words:
        field["initial_value"] = words[:LENGTH]
    blocks: list[Block] = [
        {"type": "input", "block_id": QUESTION, "label": label_text("Your question"), "element": field},
        {"type": "context", "elements": [label_text("Everybody in the thread sees the question and its answer.")]},
    ]
    return modal(ASK, "Ask about this message", "Ask", blocks, place)


def question_sent(view: Mapping[str, Any]) -> tuple[QuestionPlace, str]:
    """Return the thread and the question of a sent modal."""
    words = str(view["state"]["values"][QUESTION][QUESTION].get("value") or "")
    place = QuestionPlace(*json.loads(view["private_metadata"]))
    if not all(isinstance(part, str) for part in place):
        raise ValueError("This form names no thread.")
    return place, words.strip()
