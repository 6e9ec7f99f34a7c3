"""Likeness of spellings, from 0 to 100."""

from collections.abc import Iterable, Iterator

from rapidfuzz import fuzz, process, utils
from rapidfuzz.distance import OSA


def nearest(text: str, choices: Iterable[str], least: float) -> str | None:
    """Return the choice spelt most like `text`, at least so much."""
    found = process.extractOne(text, choices, scorer=fuzz.ratio, score_cutoff=least)
    return found[0] if found else None


def slip_of(text: str, words: Iterable[str]) -> str | None:
    """Return the only word that one wrong, missing, added or swapped letter makes of `text` (optimal alignment)."""
    found = [word for word in words if OSA.distance(text, word, score_cutoff=1) <= 1]
    return found[0] if len(found) == 1 and found[0][0] == text[0] else None


def nearest_name(text: str, names: Iterable[str], least: float) -> str | None:
    return next((name for name, _ in near_names(text, names, least)), None)


def near_names(text: str, names: Iterable[str], least: float) -> Iterator[tuple[str, float]]:
    """Yield at most five names with their likeness, best first, case and punctuation aside."""
    found = process.extract(
        text, list(names), scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=least, limit=5
    )
    return ((name, score) for name, score, _ in found)
