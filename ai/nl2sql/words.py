"""The words of the language kit under the names the reader uses, short forms written out, accents taken off."""

from collections.abc import Callable, Mapping, Sequence

from ai.language.questions import Word, keys, scaled, split
from ai.language.words import folded, plural, singular, stem, stems, without_kind
from ai.nl2sql.identifiers import name_parts

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
    "without_kind",
]


def spelled_out(words: Sequence[Word], short: Mapping[str, str], known: Callable[[str], bool]) -> tuple[Word, ...]:
    """Put the long form in place of short forms that are not known themselves."""
    out: list[Word] = []
    for word in words:
        long = None if word.quoted or known(word.key) else short.get(word.key)
        out += split(long) if long else (word,)
    return tuple(out)
