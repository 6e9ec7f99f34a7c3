"""Stems of English words: one stemmer for meaning, and the one of the search index.

Snowball's stemmers keep state while they work, so threads take turns; a cache answers for known words.
"""

from functools import cache, lru_cache
from threading import Lock
from typing import Any

import snowballstemmer  # type: ignore[import-untyped]

_TURN = Lock()


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; plural, tense and `-er` endings fall away."""
    return _stemmed("english", word)


@lru_cache(maxsize=100_000)
def index_stem(word: str) -> str:
    """Return the stem as the index keeps it: Porter's, as SQLite and PostgreSQL stem."""
    return _stemmed("porter", word)


def _stemmed(algorithm: str, word: str) -> str:
    with _TURN:
        return str(_stemmer(algorithm).stemWord(word))


@cache
def _stemmer(algorithm: str) -> Any:
    return snowballstemmer.stemmer(algorithm)
