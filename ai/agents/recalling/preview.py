"""Tells what a deed is about, before or after it: the messages in short, and a button to undo it. Pure."""

from collections.abc import Collection, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from ai.agents.port import QuestionEvent
from ai.agents.recalling.plain_words import plain_words
from ai.answers.phrase import literal
from ai.memory.prompt import AUTHOR
from ai.types import LoggedMessage

LENGTH = 60  # characters of the first and of the last message


def undo(asks: str) -> QuestionEvent:
    return QuestionEvent("It can be undone.", ("Undo",), (asks,))


def counted(count: int) -> str:
    return f"{count:,} message{'s' * (count != 1)}"


def preview(messages: Sequence[LoggedMessage], heard: Collection[LoggedMessage], timezone: str) -> str:
    """Return “6 messages of November 22, 14:02 to 14:09: “first words” … “last words””, quoting only `heard`."""
    zone = ZoneInfo(timezone)
    moments = sorted(message.created_at.astimezone(zone) for message in messages)
    when = f" of {_span(moments[0], moments[-1])}" if moments else ""
    words = [plain_words(message.content, LENGTH) for message in heard if message.author != AUTHOR]
    quoted = [f"“{literal(said)}”" for said in words if said]
    ends = " … ".join(quoted if len(quoted) < 2 else (quoted[0], quoted[-1]))
    return f"{counted(len(messages))}{when}{': ' if ends else ''}{ends}"


def _span(first: datetime, last: datetime) -> str:
    begins, ends = f"{first:%B} {first.day}, {first:%H:%M}", f"{last:%H:%M}"
    if first.date() != last.date():
        return f"{begins} to {last:%B} {last.day}, {ends}"
    return begins if f"{first:%H:%M}" == ends else f"{begins} to {ends}"
