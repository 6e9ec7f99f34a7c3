"""Answers questions about the conversation, with quotations and links, or with what was asked and found.

Another thread is quoted only when it is asked for. A researcher may search the thread, archives and states in other
words.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from ai.agents.cards import AgentCard, Services, always
from ai.agents.port import QuestionEvent, QuoteEvent, ReplyEvent, TextEvent, Turn
from ai.agents.recalling.findings import Findings
from ai.agents.recalling.plain_words import plain_words
from ai.agents.recalling.recap import recap
from ai.agents.recalling.sayings import MEMORY, Sayings, channel_of, scopes
from ai.agents.toolbox.memory import MemoryTools
from ai.agents.toolbox.research import researched
from ai.agents.wishes.recall import RECALL, RecallVerb, RecallWish, recall_wish, topic_of
from ai.analysts.port import Researcher
from ai.answers.phrase import literal
from ai.language.dates import Period, period_in
from ai.language.remarks import remark_of
from ai.memory.search import Scope
from ai.types import Deed, LoggedMessage, Request

QUOTED = 3  # messages told about a topic
LISTED = 5  # messages told of a day
DECISIONS = 10  # told where no topic is named
SAVED = "A saved state may be what you mean. Shall I go on from it?"
NOTHING_SAID = "Nothing was said in this thread yet."
HANGING = re.compile(r"\s*\b(?:from|of|in|on|at|during|since)\s*(?=[?.! ]*$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recall:
    """A question about the past and its period; `about` holds both."""

    wish: RecallWish
    period: Period | None
    about: str = ""

    @property
    def topic(self) -> str:
        return self.wish.topic


class MemoryAgent:
    def __init__(self, services: Services) -> None:
        self._memory = services.memory
        self._context = services.context
        self._cards = services.cards
        self._sayings = Sayings(services.memory, services.cards, services.context.audience_filter)
        self._findings = Findings(services.memory, services.context)
        self._researcher = services.analyst if isinstance(services.analyst, Researcher) else None

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        request = turn.request
        recall = recall_of(request.text, request.asked_at, ZoneInfo(request.timezone))
        wish, period = recall.wish, recall.period
        doing: dict[RecallVerb, Callable[[], Iterator[ReplyEvent]]] = {
            "first": lambda: self._end(turn, recall, last=False),
            "last": lambda: self._end(turn, recall, last=True),
            "summary": lambda: self._recap(turn),
            "queries": lambda: self._findings.listed(turn, period, own=wish.who == "me"),
            "query": lambda: self._findings.query(turn, wish.topic, period),
            "rows": lambda: self._findings.rows(turn, wish.topic, period),
            "answer": lambda: self._findings.figure(turn, wish.topic, recall.about, period),
        }
        yield from doing.get(wish.verb, lambda: self._about(turn, recall))()

    def _end(self, turn: Turn, recall: Recall, *, last: bool) -> Iterator[ReplyEvent]:
        """Quote the first or the last message of a person, of the bot or of anybody."""
        request, who = turn.request, recall.wish.who
        (thread, *_) = scopes(request, recall.wish, recall.period)
        said = self._sayings.by(who, request, thread)
        if who != "you":
            kinds = ("question", "request") if recall.wish.asks else ("question", "request", "statement", "decision")
            answered = self._findings.turns(turn) if recall.wish.asks else frozenset()  # “revenue in Q3” asks, too
            own = (each for each in said if each.role == "user")
            said = [each for each in own if each.turn_id in answered or remark_of(each.content) in kinds]
        if not said:
            yield TextEvent("This is your first question in this thread." if who == "me" else NOTHING_SAID)
            return
        message = said[-1] if last else said[0]
        noun = "question" if recall.wish.asks else "message"
        which = f"last {noun} before this one" if last else f"first {noun} here"
        whose = {"me": "Your", "you": "My"}.get(who, "The")
        yield self._quote(f"{whose} {which}, on {_day(message, request)}:", message, request)

    def _recap(self, turn: Turn) -> Iterator[ReplyEvent]:
        part = self._context.thread_part(turn, budget=self._memory.parts.limits.window)
        yield TextEvent(recap(part, self._findings, self._sayings, turn) or NOTHING_SAID)

    def _about(self, turn: Turn, recall: Recall) -> Iterator[ReplyEvent]:
        """Quote messages about a topic from the thread, and from its channel when that is asked for."""
        request, wish = turn.request, recall.wish
        for scope in scopes(request, wish, recall.period):
            if said := self._said(recall, request, scope):
                yield from self._introduced(said, recall, request)
                return
        if told := list(self._researched(turn)):
            yield from told
            return
        for scope in scopes(request, wish, recall.period):
            if said := self._said(recall, request, scope, loosely=True):
                yield TextEvent(f"Nothing was said about _{literal(recall.topic)}_ in these words. This may be meant:")
                yield from self._told(said, request, named=True)
                return
        yield from self._nothing(turn, recall)

    def _said(self, recall: Recall, request: Request, scope: Scope, *, loosely: bool = False) -> list[LoggedMessage]:
        wish = recall.wish
        if wish.topic:
            said = self._sayings.about(wish, request, scope, QUOTED, loosely=loosely)
            return sorted(said, key=lambda message: message.created_at)
        if wish.verb == "decisions":
            return self._sayings.decisions(request, scope, DECISIONS)
        said = [each for each in self._sayings.by(wish.who, request, scope) if wish.who == "you" or each.role == "user"]
        return said[:LISTED] if recall.period else said[-LISTED:]

    def _introduced(self, said: Sequence[LoggedMessage], recall: Recall, request: Request) -> Iterator[ReplyEvent]:
        if topic := literal(recall.topic):
            yield TextEvent(f"About _{topic}_:" if len(said) > 1 else f"I found one message about _{topic}_:")
        named = recall.wish.verb in ("who", "decisions") or recall.wish.who not in ("", "you", "me")
        yield from self._told(said, request, named=named)

    def _nothing(self, turn: Turn, recall: Recall) -> Iterator[ReplyEvent]:
        """Say that nothing was found; offer the channel, or the decisions there are."""
        request, wish = turn.request, recall.wish
        about = f" about “{literal(recall.topic)}”" if recall.topic else ""
        when = f" {literal(recall.period.words)}" if recall.period else ""
        where = "channel" if wish.everywhere else "thread"
        nothing = f"I found nothing that was said{about}{when} in this {where}."
        (thread, *_) = scopes(request, wish, recall.period)
        if not wish.everywhere and self._said(recall, request, channel_of(thread, request)):
            asked = f"{request.text.rstrip(' ?.!')} in this channel?"
            yield QuestionEvent(f"{nothing} Other threads of this channel have something.", ("Look there",), (asked,))
            return
        yield TextEvent(nothing)
        decisions = self._sayings.decisions(request, thread, QUOTED) if wish.verb == "decisions" else []
        if decisions:
            yield TextEvent("What was decided in this thread:")
            yield from self._told(decisions, request)

    def _researched(self, turn: Turn) -> Iterator[ReplyEvent]:
        if self._researcher is None:
            return
        request = turn.request
        known = self._context.states(request)
        states = {state.snapshot.name: state.id for state in known}
        tools = MemoryTools(self._memory, turn, self._context.audience_filter)
        look = partial(researched, self._researcher, self._context.question(turn), tools, states)
        chosen = turn.step("research", look)
        said = {message.seq: message for message in self._memory.archives.everything(request.thread)}
        yield from self._told([said[seq] for seq in chosen["messages"] if seq in said], request)
        if names := [name for name, state_id in states.items() if state_id in chosen["states"]]:
            self._context.note_states((one for one in known if one.snapshot.name in names), request)
            yield QuestionEvent(SAVED, tuple(f"resume {name}" for name in names), deed=Deed("states"))

    def _told(
        self, messages: Sequence[LoggedMessage], request: Request, *, named: bool = False
    ) -> Iterator[ReplyEvent]:
        for message in messages:
            mine = message.role == "assistant"
            intro = f"On {_day(message, request)}, {'I answered' if mine else 'you discussed'}:"
            if named and not mine:
                own = message.author == request.user
                intro = f"On {_day(message, request)}, {'you discussed:' if own else 'said by'}"
                yield self._quote(intro, message, request, by="" if own else message.author)
            else:
                yield self._quote(intro, message, request)

    def _quote(self, intro: str, message: LoggedMessage, request: Request, by: str = "") -> QuoteEvent:
        self._context.audience_filter.told([message], request)
        words = plain_words(message.content)
        at = message.created_at.astimezone(ZoneInfo(request.timezone))
        return QuoteEvent(intro, words, f"{at:%H:%M}", message.thread, message.turn_id.rpartition(":")[2], by)


def recall_of(text: str, now: datetime, zone: ZoneInfo) -> Recall:
    """Read a question about the past; any message else is about its words."""
    period = period_in(text, now, zone)
    rest = HANGING.sub("", " ".join(text.replace(period.words, " ").split())) if period else text
    whole, wish = recall_wish(text), recall_wish(rest)
    if wish is None or (whole is not None and whole.verb != wish.verb):
        wish = replace(whole, topic=topic_of(rest)) if whole else RecallWish("said", topic_of(rest))
    return Recall(wish, period, whole.topic if whole and period else "")


def _day(message: LoggedMessage, request: Request) -> str:
    """Return a date like November 28th, with a year other than this one."""
    zone = ZoneInfo(request.timezone)
    at, now = message.created_at.astimezone(zone), request.asked_at.astimezone(zone)
    ending = "th" if 11 <= at.day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(at.day % 10, "th")
    return f"{at:%B} {at.day}{ending}" + ("" if at.year == now.year else f", {at.year}")


CARD = AgentCard(
    intent=MEMORY,
    rank=45,
    quotes=True,
    quick=always,
    reads=RECALL.first,
    examples=(
        "what was my first question?",
        "what did we decide about pricing last week?",
        "who asked about revenue?",
        "how many did you say for web?",
        "list my queries",
        "summarise this thread",
    ),
    gives="what was said, decided, asked and found before in the thread, or in the channel when you name it",
    told="what was said before",
    build=MemoryAgent,
)
