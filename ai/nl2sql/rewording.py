"""Other words for what is said: phrases that hold a figure, slips in words of time, “un” before a state."""

import re
from functools import cache

from ai.language.spelling import nearest
from ai.language.tables import rows
from ai.language.thesaurus import is_word
from ai.nl2sql.grammar import openings, signs
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.vocabulary import words_of
from ai.nl2sql.words import Word, keys, split

LIKE = 74.0  # likeness of a slip to the word of time that was meant
SHORTEST = 4


@cache
def _times() -> tuple[str, ...]:
    return tuple(word for line in words_of("time") for word in line.split())


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    table = rows("ai.nl2sql", "rewording", "pattern", "figure", "said")
    return tuple((re.compile(pattern, re.IGNORECASE), figure, said) for pattern, figure, said in table)


def reworded(text: str, lexicon: Lexicon) -> str:
    """Put plain words for a phrase: those without a `figure` always, others where the data has that figure."""
    for pattern, figure, said in _patterns():
        found = pattern.search(text)
        if found is not None and (not figure or lexicon.senses(keys(found.expand(figure)))):
            text = f"{text[: found.start()]}{found.expand(said)}{text[found.end() :]}"
    return text


def mended(word: Word, lexicon: Lexicon) -> tuple[Word, ...]:
    """Return a word, or what was meant by one that is unknown."""
    key = word.key
    if word.quoted or len(key) < SHORTEST or not key.isalpha() or signs().get((key,)) or lexicon.senses((key,)):
        return (word,)
    if key.startswith("un") and _is_state(key[2:], lexicon):
        return split(f"not {key[2:]}")
    if word.text[0].isupper() or key in openings() or key in _times() or is_word(key) or lexicon.nearest(key):
        return (word,)
    meant = nearest(key, _times(), LIKE)
    return split(meant) if meant else (word,)


def _is_state(word: str, lexicon: Lexicon) -> bool:
    """Whether a word names a column that may be empty, such as a day on which it happened."""
    senses = (sense for sense in lexicon.senses((word,)) if sense.column and sense.value is None)
    return any(
        lexicon.column(sense.field).nullable and not sense.field.column.startswith(("=", "?")) for sense in senses
    )
