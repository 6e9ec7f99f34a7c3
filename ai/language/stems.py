"""Stems of English words. Snowball's stemmers keep state, so threads take turns."""

from functools import cache, lru_cache
from threading import Lock
from typing import Any

import snowballstemmer  # type: ignore[import-untyped]

from ai.language.tables import rows

_TURN = Lock()


def base_form(word: str) -> str:
    """Return the base of an irregular form (“lost” -> lose), any other word as it is."""
    return _irregular().get(word, word)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; "lost" and "lose" have the same."""
    return _stemmed("english", base_form(word))


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


@cache
def _irregular() -> dict[str, str]:
    table = rows("ai.language", "irregular", "word", "forms")
    return {form: word for word, forms in table for form in forms.split()}
