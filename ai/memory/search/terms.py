"""The terms of a search: its telling words, and its text as it may be written. Pure."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import snowballstemmer  # type: ignore[import-untyped]

from ai.language.words import COMMON, WIDE, WORD

Stem = Callable[[str], str]
QUOTED = re.compile('^\\s*["\u201c\u201d\u201e](?P<text>.+)["\u201c\u201d]\\s*$', re.DOTALL)
POSSESSIVE = re.compile("['\u2019]s\\b")
LONGEST_LITERAL = 200  # characters; what is longer is a text to find something like, not a piece of one


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """`words` are looked up in an index; `pairs` of characters and `literal` in texts."""

    words: tuple[str, ...]
    pairs: tuple[str, ...]
    literal: str
    only_literal: bool = False


def terms_of(text: str) -> SearchTerms:
    """Read a search. Common words count only without others."""
    quoted = QUOTED.match(text)
    plain = (quoted["text"] if quoted else text).strip()
    stem = stemmer()
    spaced, pairs = [], []
    for word in words_in(POSSESSIVE.sub("", plain)):
        if word[0] < WIDE:
            spaced.append(word)
        else:
            pairs += ["".join(two) for two in pairwise(word)] or [word]
    telling = {stem(word): word for word in reversed(spaced) if word not in COMMON}
    words = telling or ({} if pairs else {stem(word): word for word in reversed(spaced)})
    literal = plain if len(plain) <= LONGEST_LITERAL else ""
    return SearchTerms(tuple(reversed(words.values())), tuple(dict.fromkeys(pairs)), literal, bool(quoted))


def words_in(text: str) -> Iterator[str]:
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return (found.group() for found in WORD.finditer(unicodedata.normalize("NFC", bare)))


def stems_in(text: str, stem: Stem) -> frozenset[str]:
    return frozenset(stem(word) for word in words_in(text))


def stemmer() -> Stem:
    """Return the index's stemmer. It keeps state: share none between threads."""
    return cache(snowballstemmer.stemmer("porter").stemWord)
