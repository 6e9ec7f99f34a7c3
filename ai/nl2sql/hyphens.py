"""Names with a hyphen said without it, and the other way round."""

import re
from functools import lru_cache

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.wording import is_called
from ai.nl2sql.words import singular

PAIR = re.compile(r"\b([^\W\d_]+) (?=([^\W\d_]+)\b)")
TIMES = frozenset("day week month quarter year mid".split())  # “month-end” is no end of a month
JOINED = re.compile(r"\b([^\W\d_]+)-([^\W\d_]+)\b")


def apart(text: str, lexicon: Lexicon) -> str:
    """Take the hyphen out of names that the data spells without it: “no-shows” of “No show”."""

    def plain(found: re.Match[str]) -> str:
        whole, halves = found[0].lower(), (found[1].lower(), found[2].lower())
        if halves[0] in TIMES:
            return found[0]
        return f"{found[1]} {found[2]}" if is_called(halves, lexicon) and not lexicon.senses((whole,)) else found[0]

    return JOINED.sub(plain, text)


def hyphened(text: str, lexicon: Lexicon) -> str:
    """Put the hyphen into names said without it: “no show rate” of “no-show rate”."""
    names = _hyphened(lexicon)
    for found in reversed(list(PAIR.finditer(text)) if names else ()):
        one, other = found[1].lower(), found[2].lower()
        if (one, other) in names or (one, singular(other)) in names:
            text = f"{text[: found.end(1)]}-{text[found.start(2) :]}"
    return text


@lru_cache(maxsize=16)
def _hyphened(lexicon: Lexicon) -> frozenset[tuple[str, ...]]:
    """Return the two halves of names with a hyphen, where the halves name nothing themselves."""
    named = {word for words in (*lexicon.defined, *lexicon.values) for word in words if "-" in word}
    halves = (tuple(word.split("-")) for word in named)
    return frozenset(
        pair for pair in halves if len(pair) == 2 and all(map(str.isalpha, pair)) and not lexicon.senses(pair)
    )
