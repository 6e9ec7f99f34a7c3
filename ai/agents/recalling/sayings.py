"""Finds what was said: by topic, speaker, kind and time. Words of people rank above answers; refusals are left out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import log

from ai.agents.cards import Cards
from ai.agents.rights.audience import AudienceFilter
from ai.agents.wishes.recall import RecallWish
from ai.analysts.port import Intent
from ai.language.dates import Period
from ai.language.remarks import remark_of
from ai.language.words import telling_stems
from ai.memory.search import Hit, Scope
from ai.memory_store import MemoryStore
from ai.types import AnsweredQuery, LoggedMessage, Request

MEMORY, HELP, STATES = Intent("memory"), Intent("help"), Intent("states")
FLOOR = 0.4  # share of the topic that must be in what was said, or next to it
LOOKED_AT = 60  # hits that are weighed
REMARKS = 300  # newest decisions, or messages of a person, that are weighed
PREFIX = 4  # letters of words that count as alike when one begins as the other does
ALIKE = 0.7
WEIGHT = {"decision": 1.5, "statement": 1.4, "question": 1.0, "request": 0.8, "answer": 0.5}
OF_DECISIONS = {"decision": 3.0, "statement": 1.2, "question": 0.4, "request": 0.3, "answer": 0.3}
OF_WHO: dict[str, float] = {"decision": 1.2, "statement": 1.2, "question": 1.2, "request": 1.2}


@dataclass(frozen=True, slots=True)
class Sayings:
    """What was said, as far as the author of a request may hear it."""

    memory: MemoryStore
    cards: Cards
    audience_filter: AudienceFilter

    def about(
        self, wish: RecallWish, request: Request, scope: Scope, most: int, *, loosely: bool = False
    ) -> list[LoggedMessage]:
        """Return the messages that answer, the best first; `loosely` includes other words for the topic."""
        weights = OF_DECISIONS if wish.verb == "decisions" else OF_WHO if wish.verb == "who" else WEIGHT
        scores: dict[tuple[str, int], float] = {}
        said: dict[tuple[str, int], LoggedMessage] = {}
        for message, score in (*self._hits(wish, scope, loosely), *self._remarks(wish, request, scope)):
            key = str(message.thread), message.seq
            kind = self._kind(message)
            if score <= 0 or kind not in weights or not self._is_by(message, wish.who, request):
                continue
            said[key] = message
            scores[key] = max(scores.get(key, 0), score * weights[kind])
        ranked = sorted(said, key=lambda key: (-scores[key], -said[key].created_at.timestamp()))
        told = self.without_itself(said[key] for key in ranked)
        heard = self.audience_filter.allowed(_once(told), request)
        return list(heard[:most])

    def decisions(self, request: Request, scope: Scope, most: int) -> list[LoggedMessage]:
        """Return the newest decisions, oldest first."""
        found, _ = self.memory.search.said(replace(scope, remark="decision"), REMARKS, last=True)
        return list(self.audience_filter.allowed(_once(found), request)[-most:])

    def by(self, who: str, request: Request, scope: Scope) -> list[LoggedMessage]:
        """Return what somebody said, oldest first, without talk about the conversation itself."""
        found, _ = self.memory.search.said(scope, REMARKS, last=True)
        told = self.without_itself(each for each in found if self._is_by(each, who, request))
        return list(self.audience_filter.allowed(told, request))

    def without_itself(self, messages: Iterable[LoggedMessage]) -> list[LoggedMessage]:
        return [message for message in messages if not self._is_about_itself(message)]

    def _hits(self, wish: RecallWish, scope: Scope, loosely: bool) -> Iterable[tuple[LoggedMessage, float]]:
        hits = self.memory.search.find(wish.topic, scope, LOOKED_AT).hits
        best = max((hit.score for hit in hits), default=1) or 1
        fitting = (hit for hit in hits if _fits(hit) or (loosely and hit.alike))
        return [(hit.found, hit.score / best) for hit in fitting if isinstance(hit.found, LoggedMessage)]

    def _remarks(self, wish: RecallWish, request: Request, scope: Scope) -> Iterable[tuple[LoggedMessage, float]]:
        """Weigh all decisions, or all words of a person, by their share of the topic, rare words counting more."""
        if wish.verb != "decisions" and not wish.who:
            return []
        within = replace(scope, remark="decision") if wish.verb == "decisions" else scope
        found, _ = self.memory.search.said(within, REMARKS, last=True)
        own = [message for message in found if self._is_by(message, wish.who, request)]
        return list(zip(own, _shares(wish.topic, [message.content for message in own]), strict=True))

    def _kind(self, message: LoggedMessage) -> str:
        """Return the kind of a remark, "answer" for data, or "" for other words of the bot."""
        if message.role == "user":
            return remark_of(message.content)
        ran = self.memory.turn_queries(message.turn_id)
        return "answer" if any(isinstance(query, AnsweredQuery) for query in ran) else ""

    def _is_by(self, message: LoggedMessage, who: str, request: Request) -> bool:
        if who == "you":
            return message.role == "assistant"
        author = request.user if who == "me" else who
        return not author or (message.role == "user" and message.author.casefold() == author.casefold())

    def _is_about_itself(self, message: LoggedMessage) -> bool:
        """Whether a message is of a turn about the conversation or the bot: its words match any topic."""
        question = self.memory.question(message.turn_id)
        return question is not None and self.cards.said(question.content) in (MEMORY, HELP, STATES)


def scopes(request: Request, wish: RecallWish, period: Period | None) -> tuple[Scope, ...]:
    """Return where to look: in the thread, and in its channel if all of that is asked about."""
    thread = Scope(request.thread, except_turn=request.turn_id)
    if period is not None:
        thread = replace(thread, since=period.since, until=period.until)
    return (thread, channel_of(thread, request)) if wish.everywhere else (thread,)


def channel_of(scope: Scope, request: Request) -> Scope:
    return replace(scope, thread=None, channels=frozenset({(request.thread.team, request.thread.channel)}))


def _fits(hit: Hit) -> bool:
    return hit.literal or hit.share >= FLOOR


def _shares(topic: str, texts: Sequence[str]) -> list[float]:
    """Return the share of a topic's words in each text; a word that few texts have weighs more."""
    wanted, stems = telling_stems(topic), [frozenset(telling_stems(text)) for text in texts]
    alike = [[_alike(word, each) for word in wanted] for each in stems]
    having = [sum(row[place] > 0 for row in alike) for place in range(len(wanted))]
    weights = [log(1 + (len(texts) + 1) / (count + 0.5)) for count in having]
    whole = sum(weights) or 1
    return [sum(weight * share for weight, share in zip(weights, row, strict=True)) / whole for row in alike]


def _alike(word: str, stems: frozenset[str]) -> float:
    if word in stems:
        return 1
    return ALIKE if any(len(each) >= PREFIX and each[:PREFIX] == word[:PREFIX] for each in stems) else 0


def _once(messages: Iterable[LoggedMessage]) -> list[LoggedMessage]:
    """Drop repeated words; the first one stays."""
    seen: dict[str, LoggedMessage] = {}
    for message in messages:
        seen.setdefault(" ".join(message.content.lower().split()), message)
    return list(seen.values())
