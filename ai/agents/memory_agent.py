"""Answers questions about the conversation, by topic, by date or “my first question”, with quotations and links.

Searches the thread, then its channel. A researcher may search the thread, archives and states in other words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from ai.agents.cards import AgentCard, Services
from ai.agents.port import QuestionEvent, QuoteEvent, ReplyEvent, TextEvent, Turn
from ai.agents.toolbox.memory import MemoryTools
from ai.agents.toolbox.research import researched
from ai.analysts.port import Intent, Researcher
from ai.answers.phrase import literal
from ai.language.dates import Period, period_in
from ai.language.words import COMMON
from ai.memory.search import Hit, Scope
from ai.types import AnsweredQuery, LoggedMessage, Place, Request

MEMORY, HELP = Intent("memory"), Intent("help")
FLOOR = 0.4  # share of what the words tell that must be in what was said, or next to it
QUOTED = 3  # messages told about a topic
LISTED = 5  # messages told of a day
LENGTH = 300  # characters of a quotation
SAVED = "A saved state may be what you mean. Shall I go on from it?"
ORDINAL = re.compile(r"\bmy (?:very )?(?P<which>first|last|previous|earlier) (?:question|message)\b", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")
ABOUT_THE_PAST = frozenset(
    "remember remind recall discuss discussed discussing discussion talk talked talking say said mention mentioned ask "
    "asked tell told decide decided agree agreed conclude concluded ever already before earlier anything something "
    "conversation conversations message messages question questions thread channel please about regarding "
    "anyone".split()
)


@dataclass(frozen=True, slots=True)
class Recall:
    """The topic of a question about the past, or "", and its period."""

    topic: str
    period: Period | None


class MemoryAgent:
    def __init__(self, services: Services) -> None:
        self._memory = services.memory
        self._context = services.context
        self._cards = services.cards
        self._researcher = services.analyst if isinstance(services.analyst, Researcher) else None

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        request = turn.request
        if found := ORDINAL.search(request.text):
            yield from self._own(request, last=found["which"].lower() != "first")
            return
        recall = recall_of(request.text, request.asked_at, ZoneInfo(request.timezone))
        yield from self._about(turn, recall) if recall.topic else self._then(request, recall.period)

    def _own(self, request: Request, *, last: bool) -> Iterator[ReplyEvent]:
        said, _ = self._memory.search.said(Scope(request.thread, except_turn=request.turn_id), LISTED * 20, last=last)
        mine = [message for message in said if message.role == "user" and message.author == request.user]
        if not mine:
            yield TextEvent("This is your first question in this thread.")
            return
        message = mine[-1] if last else mine[0]
        which = "last question before this one" if last else "first question here"
        yield self._quote(f"Your {which}, on {_day(message, request)}:", message, request)

    def _about(self, turn: Turn, recall: Recall) -> Iterator[ReplyEvent]:
        """Quote messages about a topic, from the nearest place with any."""
        request = turn.request
        for scope in _scopes(request, recall.period):
            found = self._memory.search.find(recall.topic, scope, QUOTED * 4)
            fitting = (hit for hit in found.hits if _fits(hit) and not self._is_about_itself(hit))
            hits = [hit for hit in fitting if not self._is_refusal(hit)][:QUOTED]
            messages = [hit.found for hit in hits if isinstance(hit.found, LoggedMessage)]
            said = self._context.audience_filter.allowed(messages, request)
            if said:
                topic = literal(recall.topic)
                yield TextEvent(f"About _{topic}_:" if len(said) > 1 else f"I found one message about _{topic}_:")
                yield from self._told(sorted(said, key=lambda message: message.created_at), request)
                return
        if told := list(self._researched(turn)):
            yield from told
            return
        when = f" {literal(recall.period.words)}" if recall.period else ""
        yield TextEvent(f"I found nothing that was said about “{literal(recall.topic)}”{when} in this channel.")

    def _researched(self, turn: Turn) -> Iterator[ReplyEvent]:
        if self._researcher is None:
            return
        request = turn.request
        states = {state.snapshot.name: state.id for state in self._memory.states.all(Place.of(request))}
        tools = MemoryTools(self._memory, turn, self._context.audience_filter)
        look = partial(researched, self._researcher, self._context.question(turn), tools, states)
        chosen = turn.step("research", look)
        said = {message.seq: message for message in self._memory.archives.everything(request.thread)}
        yield from self._told([said[seq] for seq in chosen["messages"] if seq in said], request)
        if names := [name for name, state_id in states.items() if state_id in chosen["states"]]:
            yield QuestionEvent(SAVED, tuple(f"resume {name}" for name in names))

    def _then(self, request: Request, period: Period | None) -> Iterator[ReplyEvent]:
        """Quote the questions of a period, or the last ones."""
        for scope in _scopes(request, period):
            said, _ = self._memory.search.said(scope, 200, last=period is None)
            asked = [each for each in said if each.role == "user" and self._cards.said(each.content) != MEMORY]
            if asked:
                told = asked[:LISTED] if period else asked[-LISTED:]
                yield from self._told(told, request)
                if len(asked) > len(told):
                    yield TextEvent(f"There are {len(asked) - len(told)} more messages.")
                return
        yield TextEvent(f"Nothing was said here {literal(period.words) if period else 'before'}.")

    def _told(self, messages: list[LoggedMessage], request: Request) -> Iterator[ReplyEvent]:
        for message in messages:
            verb = "I answered" if message.role == "assistant" else "you discussed"
            yield self._quote(f"On {_day(message, request)}, {verb}:", message, request)

    def _quote(self, intro: str, message: LoggedMessage, request: Request) -> QuoteEvent:
        words = message.content if len(message.content) <= LENGTH else f"{message.content[:LENGTH]}…"
        at = message.created_at.astimezone(ZoneInfo(request.timezone))
        return QuoteEvent(intro, words, f"{at:%H:%M}", message.thread, message.turn_id.rpartition(":")[2])

    def _is_about_itself(self, hit: Hit) -> bool:
        """Return whether a hit is of a turn about the conversation or the bot: its words match any topic."""
        question = self._memory.question(hit.found.turn_id)
        return question is not None and self._cards.said(question.content) in (MEMORY, HELP)

    def _is_refusal(self, hit: Hit) -> bool:
        """Return whether a hit is a reply without an answer: it repeats the words of its question."""
        if not isinstance(hit.found, LoggedMessage) or hit.found.role != "assistant":
            return False
        tried = self._memory.turn_queries(hit.found.turn_id)
        return bool(tried) and not any(isinstance(query, AnsweredQuery) for query in tried)


def recall_of(text: str, now: datetime, zone: ZoneInfo) -> Recall:
    period = period_in(text, now, zone)
    rest = text.replace(period.words, " ") if period else text
    words = WORD.findall(rest)
    return Recall(" ".join(word for word in words if word.lower() not in COMMON | ABOUT_THE_PAST), period)


def _fits(hit: Hit) -> bool:
    return hit.literal or hit.share >= FLOOR


def _scopes(request: Request, period: Period | None) -> tuple[Scope, Scope]:
    thread = Scope(request.thread, except_turn=request.turn_id)
    if period is not None:
        thread = replace(thread, since=period.since, until=period.until)
    return thread, replace(thread, thread=None, channels=frozenset({(request.thread.team, request.thread.channel)}))


def _day(message: LoggedMessage, request: Request) -> str:
    """Return a date like November 28th, with a year other than this one."""
    zone = ZoneInfo(request.timezone)
    at, now = message.created_at.astimezone(zone), request.asked_at.astimezone(zone)
    ending = "th" if 11 <= at.day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(at.day % 10, "th")
    return f"{at:%B} {at.day}{ending}" + ("" if at.year == now.year else f", {at.year}")


CARD = AgentCard(
    intent=MEMORY,
    rank=90,
    patterns=(
        r"\b(?:did|have|had) (?:we|i|you|they|anyone|somebody)\b.*"
        r"\b(?:discuss|decide|say|said|talk|ask|agree|mention|conclude)",
        r"\bwhat (?:was|were) (?:said|decided|discussed|agreed|asked)\b",
        r"\bmy (?:first|last|previous|earlier) (?:question|message)\b|^do you remember\b",
    ),
    examples=("what was my first question?", "what did we decide about pricing last week?"),
    gives="what was said before in the thread or the channel",
    told="what was said before",
    build=MemoryAgent,
)
