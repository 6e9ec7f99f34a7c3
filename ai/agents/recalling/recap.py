"""Sums a thread up by plain code: its beginning, decisions, questions, findings and last words."""

from collections.abc import Iterable

from ai.agents.port import Turn
from ai.agents.recalling.findings import Findings
from ai.agents.recalling.plain_words import plain_words
from ai.agents.recalling.sayings import Sayings
from ai.answers.phrase import literal
from ai.language.remarks import remark_of
from ai.memory.prompt import ASKED, ThreadPart
from ai.memory.search import Scope
from ai.types import LoggedMessage

DECIDED, FOUND, LATEST = 8, 8, 3  # lines of each part
LENGTH = 160  # characters of a line
SUMMARY = 900  # characters of a summary that was written


def recap(part: ThreadPart, findings: Findings, sayings: Sayings, turn: Turn) -> str:
    """Return the summary as Markdown; "" for a thread in which nothing was said yet."""
    request = turn.request
    talk = sayings.without_itself(message for message in part.recent if message.role == "user")
    decisions = sayings.decisions(request, Scope(request.thread, except_turn=request.turn_id), DECIDED)
    written = _written(part)
    request.disclosed.summaries |= bool(written)
    parts = (
        _part("Summed up earlier", written),
        _part("Decided", map(_words, decisions)),
        _part("Asked and found", findings.told(turn, FOUND)),
        _part("Said last", map(_words, _statements(talk)[-LATEST:])),
    )
    return "\n\n".join(each for each in parts if each)


def _part(title: str, lines: Iterable[str]) -> str:
    told = [f"- {text}" for text in lines]
    return "\n".join([f"**{title}**", *told]) if told else ""


def _written(part: ThreadPart) -> list[str]:
    """Return the words of a summary that a model wrote; folded lines only repeat the rest."""
    told = (str(fields.get("earlier", "")) for fields in part.within(part.budget))
    return [literal(plain_words(text, SUMMARY)) for text in told if text and not text.startswith(ASKED)]


def _statements(talk: Iterable[LoggedMessage]) -> list[LoggedMessage]:
    return [message for message in talk if remark_of(message.content) == "statement"]


def _words(message: LoggedMessage) -> str:
    return literal(plain_words(message.content, LENGTH))
