"""Words people say for the letters of a column."""

from collections.abc import Iterator, Sequence

SEXES = {
    "f": "female females woman women girl girls lady ladies",
    "m": "male males man men boy boys gentleman gentlemen",
}
SEXED = frozenset({"sex", "gender"})


def coded_names(parts: Sequence[str], values: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (word, value) for a column named by these words: “women” for F in `sex`."""
    if not SEXED & set(parts):
        return
    for value in values:
        letter = "f" if value.lower() in ("w", "woman") else value[:1].lower()
        if len(value) == 1 or value.lower() in SEXES.get(letter, "").split():
            yield from ((word, value) for word in SEXES.get(letter, "").split() if word != value.lower())
