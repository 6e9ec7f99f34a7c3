"""Keep the talk of joined threads: the latest lines with their speakers, and "I meant you"."""

import re
from collections.abc import Callable, Sequence
from itertools import groupby

from ai.types import LoggedMessage
from bot.inbound import Inbound
from bot.listeners.manners import MENTIONS_US, US, Line, wants_answer

LATELY = 12  # messages that a line is weighed by
MEANT_YOU = re.compile(
    r"\W*(?:(?:bot|datathread|hey|no|sorry|hm+)[ ,.:!]+)*"
    r"(?:(?:i|that) (?:meant|was asking|asked|was (?:for|meant for)|did mean) you"
    r"|(?:please )?answer (?:that|this|me|it|my question)|what about my question|are you there|hello\?)"
    r"\W*(?:please|pls|bot)?\W*",
    re.IGNORECASE,
)


def is_meant(
    inbound: Inbound,
    lately: Sequence[LoggedMessage],
    name_of: Callable[[str], str],
    names_data: Callable[[str], bool],
) -> bool:
    """Whether a reply without a mention wants an answer."""
    if MEANT_YOU.fullmatch(inbound.text):
        return left_open(inbound, lately) is not None
    before = [message for message in lately if message.turn_id != inbound.turn_id]
    last = before[-1].created_at if before else inbound.sent_at
    minutes = (inbound.sent_at - last).total_seconds() / 60
    return wants_answer(lines(before, name_of), Line(name_of(inbound.user), inbound.text), minutes, names_data)


def left_open(inbound: Inbound, lately: Sequence[LoggedMessage]) -> LoggedMessage | None:
    """Return the latest unanswered line of the same person, as "I meant you" means it."""
    answered = {message.turn_id for message in lately if message.role == "assistant"}
    own = (m for m in reversed(lately) if m.author == inbound.user and m.turn_id not in {*answered, inbound.turn_id})
    return next(own, None)


def lines(messages: Sequence[LoggedMessage], name_of: Callable[[str], str]) -> list[Line]:
    """Name who spoke; what was answered counts as said to us."""
    found = []
    for _, turn in groupby(messages, key=lambda message: message.turn_id):
        said = list(turn)
        is_answered = any(message.role == "assistant" for message in said)
        for message in said:
            if message.role == "assistant":
                found.append(Line(US, message.content))
            else:
                words = f"{MENTIONS_US} {message.content}" if is_answered else message.content
                found.append(Line(name_of(message.author), words))
    return found
