"""Stems of English words. Snowball's stemmers keep state, so threads take turns."""

from functools import cache, lru_cache
from threading import Lock
from typing import Any

import snowballstemmer  # type: ignore[import-untyped]

_TURN = Lock()


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word."""
    return _stemmed("english", word)


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
