"""Reads questions about the conversation: what was first, decided, said by whom, listed, answered. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from ai.agents.wishes.polite import POLITE
from ai.language.tables import Patterns
from ai.language.words import COMMON

RecallVerb = Literal["first", "last", "summary", "queries", "query", "rows", "answer", "decisions", "who", "said"]
RECALL = Patterns("ai.agents.wishes", "recall", {"POLITE": POLITE})
EVERYWHERE = RECALL["EVERYWHERE"]
ASKED = RECALL["ASKED"]
MINE = re.compile(r"\b(?:my|i)\b", re.IGNORECASE)
THE_BOTS = re.compile(r"\b(?:your|you)\b", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")
MENTIONED = re.compile(r"<@[UW][A-Z0-9]+(?:\|[^>]*)?>|(?<!\w)@[\w.-]+")
ABOUT_THE_PAST = frozenset(
    "remember remind recall discuss discussed discussing discussion talk talked talking say said mention mentioned ask "
    "asked asking tell told decide decided agree agreed conclude concluded settle settled choose chose pick "
    "picked ever "
    "already before earlier anything something conversation conversations message messages question questions thread "
    "threads channel channels please about regarding anyone want wanted write wrote suggest suggested propose proposed "
    "approve approved decision decisions agreement agreements conclusion conclusions list show exactly else finally "
    "first last very topic start begin started began anywhere elsewhere other another bring brought policy convention "
    "latest final raised wanted promised promise think thought anybody somebody someone everyone people".split()
)


WHOLE = ("summary", "queries", "answer", "rows", "query")  # without a topic unless one is named


@dataclass(frozen=True, slots=True)
class RecallWish:
    """A question about the conversation. `who` is an author, "me" or "you" (the bot); "" is anybody.

    With `asks`, only what was asked counts.
    """

    verb: RecallVerb
    topic: str
    who: str = ""
    everywhere: bool = False
    asks: bool = False


def recall_wish(text: str) -> RecallWish | None:
    found = RECALL.first(text)
    return _wish(cast(RecallVerb, found[0]), " ".join(text.split()), found[1]) if found else None


def topic_of(text: str) -> str:
    """Return the topic of a question about the past."""
    rest = EVERYWHERE.sub(" ", MENTIONED.sub(" ", text))
    return " ".join(word for word in WORD.findall(rest) if word.lower() not in COMMON | ABOUT_THE_PAST)


def _wish(verb: RecallVerb, plain: str, said: Mapping[str, str | None]) -> RecallWish:
    described = said.get("answer") or said.get("rows") or said.get("query") or said.get("about")
    topic = topic_of(described) if described else "" if verb in WHOLE else topic_of(plain)
    asks = verb in ("first", "last") and ASKED.search(plain) is not None
    return RecallWish(verb, topic, _who(verb, plain, said), EVERYWHERE.search(plain) is not None, asks)


def _who(verb: RecallVerb, plain: str, said: Mapping[str, str | None]) -> str:
    if author := said.get("id") or said.get("at") or said.get("name"):
        return author if author.lower() not in ("i", "we", "you", "anyone") else _pronoun(author)
    if verb in ("first", "last", "queries"):
        return "me" if MINE.search(plain) else "you" if THE_BOTS.search(plain) else ""
    return "you" if verb == "answer" else _pronoun(said.get("pronoun") or "")


def _pronoun(word: str) -> str:
    return {"i": "me", "you": "you"}.get(word.lower(), "")
