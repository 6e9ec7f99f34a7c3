"""Stems of English words. Snowball's stemmers keep state, so threads take turns."""

from functools import cache, lru_cache
from threading import Lock
from typing import Any

import snowballstemmer  # type: ignore[import-untyped]

_TURN = Lock()


IRREGULAR = {
    past: verb
    for verb, forms in {
        "lose": "lost", "pay": "paid", "sell": "sold", "buy": "bought", "send": "sent", "spend": "spent", "grow": "grew grown",
        "make": "made", "give": "gave given", "win": "won", "begin": "began begun", "write": "wrote written",
        "teach": "taught", "keep": "kept", "build": "built", "bring": "brought", "choose": "chose chosen", "drive": "drove driven",
        "hold": "held", "get": "got gotten", "speak": "spoke spoken", "earn": "earnt", "lend": "lent", "eat": "ate eaten",
        "fly": "flew flown flied", "lead": "led", "run": "ran", "sing": "sang sung", "meet": "met", "know": "knew known",
        "fight": "fought", "ride": "rode ridden", "rise": "rose risen", "go": "went gone", "wear": "wore worn", "think": "thought",
        "man": "men", "woman": "women", "child": "children", "mouse": "mice", "foot": "feet", "tooth": "teeth",
    }.items()
    for past in forms.split()
}  # fmt: skip


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; "lost" and "lose" have the same."""
    return _stemmed("english", IRREGULAR.get(word, word))


@lru_cache(maxsize=100_000)
def index_stem(word: str) -> str:
    """Return Porter's stem, as the search index keeps it."""
    return _stemmed("porter", word)


def _stemmed(algorithm: str, word: str) -> str:
    with _TURN:
        return str(_stemmer(algorithm).stemWord(word))


@cache
def _stemmer(algorithm: str) -> Any:
    return snowballstemmer.stemmer(algorithm)
