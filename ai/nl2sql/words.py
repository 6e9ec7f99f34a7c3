"""The words of the language kit under the names the reader uses, short forms written out, accents taken off."""

from collections.abc import Callable, Mapping, Sequence

from ai.language.questions import Word, keys, scaled, split
from ai.language.words import folded, plural, singular, stem, stems, without_kind
from ai.nl2sql.identifiers import name_parts

__all__ = [
    "DONE",
    "Word",
    "folded",
    "is_participle",
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

DONE = frozenset("paid sold sent made left held lent found met lost spent built kept won read cut put shut".split())
NEVER_DONE = frozenset("when then even often open been men women children own down town".split())


def spelled_out(words: Sequence[Word], short: Mapping[str, str], known: Callable[[str], bool]) -> tuple[Word, ...]:
    """Put the long form in place of short forms that are not known themselves."""
    out: list[Word] = []
    for word in words:
        long = None if word.quoted or known(word.key) else short.get(word.key)
        out += split(long) if long else (word,)
    return tuple(out)


def is_participle(word: str) -> bool:
    """Whether a word tells what was done: “retired”, “paid”."""
    ends = word.endswith(("ed", "en", "wn")) and not word.endswith("eed")
    return word in DONE or (ends and word not in NEVER_DONE)
