"""Reads the wish to start over: “new topic”, “new topic: how many apps do we have?”. Pure."""

import re

NEW_TOPIC = re.compile(
    r"^(?:(?:ok|okay|please|hey|now)[, ]+)*"
    r"(?:(?:an? )?(?:new|different|another) (?:topic|subject|conversation|chat)\b(?: please)?[\s:,.!–—-]*"
    r"|(?:let['’]?s |can we |please )?start (?:over|again|afresh|from scratch)(?: please)?"
    r"(?:[\s:,.!–—-]*$|\s*[:,.!–—-]\s*))"
    r"(?P<question>.*)$",
    re.IGNORECASE | re.DOTALL,
)


def new_topic(text: str) -> str | None:
    """Return the question after a wish to start over, "" for the wish alone, None for any other message."""
    found = NEW_TOPIC.match(text.strip())
    return None if found is None else found["question"].strip()


def starts_over(text: str) -> bool:
    """Whether a text is that wish alone."""
    return new_topic(text) == ""
