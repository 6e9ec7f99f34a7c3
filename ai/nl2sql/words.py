"""Words: cutting text and names into words, their stems, and numbers that are written as words.

Knows English and nothing of any catalog.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import snowballstemmer  # type: ignore[import-untyped]

_TOKEN = re.compile(
    r"""
      (?P<quoted>"[^"]+"|“[^”]+”|(?<!\w)'[^']+'(?!\w)|\u2018[^\u2019]+\u2019)
    | (?P<iso>\d{4}-\d{2}(?:-\d{2})?(?!\d))
    | (?P<number>[$€£]?\d+(?:,\d{3})*(?:\.\d+)?(?:k|m|bn)?%?(?![\w]))
    | (?P<word>[^\W_](?:[^\W_]|['\u2019&/.+-](?=[^\W_])|\+)*)
    | (?P<sign>[<>!]=|[<>=])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NAME_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+")
_POSSESSIVE = re.compile(r"['\u2019](s)?$", re.IGNORECASE)
_SCALES = {"k": 1_000, "m": 1_000_000, "bn": 1_000_000_000}
_SCALE_WORDS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_NUMBER_WORDS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
        " eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000, "dozen": 12}


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a question: as written, its key (lower case), its stem, and its number if it is one."""

    text: str
    key: str
    stem: str
    number: int | float | None = None
    quoted: bool = False


@cache
def _stemmer() -> Any:
    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of one lower-case word; plural, tense and `-er` endings fall away."""
    stemmed: str = _stemmer().stemWord(word)
    return stemmed


def split(text: str) -> tuple[Word, ...]:
    """The words of a question or of a data value, punctuation dropped, quoted text kept as one word."""
    return tuple(_word(found) for found in _TOKEN.finditer(text.replace("_", " ")))


_STROKES = str.maketrans("øØłŁđĐßæÆœŒıİ", "oOlLdDsaAoOiI")


@lru_cache(maxsize=20_000)
def folded(text: str) -> str:
    """Return a text in lower case and without accents."""
    plain = unicodedata.normalize("NFKD", text.translate(_STROKES))
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).lower()


def spelled_out(words: Sequence[Word], short: Mapping[str, str], known: Callable[[str], bool]) -> tuple[Word, ...]:
    """Put the long form in place of short forms that are not known themselves."""
    out: list[Word] = []
    for word in words:
        long = None if word.quoted or known(word.key) else short.get(word.key)
        out += split(long) if long else (word,)
    return tuple(out)


def keys(text: str) -> tuple[str, ...]:
    """The lower-case words of a data value, cut as a question is cut."""
    return tuple(word.key for word in split(text) if word.key)


@lru_cache(maxsize=50_000)
def name_parts(name: str) -> tuple[str, ...]:
    """The lower-case words in the name of a table or column: `InvoiceLine`, `invoice_line` -> ("invoice", "line")."""
    return tuple(part.lower() for part in _NAME_PART.findall(name))


def stems(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(stem(part) for part in parts)


def plural(noun: str) -> str:
    """The plural of an English noun phrase; its last word changes."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun if noun.endswith("s") and not noun.endswith("ss") else noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in set("aeiou"):
        return noun[:-1] + "ies"
    return noun + "s"


def singular(noun: str) -> str:
    """The singular of an English noun phrase; its last word changes."""
    if noun.endswith("ies") and len(noun) > 4:
        return noun if noun.endswith("series") else noun[:-3] + "y"
    if noun.endswith(("sses", "xes", "ches", "shes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def _word(found: re.Match[str]) -> Word:
    text = found.group()
    if found.lastgroup == "quoted":
        return Word(text[1:-1], text[1:-1].lower(), "", quoted=True)
    if found.lastgroup == "number":
        return Word(text, text.lower(), text.lower(), number=_number(text))
    text = _POSSESSIVE.sub("", text)
    key = text.lower().replace("\u2019", "'")
    return Word(text, key, stem(key), number=_NUMBER_WORDS.get(key))


def _number(text: str) -> int | float:
    digits = text.lower().strip("$€£%").replace(",", "")
    scale = next((factor for suffix, factor in _SCALES.items() if digits.endswith(suffix)), 1)
    value = float(digits.rstrip("kmbn")) * scale
    return int(value) if (value.is_integer() and "." not in digits.rstrip("kmbn")) or scale > 1 else value


def scaled(word: Word, following: Word | None) -> tuple[int | float, int] | None:
    """The number that starts at `word`, with a scale word after it ("2 million"), and how many words it took."""
    if word.number is None:
        return None
    factor = _SCALE_WORDS.get(following.key) if following else None
    return (word.number * factor, 2) if factor else (word.number, 1)
