"""What is searched for: the telling words of a text, and the text itself as it may be written somewhere. Pure."""

import re
from dataclasses import dataclass
from itertools import pairwise

from ai.language.stems import index_stem
from ai.language.words import COMMON, WIDE, words_in

QUOTED = re.compile('^\\s*["\u201c\u201d\u201e](?P<text>.+)["\u201c\u201d]\\s*$', re.DOTALL)
POSSESSIVE = re.compile("['\u2019]s\\b")
LONGEST_LITERAL = 200  # characters; what is longer is a text to find something like, not a piece of one


@dataclass(frozen=True, slots=True)
class Wish:
    """`words` are looked up in an index, `pairs` of characters (of writing without spaces) in the texts.

    `literal` is the text as it was written, "" when it is too long to stand in a message as it is. When it was given in
    quotation marks, only documents that have it are `wanted`.
    """

    words: tuple[str, ...]
    pairs: tuple[str, ...]
    literal: str
    only_literal: bool = False


def wish_of(text: str) -> Wish:
    """Read what is searched for. Words that every text has count only where there are no others."""
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
    return Wish(tuple(reversed(words.values())), tuple(dict.fromkeys(pairs)), literal, bool(quoted))


def stems_in(text: str) -> frozenset[str]:
    """Return the stems of all words of a text, as the index has them."""
    return frozenset(map(index_stem, words_in(text)))
