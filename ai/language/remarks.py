"""Chat words: their spelling, the rest behind thanks, and the kind of a remark. Pure."""

import re
from itertools import dropwhile, takewhile
from typing import Literal

from ai.language.tables import Patterns

Remark = Literal["decision", "question", "request", "statement"]
REMARKS = Patterns("ai.language", "remarks")
DECISION = REMARKS["DECISION"]
OF_DECISION = REMARKS["OF_DECISION"]  # what is wished of one, and no decision
ASKING = REMARKS["ASKING"]
BIDDING = REMARKS["BIDDING"]
SPELT = {
    "n": "and", "nd": "and", "abt": "about", "bout": "about", "wat": "what", "wht": "what", "wut": "what", "hw": "how",
    "r": "are", "u": "you", "plz": "please", "pls": "please", "ment": "meant", "jst": "just", "onyl": "only",
    "thx": "thanks", "thnx": "thanks", "tnx": "thanks", "thanx": "thanks", "ty": "thanks", "tysm": "thanks",
    "w/o": "without", "wo": "without", "excl": "excluding", "ex": "excluding", "incl": "including",
    "teh": "the", "wich": "which",
    "whcih": "which", "hwo": "how", "wot": "what", "waht": "what", "whats": "what is", "hows": "how is",
    "cld": "could", "wld": "would", "gimme": "give me", "lemme": "let me",
}  # fmt: skip
BEFORE = frozenset(
    "ok okay so and but then hm hmm no not can could would what how thanks cool nice great now i".split()
)
MARKS = ".,!?;:"
EXCLAIMED = frozenset(
    "ugh argh gah meh oof ouch oh ooh aah ah aha aw aww huh hm hmm mm mhm eh er uh um erm yikes damn dang darn jeez "
    "geez gosh omg wtf lol lmao rofl haha hahaha heh hehe whoa woah wow phew sheesh yay yo oops sigh blimey crikey "
    "jesus christ hell holy crap shit fuck".split()
)  # said for themselves, before what is asked
ADDED = frozenset("btw lol lmao haha tho asap fyi".split())  # at the end of what is asked
DRAWN_OUT = re.compile(r"(.)\1{2,}")
PRAISE = re.compile(
    r"(?:(?:many )?thanks(?: (?:a lot|so much|again|man|bot))?|thank you(?: (?:so|very) much)?|cheers|perfect|great"
    r"|awesome|cool|nice(?: one)?|got it)(?:\s*[.,;:!\u2013-]+\s+| (?:and|now)(?: also)?(?: the)? )(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
GOES_ON = re.compile(
    r"(?:(?:and|now|then|also) )*(?:(?:what|how) about|by|per|for (?!now|today|that|this|the|your|me)|in|only|just"
    r"|as an?|top \d|show|list|split|sort|compare|without|excluding|same for|of those)\b",
    re.IGNORECASE,
)

YES = r"(?:yes|yep|yeah|yup|right|correct|exactly|that(?:[' \u2019]?s| is) (?:it|right|correct|what i meant?)|that one)"
AGREED = re.compile(rf"{YES}(?:[ ,.!]+(?:{YES}|please|pls|thanks|i (?:do|did)|it is))*[.! ]*", re.IGNORECASE)
AGREES = re.compile(rf"{YES}\b[\s,.:;!\u2013-]+(?=\w)", re.IGNORECASE)


def is_agreed(text: str) -> bool:
    """Whether it says “yes, please”."""
    return bool(AGREED.fullmatch(text.strip()))


def agrees(text: str) -> bool:
    """Whether it says “yes, only iOS”."""
    return not is_agreed(text) and bool(AGREES.match(text.strip()))


def remark_of(text: str) -> Remark:
    """Classify what a person said. A question about a decision is a question."""
    plain = " ".join(text.split())
    if plain.endswith("?") or ASKING.match(plain):
        return "question"
    if OF_DECISION.match(plain):
        return "request"
    if DECISION.search(plain):
        return "decision"
    return "request" if BIDDING.match(plain) else "statement"


def in_full(text: str) -> str:
    """Return the message with its first and last words spelt out.

    Exclamations before them (“ugh”, “wow”) go, and what is added behind them (“btw”).
    """
    words = _behind_exclamations(text.split(" "))
    opening = len(list(takewhile(lambda word: word.rstrip(MARKS) in SPELT.keys() | BEFORE, words)))
    ending = [_spelt(word) if word.rstrip(MARKS) in ("plz", "pls", "thx") else word for word in words[opening:][-1:]]
    return " ".join([*map(_spelt, words[:opening]), *words[opening:-1], *ending])


def _behind_exclamations(words: list[str]) -> list[str]:
    rest = list(dropwhile(_is_exclaimed, words))
    rest = list(dropwhile(_is_added, reversed(rest)))[::-1]
    return rest if len(rest) > 1 else words


def _is_added(word: str) -> bool:
    return word.strip(MARKS).lower() in ADDED


def _is_exclaimed(word: str) -> bool:
    bare = word.strip(MARKS + "…-–").lower()
    return not bare or not EXCLAIMED.isdisjoint((bare, DRAWN_OUT.sub(r"\1", bare), DRAWN_OUT.sub(r"\1\1", bare)))


def behind_praise(text: str) -> str:
    """Return what comes behind thanks or praise, "" where nothing does."""
    found = PRAISE.fullmatch(text)
    return found["rest"] if found else ""


def goes_on(text: str) -> bool:
    """Whether words change the question before, or end as a question."""
    return text.endswith("?") or GOES_ON.match(text) is not None


def _spelt(word: str) -> str:
    bare = word.rstrip(MARKS)
    return SPELT.get(bare, bare) + word[len(bare) :]
