"""The terms of a search: its telling words, and its text as it may be written. Pure."""

import re
from dataclasses import dataclass
from itertools import pairwise

from ai.language.words import COMMON, WIDE, index_stem, words_in

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
    spaced, pairs = [], []
    for word in words_in(POSSESSIVE.sub("", plain)):
        if word[0] < WIDE:
            spaced.append(word)
        else:
            pairs += ["".join(two) for two in pairwise(word)] or [word]
    telling = {index_stem(word): word for word in reversed(spaced) if word not in COMMON}
    words = telling or ({} if pairs else {index_stem(word): word for word in reversed(spaced)})
    literal = plain if len(plain) <= LONGEST_LITERAL else ""
    return SearchTerms(tuple(reversed(words.values())), tuple(dict.fromkeys(pairs)), literal, bool(quoted))


def stems_in(text: str) -> frozenset[str]:
    """Return the stems of all words of a text, as the index has them."""
    return frozenset(map(index_stem, words_in(text)))
