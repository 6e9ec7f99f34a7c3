"""Reads a message after those of its thread: a pick, a change of an open reading, or a question of its own.

A question asked back because its reading was unsure stays open.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from ai.analysts.labels import labelled
from ai.analysts.port import Question
from ai.language.remarks import agrees
from ai.nl2sql.choose import Choice
from ai.nl2sql.confidence.asking import FOUND_NOTHING
from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.meaning import Meaning, from_json
from ai.nl2sql.reader import Doubt, Reading, read, reading_of, reply_to
from ai.nl2sql.second_look import ThreadMessage, asked_back, judged
from ai.nl2sql.sketching import names_something
from ai.nl2sql.threads.signals import asks
from ai.nl2sql.threads.unanswered.days import differ_in_day
from ai.nl2sql.threads.unanswered.gap import is_aside, is_question, leans_back
from ai.results.table import ResultTable

DEEPEST = 3  # questions back that a message may build on
TAKEN_FROM = 0.5  # how likely an open reading and its change must be together
FEWEST = 2  # rows that tell something
TAKEN_LEAST = 0.4  # how likely that change must be once its result is known
KEPT_ROWS = "kept rows, no query"  # the analyst of a step over rows that were kept
OFFERED = re.compile(r"\?\s*\n+- ")  # a question back with its choices


def read_on(question: Question, text: str) -> Reading | Doubt:
    """Read a message after those before it."""
    lost = unanswered(question)
    opened = _open_choices(question, lost) if lost else None
    picked = _reply(question, opened, text)
    if isinstance(picked, Reading):
        return picked
    taken = _taken(question, _open_reading(question, lost), text) if lost else None
    return taken or _on_usual_day(question, opened, picked) or picked or _after(question, text, unanswered=lost)


def look_again(question: Question, result: ResultTable) -> Doubt | None:
    """Judge the reading of a message once more by its result; a pick of what was offered stands."""
    lost, text, earlier, least = unanswered(question), question.text, _earlier(question), None
    if lost and (agrees(text) or isinstance(_reply(question, _open_choices(question, lost), text), Reading)):
        return None
    if lost and _taken(question, opened := _open_reading(question, lost), text):
        earlier, lost, least = opened.meanings, (), 1.0 if _is_nothing(result) else TAKEN_LEAST
    said = ThreadMessage(text, earlier, lost)
    doubt = judged(result, said, question.catalog, question.today, question.semantics, least=least)
    if doubt is None or _is_said(question, doubt, text):
        return None
    return None if not lost and was_said(question, doubt.reason) else doubt  # they went on from it


def _is_nothing(result: ResultTable) -> bool:
    """Whether a result holds no row, or a single 0."""
    return all(value in (0, None) for row in result.rows for value in row) and len(result.rows) < FEWEST


def was_said(question: Question, reason: str) -> bool:
    """Whether a reason stands in the thread already."""
    said = (message.content for message in question.thread_part.recent if message.role != "user")
    return any(reason in text.replace("\\", "") for text in said)


def unanswered(question: Question) -> tuple[str, ...]:
    """Return the questions since the last answer that asked for data and got none, newest first."""
    recent = question.thread_part.recent
    asked = [message for message in recent if message.role == "user"]
    answered = {query.turn_id for query in question.past}
    replies = [(message, reply.content) for message, reply in pairwise(recent) if reply.role == "assistant"]
    replied = [message for message, _ in replies]
    offered = [message for message, reply in replies if OFFERED.search(reply)]
    lexicon = lexicon_of(question.catalog, question.semantics)
    found = []
    for message in reversed(asked):
        if message.turn_id in answered:
            break
        said = message.content
        if message.turn_id in question.settled or is_aside(said):
            continue
        named = message in replied and (said.rstrip().endswith("?") or names_something(said, lexicon, question.today))
        named = named or leans_back(said) or asks(said) or (message in replied and is_question(said))
        named = named or message in offered  # whatever its words are, it was asked back
        if named and not message.content.startswith("@"):
            found.append(message.content)
    return tuple(found)


def _open_choices(question: Question, lost: tuple[str, ...]) -> Doubt | None:
    found: Doubt | None = None
    for at, said in reversed(list(enumerate(lost[:DEEPEST], start=1))):
        replied = _reply(question, found, said) or _opened(question, said, unanswered=lost[at:])
        found = replied if isinstance(replied, Doubt) else None
    return found


def _on_usual_day(question: Question, opened: Doubt | None, changed: Reading | Doubt | None) -> Reading | None:
    """Go on from the first day offered, and say so, where a message leaves open which one was meant."""
    if (
        opened is None
        or not isinstance(changed, Doubt)
        or not changed.asks
        or len(changed.choices) < len(opened.choices)
    ):
        return None
    if not differ_in_day([choice.meaning for choice in opened.choices]):
        return None
    lexicon = lexicon_of(question.catalog, question.semantics)
    found = reading_of(changed.choices[0].meaning, (), lexicon, question.today)
    return replace(found, taken=labelled(question, opened).options[0], changes=True)


def _reply(question: Question, open_choices: Doubt | None, text: str) -> Reading | Doubt | None:
    if open_choices is None:
        return None
    labels = labelled(question, open_choices)
    return reply_to(labels, text, question.catalog, question.today, question.semantics)


def _opened(question: Question, text: str, *, unanswered: tuple[str, ...]) -> Doubt:
    said = ThreadMessage(text, _earlier(question), unanswered)
    return asked_back(said, question.catalog, question.today, question.semantics)


class OpenReading(NamedTuple):
    """The meanings up to the open question, newest first, and how likely they are; 0 without a reading of it."""

    meanings: tuple[Meaning, ...]
    likely: float


def _taken(question: Question, opened: OpenReading, text: str) -> Reading | None:
    """Read a message as a likely change of the open reading."""
    earlier, likely = opened
    if not likely or was_said(question, FOUND_NOTHING):
        return None
    likely = 1.0 if agrees(text) else likely
    found = _read(question, text, earlier, unanswered=())
    if isinstance(found, Doubt) or not found.changes or likely * found.confidence < TAKEN_FROM:
        return None
    taken = labelled(question, Doubt("", (Choice("", earlier[0]),))).options
    return replace(found, taken="".join(taken), confidence=round(likely * found.confidence, 3), doubt=None)


def _open_reading(question: Question, lost: tuple[str, ...]) -> OpenReading:
    earlier = _earlier(question)
    likely, unread = 1.0 if {*lost[:DEEPEST]} <= _replied(question) else 0.0, lost[DEEPEST:]
    for said in reversed(lost[:DEEPEST]):
        found = _read(question, said, earlier, unanswered=unread)
        if isinstance(found, Doubt):
            unread = (said, *unread)
            continue
        earlier, unread, likely = (found.meaning, *earlier), (), likely * found.confidence
    return OpenReading(earlier, 0.0 if unread else likely)


def _replied(question: Question) -> set[str]:
    """Return the messages that got a reply."""
    turns = pairwise(question.thread_part.recent)
    return {said.content for said, reply in turns if said.role == "user" and reply.role == "assistant"}


def _after(question: Question, text: str, *, unanswered: tuple[str, ...]) -> Reading | Doubt:
    return _weighed(question, _read(question, text, _earlier(question), unanswered=unanswered), text)


def _read(question: Question, text: str, earlier: Sequence[Meaning], *, unanswered: tuple[str, ...]) -> Reading | Doubt:
    previous = earlier[0] if earlier else None
    return read(
        text, question.catalog, question.today, previous, question.semantics, earlier[1:], unanswered=unanswered
    )


def _weighed(question: Question, found: Reading | Doubt, text: str) -> Reading | Doubt:
    """Ask back an unsure reading, unless the message is its own words."""
    if isinstance(found, Doubt) or found.doubt is None:
        return found
    return found if _is_said(question, found.doubt, text) else found.doubt


def _is_said(question: Question, doubt: Doubt, text: str) -> bool:
    own = labelled(question, doubt).options[:1]
    return [label.casefold() for label in own] == [text.strip().casefold()]


def _earlier(question: Question) -> tuple[Meaning, ...]:
    """Return the earlier meanings, newest first; steps over kept rows are read as edits."""
    found: list[Meaning] = []
    for query in reversed(question.past):
        meaning = from_json(query.meaning)
        if meaning is None:
            continue
        if query.analyst == KEPT_ROWS and found:
            again = _read(question, query.question, found[::-1], unanswered=())
            meaning = again.meaning if isinstance(again, Reading) else meaning
        found.append(meaning)
    return tuple(reversed(found))
