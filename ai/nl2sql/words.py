"""The words of the language kit under the names the reader uses, short forms written out, accents taken off."""

from collections.abc import Callable, Mapping, Sequence

from ai.language import words as plain
from ai.language.questions import Word, keys, scaled, split
from ai.language.stems import stem
from ai.language.words import folded, plural, singular, stems
from ai.nl2sql.vocabulary import SCHEMA_WORDS

__all__ = [
    "Word",
    "folded",
    "keys",
    "name_parts",
    "plural",
    "scaled",
    "singular",
    "spelled_out",
    "split",
    "stem",
    "stems",
]


def name_parts(name: str) -> tuple[str, ...]:
    """Cut a name into lower-case words, short forms written out: `birth_dt` -> ("birth", "date")."""
    return tuple(SCHEMA_WORDS.get(part, part) for part in plain.name_parts(name))


def spelled_out(words: Sequence[Word], short: Mapping[str, str], known: Callable[[str], bool]) -> tuple[Word, ...]:
    """Put the long form in place of short forms that are not known themselves."""
    out: list[Word] = []
    for word in words:
        long = None if word.quoted or known(word.key) else short.get(word.key)
        out += split(long) if long else (word,)
    return tuple(out)
