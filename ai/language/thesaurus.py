"""Related words of English, from a table made of WordNet (`wordnet/LICENSE`), and German ones that name tables.

Loaded when first asked.
"""

import gzip
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from ai.language.tables import rows
from ai.language.words import WITHOUT_UMLAUTS, base_form, singular

TABLE = Path(__file__).with_name("wordnet") / "relations.txt.gz"
SAME, DERIVED, NEAR = 0.0, 0.1, 0.3


def related(phrase: str) -> tuple[tuple[str, float], ...]:
    """Return related words of a lower-case phrase, with their distance: the same, derived, broader or narrower."""
    found: dict[str, float] = {}
    for form in base_forms(phrase):
        for word, distance in _entry(form):
            found[word] = min(distance, found.get(word, distance))
        for word in german(form):
            found.setdefault(word, DERIVED)
    return tuple(found.items())


def german(word: str) -> tuple[str, ...]:
    """Return the German words of an English one."""
    return _german().get(word, ())


def is_word(word: str) -> bool:
    return _line(word) is not None


def base_forms(phrase: str) -> tuple[str, ...]:
    """Return the forms of a phrase to look up: its last word singular, a verb without its ending."""
    *first, last = phrase.split()
    forms = [last, singular(last), base_form(last)]
    if not first:
        forms += _verbs(last)
    return tuple(dict.fromkeys(" ".join((*first, form)) for form in forms if form))


def _verbs(word: str) -> Iterator[str]:
    for ending in ("ed", "ing", "es"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending)
            yield from (stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else "")
            yield f"{stem[:-1]}y" if stem[-1] == "i" else ""


@cache
def _german() -> dict[str, tuple[str, ...]]:
    """Return the German words of English ones, each with and without umlauts."""
    table = rows("ai.language", "german", "english", "german")
    return {
        english: tuple(
            dict.fromkeys(form for word in german.split() for form in (word, word.translate(WITHOUT_UMLAUTS)))
        )
        for english, german in table
    }


@lru_cache(maxsize=4_096)
def _entry(word: str) -> tuple[tuple[str, float], ...]:
    line = _line(word)
    if line is None:
        return ()
    _, *groups = line.split("\t")
    return tuple(
        (other, distance)
        for group, distance in zip(groups, (SAME, DERIVED, NEAR), strict=False)
        for other in group.split("|")
        if other
    )


def _line(word: str) -> str | None:
    lines = _lines()
    at = bisect_left(lines, word)
    return next((line for line in lines[at : at + 1] if line.partition("\t")[0] == word), None)


@cache
def _lines() -> list[str]:
    return gzip.decompress(TABLE.read_bytes()).decode().split("\n")
